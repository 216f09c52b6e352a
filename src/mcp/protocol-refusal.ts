import { ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { type ErrorDetail, invalidField } from '../errors.ts'
import { errorBody } from '../http/error-handler.ts'
import { validationFailed } from '../http/validate.ts'
import { fieldName } from '../issue-details.ts'

/** How the SDK refuses a request: before a message of the protocol reaches its handler. */
const Refusal = z.looseObject({
  error: z.looseObject({ code: z.int(), message: z.string(), data: z.looseObject({}).optional() }),
})

/** What the SDK finds at fault, told by the code of JSON-RPC. Where two headers come into question, its sentence says which. */
function fieldOf(code: number, message: string): string {
  if (code === -32600) return 'body'
  if (code === -32602) return 'params._meta'
  return /\bthe (Mcp-(?:Method|Name)) header/.exec(message)?.[1] ?? 'MCP-Protocol-Version'
}

/** The SDK's answer with the error of other routes beside what it tells of its own, such as the versions that it speaks. */
export async function withOurError(answer: Response, requestId: string): Promise<Response> {
  const { status } = answer
  if (status !== 400 && status !== 406) return answer
  const { error, ...rest } = Refusal.parse(await answer.json())
  const field = status === 406 ? 'Accept' : fieldOf(error.code, error.message)
  const fault = errorBody(invalidField(field, 'invalid_value', error.message), requestId).error
  const data = { ...fault, message: error.message, ...error.data }
  return Response.json({ ...rest, error: { ...error, data } }, { status })
}

const judged = { initialize: specTypeSchemas.InitializeRequest, 'tools/list': specTypeSchemas.ListToolsRequest }
const Judged = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  method: z.enum(['initialize', 'tools/list']),
  params: z.looseObject({}).optional(),
})

/** -32602 for what the SDK would refuse as an error of its own, in the raw text of zod; undefined where it would not. */
export function refusedParams(message: unknown, requestId: string): Response | undefined {
  const { data: request } = Judged.safeParse(message)
  const { issues } = request ? judged[request.method]['~standard'].validate(request) : {}
  if (!request || !issues) return undefined
  const details = issues.map(({ path = [], message }): ErrorDetail => {
    const keys = path.slice(1).map((key) => (typeof key === 'object' ? key.key : key))
    return { field: fieldName(keys, 'params'), code: 'invalid_value', message: message.replace(/^Invalid input: /, '') }
  })
  const fault = errorBody(validationFailed(details), requestId).error
  const error = { code: ProtocolErrorCode.InvalidParams, message: fault.message, data: fault }
  return Response.json({ jsonrpc: '2.0', id: request.id, error })
}

import { ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { invalidField } from '../errors.ts'
import { errorBody } from '../http/middleware/error-handler.ts'
import { issueDetails } from '../lib/issue-details.ts'
import { validationFailed } from '../operations/validate.ts'

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

/** A refusal of the SDK with the error of other routes beside what it tells of its own, such as the versions that it speaks. */
async function withOurError(answer: Response, requestId: string): Promise<Response> {
  const { status } = answer
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

/** -32602 for what the SDK answers as an error of its own, in the raw text of zod; undefined where it does not. */
function refusedParams(message: unknown, requestId: string): Response | undefined {
  const { data: request } = Judged.safeParse(message)
  const { issues } = request ? judged[request.method]['~standard'].validate(request) : {}
  if (!request || !issues) return undefined
  const found = issues.map(({ path = [], message }): z.core.$ZodIssueCustom => {
    const keys = path.slice(1).map((key) => (typeof key === 'object' ? key.key : key))
    return { code: 'custom', path: keys, message: message.replace(/^Invalid input: /, '') }
  })
  const fault = errorBody(validationFailed(issueDetails(new z.ZodError(found), request, 'params')), requestId).error
  const error = { code: ProtocolErrorCode.InvalidParams, message: fault.message, data: fault }
  return Response.json({ jsonrpc: '2.0', id: request.id, error })
}

/** The SDK's answer to the message, where it refuses in our words. Its own judgement of the transport goes first. */
export async function inOurWords(answer: Response, message: unknown, requestId: string): Promise<Response> {
  if (answer.status === 400 || answer.status === 406) return withOurError(answer, requestId)
  const refusal = answer.status === 200 ? refusedParams(message, requestId) : undefined
  // The SDK holds its server of the request until its answer is read, or given up.
  if (refusal) await answer.body?.cancel()
  return refusal ?? answer
}

import { ProtocolErrorCode, specTypeSchemas } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { invalidField } from '../../../core/errors.ts'
import { issueDetails } from '../../lib/issue-details.ts'
import { type ErrorPlace, errorBody } from '../http/middleware/error-handler.ts'
import { validationFailed } from '../operations/validate.ts'
import { withMethodStatus } from './unknown-method.ts'

/** The body of an error that the SDK sends before a message reaches its handler. */
const SdkError = z.looseObject({
  error: z.looseObject({ code: z.int(), message: z.string(), data: z.looseObject({}).optional() }),
})

/** The invalid field, by the JSON-RPC code of the SDK. If several headers share a code, the message names the header. */
function fieldOf(code: number, message: string): string {
  if (code === -32600) return 'body'
  if (code === -32602) return 'params._meta'
  return /\bthe (Mcp-(?:Method|Name)) header/.exec(message)?.[1] ?? 'MCP-Protocol-Version'
}

/** Adds the error format of the API to an error of the SDK, and keeps its own data, such as the supported versions. */
async function withApiError(response: Response, place: ErrorPlace): Promise<Response> {
  const { status } = response
  const { error, ...rest } = SdkError.parse(await response.json())
  const field = status === 406 ? 'Accept' : fieldOf(error.code, error.message)
  const fault = errorBody(invalidField(field, 'invalid_value', error.message), place).error
  const data = { ...fault, message: error.message, ...error.data }
  return Response.json({ ...rest, error: { ...error, data } }, { status })
}

const checkedSchemas = { initialize: specTypeSchemas.InitializeRequest, 'tools/list': specTypeSchemas.ListToolsRequest }
const CheckedRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  method: z.enum(['initialize', 'tools/list']),
  params: z.looseObject({}).optional(),
})

/** Returns -32602 in the error format of the API if the parameters are invalid. The SDK would send the raw text of zod. */
function invalidParams(message: unknown, place: ErrorPlace): Response | undefined {
  const { data: request } = CheckedRequest.safeParse(message)
  const { issues } = request ? checkedSchemas[request.method]['~standard'].validate(request) : {}
  if (!request || !issues) return undefined
  const found = issues.map(({ path = [], message }): z.core.$ZodIssueCustom => {
    const keys = path.slice(1).map((key) => (typeof key === 'object' ? key.key : key))
    return { code: 'custom', path: keys, message: message.replace(/^Invalid input: /, '') }
  })
  const fault = errorBody(
    validationFailed(issueDetails(new z.ZodError(found), { input: request, root: 'params' })),
    place,
  ).error
  const error = { code: ProtocolErrorCode.InvalidParams, message: fault.message, data: fault }
  return Response.json({ jsonrpc: '2.0', id: request.id, error })
}

/** Returns the SDK's response to a message, with errors in the format of the API. Errors of the transport come first. */
export async function withApiErrors(response: Response, message: unknown, place: ErrorPlace): Promise<Response> {
  if (response.status === 400 || response.status === 406) return withApiError(response, place)
  const unknown = await withMethodStatus(response, message, place)
  if (unknown) return unknown
  const error = response.status === 200 ? invalidParams(message, place) : undefined
  // The SDK keeps the server of the request until its response is read or cancelled.
  if (error) await response.body?.cancel()
  return error ?? response
}

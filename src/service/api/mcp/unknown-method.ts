import { ProtocolErrorCode } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { invalidField } from '../../../core/errors.ts'
import { type ErrorPlace, errorBody } from '../http/middleware/error-handler.ts'

/** A request of the versions without sessions, which name themselves in each message. */
const StatelessRequest = z.object({
  id: z.union([z.string(), z.int()]),
  method: z.string(),
  params: z.object({ _meta: z.object({ 'io.modelcontextprotocol/protocolVersion': z.string() }) }),
})

const Failed = z.object({ error: z.object({ code: z.int() }) })

/** The error of JSON-RPC for a method that this server does not have. */
export function methodNotFound(place: ErrorPlace) {
  const { error } = errorBody(invalidField('method', 'invalid_value', 'is not known here'), place)
  return { code: ProtocolErrorCode.MethodNotFound, message: 'Method not found', data: error }
}

/**
 * Since 2026-07-28, an unknown method has the status 404. So has `subscriptions/listen`: the list of tools does not change while
 * the service runs, and the SDK would call that an internal error. Undefined for every other response.
 */
export async function withMethodStatus(
  response: Response,
  message: unknown,
  place: ErrorPlace,
): Promise<Response | undefined> {
  const { data: request } = StatelessRequest.safeParse(message)
  if (!request || response.status !== 200 || !response.headers.get('content-type')?.includes('json')) return undefined
  const { data: failed } = Failed.safeParse(await response.clone().json())
  const isSubscription = request.method === 'subscriptions/listen'
  if (!failed || (!isSubscription && failed.error.code !== ProtocolErrorCode.MethodNotFound)) return undefined
  await response.body?.cancel()
  return Response.json({ jsonrpc: '2.0', id: request.id, error: methodNotFound(place) }, { status: 404 })
}

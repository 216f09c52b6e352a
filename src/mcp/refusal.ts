import type { RequestHandler } from 'express'
import type { AppError, ErrorCode } from '../errors.ts'
import { errorBody } from '../http/middleware/error-handler.ts'

/** The codes that JSON-RPC itself has; whatever else is refused, HTTP's status tells. */
const codes: Partial<Record<ErrorCode, number>> = {
  invalid_json: -32700,
  validation_failed: -32600,
  internal_error: -32603,
}

/** The code that is left to servers, which MCP's SDKs answer with a status of HTTP. */
const serverError = -32000

/** A refusal as JSON-RPC writes it, with the error that other routes answer as its data. No id: no message was understood. */
function jsonRpcBody(error: AppError, requestId: string) {
  const { message } = error
  const data = errorBody(error, requestId).error
  return { jsonrpc: '2.0', error: { code: codes[error.code] ?? serverError, message, data }, id: null }
}

/** From here on all refusals of the request are JSON-RPC, those of the limits too. */
export const jsonRpcRefusals: RequestHandler = (_request, response, next) => {
  response.locals.refusalBody = jsonRpcBody
  next()
}

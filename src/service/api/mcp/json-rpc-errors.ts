import type { RequestHandler } from 'express'
import type { AppError } from '../../../core/errors.ts'
import { type ErrorPlace, errorBody } from '../http/middleware/error-handler.ts'

/** The errors that have a code in JSON-RPC. */
const codes: Partial<Record<AppError['code'], number>> = {
  invalid_json: -32700,
  validation_failed: -32600,
  internal_error: -32603,
}

/** The code for all other errors. JSON-RPC leaves it to servers, and MCP's SDKs use it for errors with an HTTP status. */
const serverError = -32000

/** An error in JSON-RPC with the error of the API as its data. The id is null, as no message was read. */
function jsonRpcBody(error: AppError, place: ErrorPlace) {
  const { message } = error
  const data = errorBody(error, place).error
  return { jsonrpc: '2.0', error: { code: codes[error.code] ?? serverError, message, data }, id: null }
}

/** Sends all errors of the request as JSON-RPC, also those of the limits. */
export const jsonRpcErrors: RequestHandler = (_request, response, next) => {
  response.locals.refusalBody = jsonRpcBody
  next()
}

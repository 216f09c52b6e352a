import type { ErrorRequestHandler, Request, Response } from 'express'
import { AppError, type ErrorCode, notFound, type PageErrorCode } from '../../../../core/errors.ts'
import { isBusy, isCausedByConflict, isDatabaseUnavailable, isWriteRefused } from '../../../db/database.ts'
import type { Log } from '../../../lib/log.ts'
import { describeError, describeOutage } from './describe-error.ts'
import { sendJson } from './send-json.ts'

/** The status of each error code, chosen here only (docs/rules.md#error-codes). */
const statusOf = {
  category_not_allowed: 400,
  invalid_cursor: 400,
  invalid_json: 400,
  malformed_request: 400,
  sign_in_failed: 400,
  validation_failed: 400,
  invalid_code: 401,
  invalid_token: 401,
  unauthenticated: 401,
  forbidden: 403,
  insecure: 403,
  sso_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  idempotency_key_reused: 409,
  invalid_transition: 409,
  limit_reached: 409,
  observed: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unknown_host: 421,
  github_rate_limited: 429,
  rate_limited: 429,
  internal_error: 500,
  github_unavailable: 503,
  unavailable: 503,
} as const satisfies Record<ErrorCode | PageErrorCode, number>

/** Turns anything that was thrown into the error that the caller sees, without internal details. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  // Express throws it for a path that is not percent-encoded UTF-8.
  if (error instanceof URIError) return notFound()
  if (isDatabaseUnavailable(error)) {
    return databaseUnavailable(error)
  }
  return new AppError('internal_error', 'Something went wrong on our side.', { cause: error })
}

/** 503, for a database that is away or accepts no writes, and after conflicts with other requests. */
export function databaseUnavailable(cause: unknown): AppError {
  return new AppError('unavailable', unavailableMessage(cause), { cause })
}

function unavailableMessage(cause: unknown): string {
  if (isWriteRefused(cause)) return 'The database accepts no writes: it is read-only, or its disk is full.'
  if (isCausedByConflict(cause)) return 'Other requests changed the same records. Try again shortly.'
  if (isBusy(cause)) return 'The service is busy with other requests. Try again shortly.'
  return 'The database is away. Try again shortly.'
}

export function errorStatus(code: ErrorCode | PageErrorCode): number {
  return statusOf[code]
}

/** Where an error occurs. */
export interface ErrorPlace {
  requestId: string
  /** The address of the service for clients. */
  publicUrl: string
}

/** The body of every error (docs/rules.md#error-format). */
export function errorBody(error: AppError, { requestId, publicUrl }: ErrorPlace) {
  const { code, message, details, allowed, limit } = error
  return {
    error: {
      code,
      message,
      ...(details.length > 0 ? { details } : {}),
      ...(allowed ? { allowed } : {}),
      ...(limit ? { limit } : {}),
      documentation_url: `${publicUrl}/docs#error-${code}`,
      request_id: requestId,
    },
  }
}

/** Logs errors of the service, the database or GitHub, not those of the caller. */
export function logFault(log: Log, error: AppError, requestId: string): void {
  const status = errorStatus(error.code)
  if (status < 500 || error.isLogged) return
  const fields = { request_id: requestId, code: error.code }
  if (status === 500) log.error({ ...fields, error: describeError(error.cause) }, 'request failed')
  else log.warn({ ...fields, error: describeOutage(error.cause) }, 'request refused for now')
}

/** The last handler of Express: sends the response of every thrown error, and logs errors of the service. */
export function errorHandler(log: Log): ErrorRequestHandler {
  return (thrown: unknown, request: Request, response: Response, _next) => {
    const error = toAppError(thrown)
    logFault(log, error, response.locals.requestId)
    if (response.headersSent) {
      request.socket.destroy()
      return
    }
    sendError(response, error)
  }
}

/** Sends the response of an error, with the body of `locals.refusalBody` if that is set. Logs nothing. */
function sendError(response: Response, error: AppError): void {
  const status = errorStatus(error.code)
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value)
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer')
  if (error.retryAfterSeconds !== undefined) response.setHeader('Retry-After', String(error.retryAfterSeconds))
  const { requestId, publicUrl = '', refusalBody = errorBody } = response.locals
  response.status(status)
  sendJson(response, refusalBody(error, { requestId, publicUrl }))
}

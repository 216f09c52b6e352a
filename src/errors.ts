/** Every error code of the API (docs/rules.md#error-codes). Only `http/error-handler.ts` chooses their statuses. */
export const errorCodes = [
  'category_not_allowed',
  'expectation_failed',
  'forbidden',
  'github_rate_limited',
  'github_unavailable',
  'headers_too_large',
  'idempotency_key_reused',
  'internal_error',
  'invalid_cursor',
  'invalid_json',
  'invalid_token',
  'invalid_transition',
  'malformed_request',
  'method_not_allowed',
  'not_found',
  'payload_too_large',
  'rate_limited',
  'request_timeout',
  'sso_required',
  'unauthenticated',
  'unavailable',
  'unsupported_media_type',
  'validation_failed',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** What can be wrong with one field: a closed list, for agents to branch on (docs/rules.md#field-errors). */
export const detailCodes = [
  'required',
  'unknown_field',
  'invalid_type',
  'invalid_value',
  'too_short',
  'too_long',
  'too_many',
  'invalid_glob',
  'duplicate',
] as const
export type DetailCode = (typeof detailCodes)[number]

/** `field` is a path in the body (`scope.paths[2]`), or the name of a parameter or header. */
export interface ErrorDetail {
  field: string
  code: DetailCode
  message: string
}

export interface AppErrorOptions {
  details?: ErrorDetail[]
  /** `invalid_transition` only: the statuses that the record may move to. */
  allowed?: string[]
  /** When to come back, in whole seconds. */
  retryAfterSeconds?: number
  /** Response headers that belong to the error itself: `X-GitHub-SSO`, `Allow`. */
  headers?: Record<string, string>
  cause?: unknown
}

/** A refusal with a code of the closed list. Its message and details reach the caller; its `cause` reaches the log alone. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly details: ErrorDetail[]
  readonly allowed: string[] | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Record<string, string>

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? []
    this.allowed = options.allowed
    this.retryAfterSeconds = options.retryAfterSeconds
    this.headers = options.headers ?? {}
  }
}

/** The answer for a missing record and for an invisible one: the two must look alike (docs/rules.md#access-errors). */
export function notFound(): AppError {
  return new AppError('not_found', 'Not found.')
}

/** 400 for a single field. */
export function invalidField(field: string, code: DetailCode, message: string): AppError {
  return new AppError('validation_failed', `${field}: ${message}`, { details: [{ field, code, message }] })
}

/** Why the service can't start, in words for the person who starts it. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StartError'
  }
}

/** A signal came during the start. Nothing is at fault. */
export class StoppedError extends Error {
  constructor() {
    super('The start was broken off.')
    this.name = 'StoppedError'
  }
}

import { secondsToRetry } from './lib/retry-after.ts'

/** Every error code of the API (docs/rules.md#error-codes). `error-handler.ts` of the service chooses the status. */
export const errorCodes = [
  'category_not_allowed',
  'forbidden',
  'github_rate_limited',
  'github_unavailable',
  'idempotency_key_reused',
  'internal_error',
  'invalid_cursor',
  'invalid_json',
  'invalid_token',
  'invalid_transition',
  'limit_reached',
  'malformed_request',
  'method_not_allowed',
  'not_found',
  'observed',
  'payload_too_large',
  'rate_limited',
  'sso_required',
  'unauthenticated',
  'unavailable',
  'unknown_host',
  'unsupported_media_type',
  'validation_failed',
] as const
export type ErrorCode = (typeof errorCodes)[number]

/** Further codes, which only the paths of the page return (docs/rules.md#sessions). They are no part of the API. */
export const pageErrorCodes = ['insecure', 'invalid_code', 'sign_in_failed'] as const
export type PageErrorCode = (typeof pageErrorCodes)[number]

/** What can be wrong with one field: a closed list (docs/rules.md#field-errors). */
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

/** The limits on the records of a repository. */
export const limitNames = ['live_activities', 'notables', 'repository_notables', 'records'] as const
export type LimitName = (typeof limitNames)[number]

export interface ErrorDetail {
  /** A path in the body (`scope.paths[2]`), or the name of a parameter or header. */
  field: string
  code: DetailCode
  message: string
}

export interface AppErrorOptions {
  details?: ErrorDetail[]
  /** `invalid_transition` only: the statuses that the record may move to. */
  allowed?: string[]
  /** `limit_reached` only: which limit. */
  limit?: LimitName
  /** When to try again, in whole seconds. Absent: `lib/retry-after.ts` decides by the code. */
  retryAfterSeconds?: number
  /** Response headers of the error, such as `X-GitHub-SSO` or `Allow`. */
  headers?: Record<string, string>
  /** Whether the error was logged already. */
  isLogged?: boolean
  cause?: unknown
}

/** An error response. The caller gets its message and details; only the log gets its `cause`. */
export class AppError extends Error {
  readonly code: ErrorCode | PageErrorCode
  readonly details: ErrorDetail[]
  readonly allowed: string[] | undefined
  readonly limit: LimitName | undefined
  readonly retryAfterSeconds: number | undefined
  readonly headers: Record<string, string>
  readonly isLogged: boolean

  constructor(code: ErrorCode | PageErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.details = options.details ?? []
    this.allowed = options.allowed
    this.limit = options.limit
    this.retryAfterSeconds = options.retryAfterSeconds ?? usualRetry(code)
    this.headers = options.headers ?? {}
    this.isLogged = options.isLogged ?? false
  }
}

function usualRetry(code: AppError['code']): number | undefined {
  return code === 'unavailable' || code === 'github_unavailable' ? secondsToRetry(code) : undefined
}

/** The error for a missing and for an invisible record. Both must look the same (docs/rules.md#access-errors). */
export function notFound(): AppError {
  return new AppError('not_found', 'Not found.')
}

/** A 400 for one field. */
export function invalidField(field: string, code: DetailCode, message: string): AppError {
  return new AppError('validation_failed', `${field}: ${message}`, { details: [{ field, code, message }] })
}

/** Runs a step whose errors name fields of this part of the body. */
export async function withinField<Result>(part: string, step: () => Promise<Result>): Promise<Result> {
  try {
    return await step()
  } catch (error) {
    const [detail, ...others] = error instanceof AppError ? error.details : []
    if (!detail || others.length > 0) throw error
    throw invalidField(`${part}.${detail.field}`, detail.code, detail.message)
  }
}

/** Why the service cannot start, for the person who starts it. */
export class StartError extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.name = 'StartError'
  }
}

/** A signal stopped the service while it was starting. This is not a failure. */
export class StoppedError extends Error {
  constructor() {
    super('The start was interrupted.')
    this.name = 'StoppedError'
  }
}

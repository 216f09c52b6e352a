/** Each error code of the API with its status, and what it means in one line of the API's documents. */
export const errorCodes = {
  validation_failed: [400, 'A field or a parameter is wrong: `details` names it.'],
  invalid_json: [400, 'The body is not JSON.'],
  category_not_allowed: [400, 'The repository has disabled this category of notables.'],
  unauthenticated: [401, 'Send a GitHub token as `Authorization: Bearer …`.'],
  invalid_token: [401, 'GitHub does not accept the token.'],
  forbidden: [403, 'The token may read this repository and not write to it.'],
  sso_required: [403, 'The organisation wants the token authorised for single sign-on: see `X-GitHub-SSO`.'],
  not_found: [404, 'There is no such record, or the token does not see the repository.'],
  method_not_allowed: [405, 'See `Allow`.'],
  invalid_transition: [409, 'The record can not get this status: `allowed` names those that it can.'],
  observed: [409, 'This work is an open pull request, which only GitHub changes.'],
  limit_reached: [409, 'The repository holds as many live records as it may.'],
  payload_too_large: [413, 'The body is over 1 MiB, or at `/mcp` over 256 KiB.'],
  rate_limited: [429, 'Too many requests: see `Retry-After`.'],
  insecure: [403, 'Of the page alone: signing in needs HTTPS, or a loopback address.'],
  sign_in_failed: [400, 'Of the page alone: GitHub did not sign this person in.'],
  internal_error: [500, 'The service failed: its log has the `request_id`.'],
  github_unavailable: [503, 'GitHub does not answer: see `Retry-After`.'],
  unavailable: [503, 'The service can not answer at the moment: see `Retry-After`.'],
} as const satisfies Record<string, readonly [number, string]>
export type ErrorCode = keyof typeof errorCodes

export interface ErrorDetail {
  /** A path in the body (`scope.paths[2]`), or the name of a parameter or header. */
  field: string
  message: string
}

export interface AppErrorOptions {
  details?: ErrorDetail[]
  /** Of `invalid_transition`: the statuses that the record may get. */
  allowed?: readonly string[]
  /** When to try again, in milliseconds since 1970. */
  retryAt?: number
  headers?: Record<string, string>
  cause?: unknown
}

/** An error response. The caller gets its message and details; only the log gets its `cause`. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly options: AppErrorOptions

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.options = options
  }

  get status(): number {
    return errorCodes[this.code][0]
  }
}

/** For a missing and for an invisible record: both must look the same. */
export function notFound(): AppError {
  return new AppError('not_found', 'Not found.')
}

/** A 400 for one field. */
export function invalidField(field: string, message: string): AppError {
  return new AppError('validation_failed', `${field}: ${message}`, { details: [{ field, message }] })
}

/** Why the service can not start, for the person who starts it. */
export class StartError extends Error {}

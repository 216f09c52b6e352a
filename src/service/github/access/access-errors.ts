import { AppError } from '../../../core/errors.ts'
import { describeNoAnswer, type NoAnswer } from '../no-answer.ts'

export function invalidToken(): AppError {
  return new AppError('invalid_token', 'GitHub does not accept this token.')
}

export function forbidden(): AppError {
  return new AppError('forbidden', 'This token may read the repository, but not write to it.')
}

/** `sso` is GitHub's header. It holds a URL for the caller, which must not be logged. */
export function ssoRequired(sso: string): AppError {
  const message = 'GitHub wants this token authorized for single sign-on; the X-GitHub-SSO header says where.'
  return new AppError('sso_required', message, { headers: { 'X-GitHub-SSO': sso } })
}

export function githubRateLimited(retryAfterSeconds: number): AppError {
  return new AppError('github_rate_limited', "This token's rate limit at GitHub is spent.", { retryAfterSeconds })
}

/** `reason` is only logged. The caller learns the address of GitHub and why it did not answer. */
export function githubUnavailable(reason: string, noAnswer?: NoAnswer): AppError {
  const where = noAnswer ? ` ${describeNoAnswer(noAnswer)}` : ''
  const message = `GitHub, which decides who may see this repository, gave no usable answer${where}.`
  return new AppError('github_unavailable', message, { cause: new Error(reason) })
}

export function tooManyRejectedTokens(retryAfterSeconds: number): AppError {
  return new AppError('rate_limited', 'GitHub refused too many tokens from this address.', { retryAfterSeconds })
}

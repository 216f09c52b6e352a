import type { GithubCall } from '../lib/service-events.ts'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function methodLabel(method: string): string {
  return methods.has(method) ? method : 'other'
}

/** The outcome of a call to GitHub, as a label. */
export function githubOutcome({ status, isRateLimit }: GithubCall): string {
  if (status === null) return 'no_answer'
  if (isRateLimit) return 'rate_limited'
  if (status === 304) return 'not_modified'
  if (status === 401) return 'token_refused'
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'refused' : 'ok'
}

/**
 * Bounds the number of values of a label: the first `most` values are kept, every further one becomes `other`. The
 * callers have few values already; this is a second protection.
 */
export function boundedLabel(most: number): (value: string) => string {
  const known = new Set<string>()
  return (value) => {
    if (known.has(value)) return value
    if (known.size >= most) return 'other'
    known.add(value)
    return value
  }
}

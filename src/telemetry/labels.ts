import type { GithubCall } from '../lib/events.ts'

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

export function methodLabel(method: string): string {
  return methods.has(method) ? method : 'other'
}

/** What came of a call to GitHub, in a word. */
export function githubOutcome({ status, isRateLimit }: GithubCall): string {
  if (status === null) return 'no_answer'
  if (isRateLimit) return 'rate_limited'
  if (status === 304) return 'not_modified'
  if (status === 401) return 'token_refused'
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'refused' : 'ok'
}

/**
 * A second net under label values that are bounded by what makes them: the first `most` that come are let through, any
 * further one is `other`.
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

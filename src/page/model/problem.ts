/** Why the page cannot show the repository now. */
export type ProblemKind =
  | 'session-over'
  | 'not-found'
  | 'sso'
  | 'forbidden'
  | 'insecure'
  | 'busy'
  | 'unavailable'
  | 'offline'

export interface Problem {
  kind: ProblemKind
  /** Of the response; 0 where there was none. */
  status: number
  /** The error message of the service. */
  message: string
  /** When to try again, in seconds; undefined if only a person can change it. */
  retryAfterSeconds: number | undefined
  /** GitHub's header about single sign-on. */
  sso: string | null
}

/** The service could not be reached at all. */
export const offline: Problem = {
  ...{ kind: 'offline', status: 0, message: 'The service does not answer.', retryAfterSeconds: 3, sso: null },
}

interface Refusal {
  status: number
  code: string
  message: string
  retryAfter: string | null
  sso: string | null
}

const waitSeconds = 10

export function problemOf({ status, code, message, retryAfter, sso }: Refusal): Problem {
  const kind = kindOf(status, code)
  const seconds = /^\d{1,4}$/.test(retryAfter ?? '') ? Math.max(Number(retryAfter), 1) : waitSeconds
  const comesBack = kind === 'busy' || kind === 'unavailable'
  return { kind, status, message, retryAfterSeconds: comesBack ? seconds : undefined, sso }
}

function kindOf(status: number, code: string): ProblemKind {
  if (status === 401) return 'session-over'
  if (code === 'sso_required') return 'sso'
  if (code === 'insecure') return 'insecure'
  if (status === 403 || status === 421) return 'forbidden'
  if (status === 404) return 'not-found'
  return status === 429 ? 'busy' : 'unavailable'
}

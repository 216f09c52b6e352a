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
  /** The error message of the service. */
  message: string
  /** When to try again, in seconds; undefined if only a person can change it. */
  retryAfterSeconds: number | undefined
  /** GitHub's header about single sign-on. */
  sso: string | null
}

export interface Refusal {
  status: number
  code: string
  message: string
  retryAfter: string | null
  sso: string | null
}

const waitSeconds = 10

/** Undefined: the service could not be reached at all. */
export function problemOf(refusal: Refusal | undefined): Problem {
  if (!refusal) return { kind: 'offline', message: 'The service does not answer.', retryAfterSeconds: 3, sso: null }
  const { message, retryAfter, sso } = refusal
  const kind = kindOf(refusal)
  const seconds = /^\d{1,4}$/.test(retryAfter ?? '') ? Number(retryAfter) : waitSeconds
  const comesBack = kind === 'busy' || kind === 'unavailable'
  return { kind, message, retryAfterSeconds: comesBack ? Math.max(seconds, 1) : undefined, sso }
}

function kindOf({ status, code }: Refusal): ProblemKind {
  if (status === 401) return 'session-over'
  if (code === 'sso_required') return 'sso'
  if (code === 'insecure') return 'insecure'
  if (status === 403 || status === 421) return 'forbidden'
  if (status === 404) return 'not-found'
  return status === 429 ? 'busy' : 'unavailable'
}

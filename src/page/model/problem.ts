import { ssoLink } from './words.ts'

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
  ssoUrl: string | undefined
}

export interface Refusal {
  status: number
  code: string
  message: string
  retryAfter: string | null
  sso: string | null
}

const waitSeconds = 10

export function problemOf(refusal: Refusal, githubUrl: string | undefined): Problem {
  const kind = kindOf(refusal)
  const seconds = /^\d{1,4}$/.test(refusal.retryAfter ?? '') ? Number(refusal.retryAfter) : waitSeconds
  return {
    kind,
    message: refusal.message,
    retryAfterSeconds: kind === 'busy' || kind === 'unavailable' ? Math.max(seconds, 1) : undefined,
    ssoUrl: kind === 'sso' ? ssoLink(refusal.sso, githubUrl) : undefined,
  }
}

function kindOf({ status, code }: Refusal): ProblemKind {
  if (status === 401) return 'session-over'
  if (code === 'sso_required') return 'sso'
  if (code === 'insecure') return 'insecure'
  if (status === 403 || status === 421) return 'forbidden'
  if (status === 404) return 'not-found'
  return status === 429 ? 'busy' : 'unavailable'
}

/** The service could not be reached at all. */
export const offline: Problem = {
  kind: 'offline',
  message: 'The service does not answer.',
  retryAfterSeconds: 3,
  ssoUrl: undefined,
}

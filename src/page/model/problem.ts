/** Why the page cannot show the repository now. */
export const problemTitles = {
  'session-over': 'Your session is over',
  'not-found': 'Not found',
  sso: 'Single sign-on is needed',
  forbidden: 'Refused',
  insecure: 'Signing in needs TLS',
  busy: 'Too many requests',
  unavailable: 'Not available right now',
  offline: 'No connection',
}

type ProblemKind = keyof typeof problemTitles

export interface Problem {
  kind: ProblemKind
  /** Of the response; 0 where there was none. */
  status: number
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

const waitSeconds = 10

/** The kinds by the code of the error, else by the status. An error of a proxy has no code. */
const kinds = new Map<string | number, ProblemKind>([
  ['sso_required', 'sso'],
  ['insecure', 'insecure'],
  [401, 'session-over'],
  [403, 'forbidden'],
  [404, 'not-found'],
  [421, 'forbidden'],
  [429, 'busy'],
])

export function problemOf(
  { status, headers }: Pick<Response, 'status' | 'headers'>,
  { code, message }: { code: string; message: string },
): Problem {
  const kind = kinds.get(code) ?? kinds.get(status) ?? 'unavailable'
  const after = headers.get('retry-after') ?? ''
  const seconds = /^\d{1,4}$/.test(after) ? Math.max(Number(after), 1) : waitSeconds
  const comesBack = kind === 'busy' || kind === 'unavailable'
  return {
    ...{ kind, status, message: message || 'The service refused the request.' },
    ...{ retryAfterSeconds: comesBack ? seconds : undefined, sso: headers.get('x-github-sso') },
  }
}

import { failure, type Reply } from './route.ts'

/** What goes wrong instead of, or with, the answer that the world would give. */
export type Fault =
  /** Answers so much later, in ms; null never. */
  | { kind: 'delay'; ms: number | null }
  /** Answers once the promise is settled. */
  | { kind: 'hold'; until: Promise<unknown> }
  /** Drops the connection: before the answer, or in the middle of its body. */
  | { kind: 'drop'; when: 'before' | 'in_body' }
  | { kind: 'reply'; reply: Reply }
  | { kind: 'change'; change: (reply: Reply) => Reply }

const json = (status: number, message: string, headers?: Record<string, string>): Fault => ({
  kind: 'reply',
  reply: failure(status, message, headers),
})

const page = (status: number): Fault => ({
  kind: 'reply',
  reply: {
    status,
    text: '<html><body><h1>Unicorn!</h1></body></html>',
    headers: { 'content-type': 'text/html; charset=utf-8' },
  },
})

const nonsenses = {
  page: page(200),
  no_id: { kind: 'reply', reply: { status: 200, body: { full_name: 'acme/web', permissions: { push: true } } } },
  list: { kind: 'reply', reply: { status: 200, body: [] } },
  cut: { kind: 'reply', reply: { status: 200, text: '{"id": 1, "full_name": "ac' } },
} as const satisfies Record<string, Fault>

const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

/** GitHub's ways to fail, each a fault to give to `fail`. Seconds, but for `slow`, which takes ms. */
export const faults = {
  slow: (ms: number): Fault => ({ kind: 'delay', ms }),
  never: (): Fault => ({ kind: 'delay', ms: null }),
  reset: (): Fault => ({ kind: 'drop', when: 'before' }),
  cutOff: (): Fault => ({ kind: 'drop', when: 'in_body' }),
  /** An error page instead of JSON. */
  unicorn: (status = 502): Fault => page(status),
  /** With a 200: a page that isn't the API's, an object without an `id`, a list, or JSON that breaks off. */
  nonsense: (kind: keyof typeof nonsenses = 'page'): Fault => nonsenses[kind],
  badCredentials: (): Fault => json(401, 'Bad credentials'),
  primaryLimit: (resetsIn = 600, status: 403 | 429 = 403): Fault =>
    json(status, 'API rate limit exceeded for user ID 1.', {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': inSeconds(resetsIn),
      'x-ratelimit-resource': 'core',
    }),
  /** With its header, or with `null` nothing but its message. */
  secondaryLimit: (retryAfter: number | null = 60): Fault =>
    json(
      403,
      'You have exceeded a secondary rate limit. Please wait a few minutes before you try again.',
      retryAfter === null ? {} : { 'retry-after': String(retryAfter) },
    ),
  loginAttempts: (): Fault => json(403, 'Maximum number of login attempts exceeded. Please try again later.'),
  sso: (organization = 'acme'): Fault =>
    json(403, 'Resource protected by organization SAML enforcement.', {
      'x-github-sso': `required; url=https://github.com/orgs/${organization}/sso?authorization_request=ABC`,
    }),
  ipAllowList: (organization = 'acme'): Fault =>
    json(
      403,
      `Although you appear to have the correct authorization credentials, the \`${organization}\` organization has an IP allow list enabled, and your IP address is not permitted to access this resource.`,
    ),
  legalReasons: (): Fault => json(451, 'Repository access blocked'),
  /** The answer as it is, without its `permissions`. */
  permissionsMissing: (): Fault => ({ kind: 'change', change: withoutPermissions }),
} as const

function withoutPermissions(reply: Reply): Reply {
  if (typeof reply.body !== 'object' || reply.body === null || !('permissions' in reply.body)) return reply
  const { permissions: _, ...body } = reply.body
  return { ...reply, body }
}

/** Which requests a fault befalls: all unless narrowed. */
export interface Where {
  method?: string
  /** What the path begins with, or what it matches. */
  path?: string | RegExp
  token?: string
  /** How often; until it is cleared unless given. */
  times?: number
}

export interface Trouble {
  /** Gives a way to end it. A later fault goes before an earlier one. */
  fail(fault: Fault, where?: Where): () => void
  clear(): void
  /** The fault of this request, if there is one. */
  of(request: { method: string; path: string; authorization: string }): Fault | null
}

export function createTrouble(): Trouble {
  let current: { fault: Fault; where: Where; left: number }[] = []
  return {
    fail(fault, where = {}) {
      const one = { fault, where, left: where.times ?? Infinity }
      current.unshift(one)
      return () => {
        current = current.filter((other) => other !== one)
      }
    },
    clear() {
      current = []
    },
    of(request) {
      const found = current.find(({ where, left }) => left > 0 && befalls(where, request))
      if (found === undefined) return null
      found.left--
      return found.fault
    },
  }
}

function befalls({ method, path, token }: Where, request: Parameters<Trouble['of']>[0]): boolean {
  if (method !== undefined && method !== request.method) return false
  if (typeof path === 'string' && !request.path.startsWith(path)) return false
  if (path instanceof RegExp && !path.test(request.path)) return false
  return token === undefined || request.authorization.split(' ')[1] === token
}

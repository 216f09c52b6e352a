import { failure, type Reply } from './route.ts'

/** What goes wrong with a response. */
export type Fault =
  /** Responds later by `ms`; null is never. */
  | { kind: 'delay'; ms: number | null }
  /** Responds when the promise is settled. */
  | { kind: 'hold'; until: Promise<unknown> }
  /** Drops the connection before the response, or in the middle of its body. */
  | { kind: 'drop'; when: 'before' | 'in_body' }
  | { kind: 'reply'; reply: Reply }
  | { kind: 'change'; change: (reply: Reply) => Reply }
  /** Responds as usual, and runs an action before the response is made, or between making and sending it. */
  | { kind: 'act'; when: 'before' | 'after'; action: () => unknown }

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

const invalidResponses = {
  page: page(200),
  no_id: { kind: 'reply', reply: { status: 200, body: { full_name: 'acme/web', permissions: { push: true } } } },
  list: { kind: 'reply', reply: { status: 200, body: [] } },
  cut: { kind: 'reply', reply: { status: 200, text: '{"id": 1, "full_name": "ac' } },
} as const satisfies Record<string, Fault>

const inSeconds = (seconds: number) => String(Math.floor(Date.now() / 1000) + seconds)

/** The ways in which GitHub fails; pass one to `fail`. Times are in seconds, except in `slow`, which takes ms. */
export const faults = {
  slow: (ms: number): Fault => ({ kind: 'delay', ms }),
  never: (): Fault => ({ kind: 'delay', ms: null }),
  reset: (): Fault => ({ kind: 'drop', when: 'before' }),
  cutOff: (): Fault => ({ kind: 'drop', when: 'in_body' }),
  /** An error page instead of JSON. */
  unicorn: (status = 502): Fault => page(status),
  /** A 200 with an HTML page, an object without an `id`, a list, or incomplete JSON. */
  nonsense: (kind: keyof typeof invalidResponses = 'page'): Fault => invalidResponses[kind],
  badCredentials: (): Fault => json(401, 'Bad credentials'),
  primaryLimit: (resetsIn = 600, status: 403 | 429 = 403): Fault =>
    json(status, 'API rate limit exceeded for user ID 1.', {
      'x-ratelimit-limit': '5000',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-used': '5000',
      'x-ratelimit-reset': inSeconds(resetsIn),
      'x-ratelimit-resource': 'core',
    }),
  /** With a `retry-after`, or with `null` only with the message. */
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
  /** Runs an action, such as a push, before the usual response is made. */
  runBefore: (action: () => unknown): Fault => ({ kind: 'act', when: 'before', action }),
  /** Runs an action after the response is made: it does not show in this response, but in the next one. */
  runAfter: (action: () => unknown): Fault => ({ kind: 'act', when: 'after', action }),
  /** The usual response without its `permissions`. */
  permissionsMissing: (): Fault => ({ kind: 'change', change: withoutPermissions }),
} as const

function withoutPermissions(reply: Reply): Reply {
  if (typeof reply.body !== 'object' || reply.body === null || !('permissions' in reply.body)) return reply
  const { permissions: _, ...body } = reply.body
  return { ...reply, body }
}

/** Which requests a fault applies to; without fields, all. */
export interface RequestFilter {
  method?: string
  /** The beginning of the path, or a pattern. */
  path?: string | RegExp
  token?: string
  /** How many matching requests are left alone first, by default 0. */
  skip?: number
  /** How many requests; without it, until the fault is removed. */
  times?: number
}

export interface FaultInjector {
  /** Adds a fault and returns a function that removes it. The latest fault is tried first. */
  fail(fault: Fault, where?: RequestFilter): () => void
  clear(): void
  /** Returns the fault for this request, and counts it; null if there is none. */
  find(request: { method: string; path: string; authorization: string }): Fault | null
}

export function createFaultInjector(): FaultInjector {
  let current: { fault: Fault; where: RequestFilter; skip: number; left: number }[] = []
  return {
    fail(fault, where = {}) {
      const one = { fault, where, skip: where.skip ?? 0, left: where.times ?? Infinity }
      current.unshift(one)
      return () => {
        current = current.filter((other) => other !== one)
      }
    },
    clear() {
      current = []
    },
    find(request) {
      const found = current.find((one) => one.left > 0 && matches(one.where, request) && one.skip-- <= 0)
      if (found === undefined) return null
      found.left--
      return found.fault
    },
  }
}

function matches({ method, path, token }: RequestFilter, request: Parameters<FaultInjector['find']>[0]): boolean {
  if (method !== undefined && method !== request.method) return false
  if (typeof path === 'string' && !request.path.startsWith(path)) return false
  if (path instanceof RegExp && !path.test(request.path)) return false
  return token === undefined || request.authorization.split(' ')[1] === token
}

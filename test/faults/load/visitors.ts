import { setTimeout as sleep } from 'node:timers/promises'
import { type Answer, signIn, visit } from '../../integration/session/visitor.ts'
import { call } from '../../support/client.ts'
import { now } from './ledger.ts'
import { lastingFile } from './pull-requests.ts'
import { pathOf } from './records.ts'
import { type Load, pickRandom } from './send.ts'

/** Clients that do one thing again and again. Their requests may fail during a fault, but never be answered wrongly. */
export interface Visitors {
  /** Answered requests by kind. */
  counts: Record<string, number>
  violations: string[]
  /** Waits for the last requests. */
  ended: Promise<void>
}

const pauseMs = 150
/** The allowed responses while GitHub, the database or a process is unreachable, or this machine is slow. */
const unavailable = [408, 429, 503]

interface Attempt {
  what: string
  /** The allowed statuses, beside those of a fault. */
  expected: readonly number[]
  send(): Promise<{ status: number; body: unknown }>
  /** A wrong answer in words. */
  check?(body: unknown): string | undefined
}

async function repeat(load: Load, visitors: Visitors, attempts: () => readonly Attempt[]): Promise<void> {
  while (!load.signal.aborted) {
    for (const { what, expected, send, check } of attempts()) {
      try {
        const { status, body } = await send()
        visitors.counts[what] = (visitors.counts[what] ?? 0) + 1
        const isAway = unavailable.includes(status)
        const wrong = expected.includes(status) ? check?.(body) : isAway ? undefined : 'unexpected'
        if (wrong) visitors.violations.push(`${what}: ${wrong}: ${status} ${JSON.stringify(body)}`)
      } catch (error) {
        if (!isBrokenConnection(error)) visitors.violations.push(`${what}: ${String(error)}`)
      }
      await sleep(pauseMs)
    }
  }
}

/** `fetch` throws a TypeError, `node:http` an error with a code. */
function isBrokenConnection(error: unknown): boolean {
  return error instanceof TypeError || (error instanceof Error && 'code' in error)
}

function start(clients: (visitors: Visitors) => Promise<unknown>[]): Visitors {
  const visitors: Visitors = { counts: {}, violations: [], ended: Promise.resolve() }
  visitors.ended = Promise.all(clients(visitors)).then(() => {})
  return visitors
}

const work = { title: 'T', summary: 'S', actor: 'A' }

/** People without access, and one who may only read. Nobody is ever let in. */
export function startOutsiders(load: Load): Visitors {
  const { repository } = load
  const none = [
    ['stranger', repository.stranger, 404],
    ['invalid token', 'ghp_nobody', 401],
    ['no token', undefined, 401],
  ] as const
  const at = (rest: string) => pickRandom(load, load.urls()) + pathOf(load, rest)
  const attempts = none.flatMap(([who, token, status]): Attempt[] => {
    const one = (rest: string, method = 'GET', body?: object): Attempt => ({
      what: `${who} ${method} ${rest}`,
      expected: [status],
      send: () => call(at(rest), { method, ...(token === undefined ? {} : { token }), ...(body ? { body } : {}) }),
    })
    const check = { scope: { paths: ['src/a.ts'] } }
    return [
      ...['/activity', '/notables', '/collisions', '/events', '/settings'].map((rest) => one(rest)),
      one('/activity', 'POST', work),
      one('/activity/check', 'POST', check),
    ]
  })
  const reader: Attempt = {
    what: 'reader POST /activity',
    expected: [403],
    send: () => call(at('/activity'), { method: 'POST', token: repository.reader, body: work }),
  }
  return start((visitors) => [repeat(load, visitors, () => [...attempts, reader])])
}

/** The HTTP of the page on each instance: signed in with a cookie, which another site and a forged one do not replace. */
export function startPageVisitors(load: Load, token: string): Visitors {
  const { owner, name } = load.repository
  const lists = ['/activity', '/notables', '/collisions', '/settings']
  return start((visitors) =>
    load.urls().map(async (url) => {
      const visitor = visit({ url })
      for (let isIn = false; !isIn && !load.signal.aborted; ) {
        isIn = await signIn(visitor, token).then(
          () => true,
          () => sleep(pauseMs, false),
        )
      }
      const attempt = (what: string, status: number, send: () => Promise<Answer>): Attempt => ({
        what: `page ${what}`,
        expected: [status],
        send,
      })
      const html = { headers: { accept: 'text/html' } }
      const attempts = [
        attempt('HTML', 200, () => visitor.open(`/${owner}/${name}`, html)),
        attempt('session', 200, () => visitor.fetch('/-/session')),
        ...lists.map((rest) => attempt(`GET ${rest}`, 200, () => visitor.fetch(pathOf(load, rest)))),
        attempt('GET from another site', 401, () => visitor.open(pathOf(load, '/activity'))),
        attempt('GET with a forged cookie', 401, () => {
          const forged = [...visitor.cookies].map(([key]) => `${key}=forged`).join('; ')
          return visitor.fetch(pathOf(load, '/activity'), { headers: { cookie: forged } })
        }),
      ]
      await repeat(load, visitors, () => attempts)
    }),
  )
}

/** How long a permission may still count: the cache of the load's instances, and a request that is slow. */
const lostAfterMs = 10_000

/** A writer who loses the access at `leftAt`. */
export function startLeaver(load: Load, token: string, leftAt: () => number): Visitors {
  const attempt = (): Attempt => {
    const isOut = now() > leftAt() + lostAfterMs
    const url = pickRandom(load, load.urls())
    return {
      what: isOut ? 'after the access was lost' : 'before the access was lost',
      expected: isOut ? [404] : [200, 404],
      send: () => call(url + pathOf(load, '/activity'), { token }),
    }
  }
  return start((visitors) => [repeat(load, visitors, () => [attempt()])])
}

interface CheckBody {
  overlap_detected: boolean
  clear: boolean
  observed: { pull_requests: string; unread: number }
}

/**
 * Checks the lines of the pull request that lasts, and a file that nobody changes. The first is an overlap, unless the
 * answer says that pull requests are unknown. The second is clear only while all open pull requests are known.
 */
export function startChecks(load: Load): Visitors {
  const send = (body: object) => () =>
    call(pickRandom(load, load.urls()) + pathOf(load, '/activity/check'), {
      method: 'POST',
      token: load.repository.otherWriter,
      headers: { prefer: 'wait=0' },
      body,
    })
  const files = [{ path: lastingFile.path, lines: [[15, 15]] }]
  const attempts: Attempt[] = [
    {
      what: 'check of changed lines',
      expected: [200],
      send: send({ base_branch: 'main', changes: { files } }),
      check(body) {
        const { overlap_detected: isFound, clear, observed } = body as CheckBody
        // While GitHub has not said whether this token may read pull requests, the answer says that they are unknown.
        const saysUnknown = ['reading', 'unavailable'].includes(observed.pull_requests)
        return isFound || (saysUnknown && !clear) ? undefined : 'no overlap with what is open'
      },
    },
    {
      what: 'check of an untouched file',
      expected: [200],
      send: send({ scope: { paths: ['src/untouched.ts'] } }),
      check(body) {
        const { clear, observed } = body as CheckBody
        const isKnown = observed.pull_requests === 'current' && observed.unread === 0
        return clear && !isKnown ? 'clear, although not all is known' : undefined
      },
    },
  ]
  return start((visitors) => [repeat(load, visitors, () => attempts)])
}

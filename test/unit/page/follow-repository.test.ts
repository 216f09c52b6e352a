import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { followRepository, type LiveView } from '../../../src/page/client/follow-repository.ts'
import { activity, pair } from './records.ts'

interface Asked {
  path: string
  headers: Headers
}

const base = '/api/v1/repos/acme/shop'
const truncated = { activities: false, notables: false, collisions: false, scopes: false }
const snapshot = {
  ...{ activities: [activity()], notables: [], collisions: [pair()], collisions_complete: true },
  ...{ access: 'write', truncated },
}
const eventText = (event: string, data: unknown, id = '') =>
  `event: ${event}\n${id && `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** A stream of events that a test writes and ends. */
function openStream(first = '') {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(given) {
      controller = given
      if (first !== '') given.enqueue(encoder.encode(first))
    },
  })
  return {
    response: new Response(body),
    send: (text: string) => controller?.enqueue(encoder.encode(text)),
    end: () => controller?.close(),
  }
}

const refusal = (status: number, code: string, headers: Record<string, string> = {}) =>
  Response.json({ error: { code, message: 'No.' } }, { status, headers })

describe('the page follows a repository', () => {
  let asked: Asked[]
  let answers: Map<string, () => Response | Promise<Response>>
  let views: LiveView[]
  let following: ReturnType<typeof followRepository>
  const last = () => views.at(-1)
  const paths = () => asked.map(({ path }) => path)

  beforeEach(() => {
    vi.useFakeTimers()
    asked = []
    views = []
    answers = new Map([
      [
        '/activity?limit=100',
        () => Response.json({ items: [activity()], next_cursor: null }, { headers: { etag: '"1"' } }),
      ],
      ['/notables?limit=100', () => Response.json({ items: [], next_cursor: null })],
      ['/collisions', () => Response.json({ items: [], truncated: false })],
    ])
    vi.stubGlobal('fetch', async (url: string, { headers, signal }: RequestInit) => {
      const path = url.replace(base, '')
      asked.push({ path, headers: new Headers(headers) })
      if (path !== '/events') return await (answers.get(path)?.() ?? refusal(503, 'unavailable'))
      const aborted = new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason))
      })
      const response = await Promise.race([answers.get(path)?.() ?? refusal(503, 'unavailable'), aborted])
      signal?.addEventListener('abort', () => void response.body?.cancel().catch(() => {}))
      return response
    })
  })

  afterEach(() => {
    following.stop()
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  async function follow(events: () => Response | Promise<Response>): Promise<void> {
    answers.set('/events', events)
    following = followRepository({ owner: 'acme', repo: 'shop' }, (view) => void views.push(view))
    await vi.advanceTimersByTimeAsync(0)
  }

  it('continues after the last event that it has read', async () => {
    const stream = openStream(eventText('snapshot', snapshot, 'e.1'))
    await follow(() => stream.response)
    expect(last()).toMatchObject({ connection: 'live', problem: undefined })
    expect(last()?.state?.activities.size).toBe(1)
    stream.send(eventText('activity', activity({ id: 'act_2' }), 'e.2'))
    stream.end()
    await vi.advanceTimersByTimeAsync(0)
    expect(last()?.connection).toBe('live')
    const all = { items: [], truncated: false, collisions_complete: true }
    answers.set('/events', () => openStream(eventText('collisions', all, 'e.3')).response)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(asked.at(-1)?.headers.get('last-event-id')).toBe('e.2')
    expect(last()?.connection).toBe('live')
    expect([last()?.state?.activities.size, last()?.state?.collisions.size]).toEqual([2, 0])
  })

  it('keeps its state while the service does not answer, and waits longer each time', async () => {
    const stream = openStream(eventText('snapshot', snapshot))
    await follow(() => stream.response)
    answers.set('/events', () => Promise.reject(new TypeError('Failed to fetch')))
    stream.end()
    await vi.advanceTimersByTimeAsync(1_000)
    expect(last()).toMatchObject({ connection: 'lost', problem: { kind: 'offline' } })
    expect(last()?.state?.activities.size).toBe(1)
    await vi.advanceTimersByTimeAsync(60_000)
    const attempts = paths().length
    expect(attempts).toBeGreaterThan(4)
    expect(attempts).toBeLessThan(9)
  })

  it('makes the next attempt at once after a retry', async () => {
    await follow(() => Promise.reject(new TypeError('Failed to fetch')))
    await vi.advanceTimersByTimeAsync(20_000)
    const attempts = paths().length
    following.retry()
    await vi.advanceTimersByTimeAsync(0)
    expect(paths().length).toBe(attempts + 1)
  })

  it('keeps no retry from before: after a stream has ended it waits as the service says', async () => {
    const stream = openStream(eventText('snapshot', snapshot))
    await follow(() => stream.response)
    following.retry()
    stream.send(eventText('bye', { code: 'draining', retry_after: 3 }))
    await vi.advanceTimersByTimeAsync(2_900)
    expect(paths()).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(200)
    expect(paths()).toHaveLength(2)
  })

  it('waits as long as the service says where both the stream and the lists are refused', async () => {
    const busy = () => refusal(429, 'github_rate_limited', { 'retry-after': '40' })
    for (const path of answers.keys()) answers.set(path, busy)
    await follow(busy)
    expect(last()).toMatchObject({ connection: 'lost', problem: { kind: 'busy', retryAfterSeconds: 40 } })
    expect((last()?.retryAt ?? 0) - Date.now()).toBe(40_000)
  })

  it('polls where only the stream is refused, and tries the stream again later', async () => {
    await follow(() => refusal(503, 'unavailable', { 'retry-after': '30' }))
    expect(last()).toMatchObject({ connection: 'polling' })
    answers.set('/events', () => openStream(eventText('snapshot', snapshot)).response)
    await vi.advanceTimersByTimeAsync(45_000)
    expect(last()).toMatchObject({ connection: 'live', state: { access: 'write' } })
  })

  it('shows the pairs of the last poll alone, also where it says that there may be more', async () => {
    await follow(() => refusal(429, 'rate_limited', { 'retry-after': '3600' }))
    for (const [shown, items] of [[1, [pair()]] as const, [0, []] as const]) {
      answers.set('/collisions', () => Response.json({ items, truncated: true }))
      await vi.advanceTimersByTimeAsync(15_000)
      expect(last()).toMatchObject({ connection: 'polling', state: { isComplete: false } })
      expect(last()?.state?.collisions.size).toBe(shown)
    }
  })

  it('polls with If-None-Match where nothing comes through for 40 s', async () => {
    await follow(() => new Promise(() => {}))
    await vi.advanceTimersByTimeAsync(39_000)
    expect(views).toEqual([])
    await vi.advanceTimersByTimeAsync(1_000)
    expect(last()?.connection).toBe('polling')
    answers.set('/activity?limit=100', () => new Response(null, { status: 304 }))
    await vi.advanceTimersByTimeAsync(15_000)
    const lists = asked.filter(({ path }) => path.startsWith('/activity'))
    expect(lists.map(({ headers }) => headers.get('if-none-match'))).toEqual([null, '"1"'])
    expect(last()?.state?.activities.size).toBe(1)
  })

  it('reads all pages of a list, up to 500 records', async () => {
    const next = (n: number) => `/activity?limit=100${n === 0 ? '' : `&cursor=c${n}`}`
    for (let n = 0; n < 7; n++) {
      answers.set(next(n), () => Response.json({ items: [activity({ id: `act_${n}` })], next_cursor: `c${n + 1}` }))
    }
    await follow(() => refusal(503, 'unavailable'))
    expect(last()?.state?.activities.size).toBe(5)
  })

  it.each([
    [401, 'invalid_token', 'session-over'],
    [404, 'not_found', 'not-found'],
    [403, 'sso_required', 'sso'],
  ])('sends no further request after %i %s, until a person retries', async (status, code, kind) => {
    await follow(() => refusal(status, code))
    expect(last()).toMatchObject({ problem: { kind }, retryAt: undefined })
    await vi.advanceTimersByTimeAsync(3_600_000)
    expect(paths()).toEqual(['/events'])
    answers.set('/events', () => openStream(eventText('snapshot', snapshot)).response)
    following.retry()
    await vi.advanceTimersByTimeAsync(0)
    expect(last()).toMatchObject({ connection: 'live', problem: undefined })
  })

  it('comes back when the service that restarts has said so', async () => {
    const stream = openStream(eventText('snapshot', snapshot))
    await follow(() => stream.response)
    stream.send(eventText('bye', { code: 'draining', retry_after: 3 }))
    await vi.advanceTimersByTimeAsync(2_900)
    expect(paths()).toHaveLength(1)
    answers.set('/events', () => openStream(eventText('snapshot', snapshot)).response)
    await vi.advanceTimersByTimeAsync(200)
    expect(last()?.connection).toBe('live')
  })

  it('requests the reason at once when the service ends the stream of an ended session', async () => {
    const stream = openStream(eventText('snapshot', snapshot))
    await follow(() => stream.response)
    answers.set('/events', () => refusal(401, 'invalid_token'))
    stream.send(eventText('bye', { code: 'invalid_token', retry_after: 30 }))
    await vi.advanceTimersByTimeAsync(0)
    expect(last()).toMatchObject({ problem: { kind: 'session-over' }, connection: 'lost' })
    expect(last()?.state?.activities.size).toBe(1)
  })

  it('sends no request after it was stopped', async () => {
    await follow(() => Promise.reject(new TypeError('Failed to fetch')))
    following.stop()
    await vi.advanceTimersByTimeAsync(120_000)
    expect(paths()).toHaveLength(1)
  })
})

import { describe, expect, it } from 'vitest'
import { boundedSender, createReadingLimit } from '../../../src/service/github/callers/bounded-sender.ts'
import { createCallBudget } from '../../../src/service/github/callers/call-budget-store.ts'
import type { GithubResponse } from '../../../src/service/github/github-response.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const db = await openTestDatabase()

const route = { route: 'GET /repos/{owner}/{repo}/pulls', parameters: {} }
const answer = (status = 200): GithubResponse => ({ kind: 'response', status, headers: {}, body: [] })

/** Answers the first call at once. */
function afterTheFirst(respond: () => Promise<GithubResponse>): () => Promise<GithubResponse> {
  let calls = 0
  return async () => (calls++ === 0 ? answer() : await respond())
}

interface Scene {
  account?: bigint | null
  remaining?: number | null
  respond?: () => Promise<GithubResponse>
  limit?: ReturnType<typeof createReadingLimit>
  signal?: AbortSignal
}

let accounts = 0n

/** The requests of one reading, in flight and sent. */
async function setUp({ account, remaining = null, respond = async () => answer(), limit, signal }: Scene = {}) {
  const calls = { sent: 0, running: 0, most: 0 }
  const id = account === undefined ? ++accounts : account
  const now = { value: new Date('2026-11-20T09:30:00Z') }
  const start = () =>
    boundedSender(
      {
        keyOf: (token: string) => `key of ${token}`,
        limit: limit ?? createReadingLimit(),
        budget: createCallBudget({ db, tokens: 10, now: () => now.value }),
        accounts: { loadAccount: async () => {}, accountOf: () => (id === null ? null : { id, login: 'alice' }) },
        rateLimits: { note() {}, remaining: () => (remaining === null ? null : remaining - calls.sent) },
        async send() {
          calls.sent++
          calls.most = Math.max(calls.most, ++calls.running)
          return await respond().finally(() => calls.running--)
        },
      },
      { token: `t${id}`, repositoryId: accounts, signal: signal ?? new AbortController().signal },
    )
  const { sendCounted, sendUncounted } = await start()
  return { calls, now, start, send: () => sendCounted(route), sendUncounted: () => sendUncounted(route) }
}

describe('the requests of a reading', () => {
  it('are at most 100 in an hour for an account, over several readings and instances', async () => {
    const { calls, now, start, send } = await setUp()
    for (let n = 0; n < 60; n++) await send()
    const again = await start()
    for (let n = 60; n < 100; n++) await again.sendCounted(route)
    await expect(send()).rejects.toMatchObject({ name: 'ReadingCut', reason: 'calls' })
    expect(calls.sent).toBe(100)
    now.value = new Date(now.value.getTime() + 3_600_000)
    await send()
    expect(calls.sent).toBe(101)
  })

  it('take exactly what is left of the hour when several instances begin and use it at once', async () => {
    const now = new Date()
    const account = ++accounts
    // Each is another instance.
    const budgetAt = (at: Date) => createCallBudget({ db, tokens: 10, now: () => at })
    const take = (at: Date) =>
      Promise.all(Array.from({ length: 120 }, () => budgetAt(at).takeCall({ id: account, login: 'alice' }, 'key')))
    expect((await take(now)).filter(Boolean)).toHaveLength(100)
    expect((await take(new Date(now.getTime() + 3_600_000))).filter(Boolean)).toHaveLength(100)
  })

  it('are counted for the token where its account is unknown', async () => {
    const { send, now } = await setUp({ account: null })
    const stored = () => db.prisma.callBudget.count()
    const before = await stored()
    for (let n = 0; n < 100; n++) await send()
    await expect(send()).rejects.toMatchObject({ reason: 'calls' })
    expect(await stored()).toBe(before)
    now.value = new Date(now.value.getTime() + 3_600_000)
    await send()
  })

  it('are not counted where that is said', async () => {
    const { send, sendUncounted } = await setUp()
    for (let n = 0; n < 100; n++) await send()
    await sendUncounted()
    await expect(send()).rejects.toMatchObject({ reason: 'calls' })
  })

  it.each([
    [10, 5],
    [11, 5],
    [1, 0],
    [0, 0],
  ])('take of %i calls that the token has left %i', async (remaining, expected) => {
    const { send, sendUncounted, calls } = await setUp({ remaining })
    for (let n = 0; n < expected; n++) await (n % 2 ? send() : sendUncounted())
    await expect(send()).rejects.toMatchObject({ reason: 'calls' })
    await expect(sendUncounted()).rejects.toMatchObject({ reason: 'calls' })
    expect(calls.sent).toBe(expected)
  })

  it('run at most 4 at the same time, and 8 of all readings', async () => {
    let release = () => {}
    const held = new Promise<GithubResponse>((resolve) => {
      release = () => resolve(answer())
    })
    const limit = createReadingLimit()
    const readings = await Promise.all([1, 2, 3].map(() => setUp({ limit, respond: afterTheFirst(() => held) })))
    for (const { send } of readings) await send()
    const pending = readings.flatMap(({ send }) => Array.from({ length: 6 }, send))
    await expect.poll(() => readings.reduce((sum, { calls }) => sum + calls.running, 0)).toBe(8)
    release()
    await Promise.all(pending)
    expect(readings.map(({ calls }) => calls.most <= 4)).toEqual([true, true, true])
    expect(readings.map(({ calls }) => calls.sent)).toEqual([7, 7, 7])
  })

  it('end when the token may not be used any longer, also those that wait for their turn', async () => {
    const ending = new AbortController()
    const never = new Promise<GithubResponse>(() => {})
    const { send, calls } = await setUp({ signal: ending.signal, respond: afterTheFirst(() => never) })
    await send()
    const waiting = Array.from({ length: 6 }, send).slice(4)
    await expect.poll(() => calls.running).toBe(4)
    ending.abort()
    for (const one of waiting) await expect(one).rejects.toMatchObject({ reason: 'time' })
    await expect(send()).rejects.toMatchObject({ reason: 'time' })
    expect(calls.sent).toBe(5)
  })

  it('are sent one at a time until a response says how much the token has left', async () => {
    const responses: ((response: GithubResponse) => void)[] = []
    const { send, calls } = await setUp({ respond: () => new Promise((resolve) => responses.push(resolve)) })
    const pending = Array.from({ length: 5 }, send)
    await expect.poll(() => responses.length).toBe(1)
    responses[0]?.({ kind: 'failure', reason: 'away' })
    await pending[0]
    await expect.poll(() => responses.length).toBe(2)
    expect(calls.running).toBe(1)
    responses[1]?.(answer())
    await expect.poll(() => calls.running).toBe(3)
    for (const respond of responses) respond(answer())
    await Promise.all(pending)
  })

  it.each([
    ['a 401', answer(401), 'refused'],
    ['a 429', answer(429), 'calls'],
  ])('end with %s, which is about the token', async (_, response, reason) => {
    const { send } = await setUp({ respond: async () => response })
    await expect(send()).rejects.toMatchObject({ reason })
  })
})

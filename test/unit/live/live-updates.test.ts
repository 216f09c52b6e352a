import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Activity } from '../../../src/activity/schema.ts'
import { createLiveUpdates } from '../../../src/live/live-updates.ts'
import type { LiveSource } from '../../../src/live/watched-repository.ts'
import { silentLog } from '../../support/log.ts'

type Deps = Parameters<typeof createLiveUpdates>[0]

const emptySource: LiveSource = {
  load: async () => ({ activities: [], notables: [], covered: [], truncated: false }),
  find: async () => ({ activities: [], notables: [] }),
  viewsOf: async () => new Map(),
}

it('after changes that could be applied only in part, a stream begins with a snapshot instead of lacking some', async () => {
  const at = new Date('2026-11-20T09:30:00Z').toISOString()
  const activity = { id: 'act_1', status: 'active', began_at: at, expires_at: '2099-01-01T00:00:00Z', covered_by: null }
  let [txid, failures] = [1, 0]
  const change = { repository_id: 1n, kind: 'activity', record_id: 'act_1', delay_ms: 1 }
  const db = {
    query: async () => ({
      rows: [{ epoch: 'e', txid: String(txid), ...(txid > 1 ? change : { repository_id: null }) }],
    }),
  } as unknown as Deps['db']
  const source: LiveSource = {
    load: async () => ({ activities: [], notables: [], covered: [], truncated: false }),
    find: async () => ({ activities: [activity as unknown as Activity], notables: [] }),
    async viewsOf() {
      failures++
      if (failures === 1) throw new Error('The database is busy.')
      return new Map()
    },
  }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => new Date(at), pollMs: 60_000 })
  const watch = await updates.watch({ repositoryId: 1n, seesObservedWork: false }, source)
  const received: unknown[] = []
  watch?.listen((batch) => received.push(batch))
  txid = 2
  await watch?.catchUp()
  expect(received).toEqual([])
  await watch?.catchUp()
  expect(received).toEqual(['reset'])
  await updates.stop()
})

describe('the polls of the change log', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A database whose change log is read in `takesMs`, and when it was read. */
  function changeLog({ takesMs = 0, changes = [] }: { takesMs?: number; changes?: object[] } = {}) {
    const begun = performance.now()
    const polls: { at: number; repositories: unknown }[] = []
    const query = async (_text: string, values?: unknown[]) => {
      const end = { epoch: 'e', txid: '1', repository_id: null }
      if (!values) return { rows: [end] }
      polls.push({ at: performance.now() - begun, repositories: values[1] })
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs))
      return { rows: changes.length > 0 ? changes.map((change) => ({ ...end, ...change })) : [end] }
    }
    return { db: { query } as unknown as Deps['db'], polls }
  }

  const deps = { log: silentLog, now: () => new Date(0) }
  const watchOf = (repositoryId: bigint) => ({ repositoryId, seesObservedWork: false })

  // The shortest timer of Node takes 1 ms.
  it.each([
    { takesMs: 400, beginAt: [1_000, 2_000, 3_000, 4_000] },
    { takesMs: 1_500, beginAt: [1_000, 2_501, 4_002] },
  ])('begin one second apart, or when the one before ends, if each takes $takesMs ms', async ({ takesMs, beginAt }) => {
    const { db, polls } = changeLog({ takesMs })
    const updates = createLiveUpdates({ ...deps, db })
    await updates.watch(watchOf(1n), emptySource)
    await vi.advanceTimersByTimeAsync(beginAt.at(-1) ?? 0)
    expect(polls.map(({ at }) => at)).toEqual(beginAt)
    await Promise.all([updates.stop(), vi.runAllTimersAsync()])
  })

  it('read it once for all watched repositories, and not at all while nobody watches', async () => {
    const { db, polls } = changeLog()
    const updates = createLiveUpdates({ ...deps, db, lingerMs: 5_000 })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(polls).toEqual([])
    const watches = [await updates.watch(watchOf(1n), emptySource), await updates.watch(watchOf(2n), emptySource)]
    await vi.advanceTimersByTimeAsync(2_000)
    expect(polls.map(({ repositories }) => repositories)).toEqual([
      [1n, 2n],
      [1n, 2n],
    ])
    for (const watch of watches) watch?.stop()
    await vi.advanceTimersByTimeAsync(10_000)
    expect(updates.watched()).toBe(0)
    const count = polls.length
    await vi.advanceTimersByTimeAsync(60_000)
    expect(polls).toHaveLength(count)
    await updates.stop()
  })

  it('read it again for requests that come during a reading, once for all that wait', async () => {
    const { db, polls } = changeLog({ takesMs: 400 })
    const updates = createLiveUpdates({ ...deps, db })
    const watch = await updates.watch(watchOf(1n), emptySource)
    const requests = [watch?.catchUp()]
    await vi.advanceTimersByTimeAsync(200)
    // Changes that were committed meanwhile are not in the first reading.
    requests.push(watch?.catchUp(), watch?.catchUp())
    await vi.advanceTimersByTimeAsync(700)
    expect(polls.map(({ at }) => at)).toEqual([0, 400])
    await Promise.all([...requests, updates.stop(), vi.runAllTimersAsync()])
  })

  it('say how long after its write a change was sent, with the time of the comparison', async () => {
    const change = { repository_id: 1n, kind: 'activity', record_id: 'act_1', delay_ms: 700 }
    const { db } = changeLog({ changes: [change] })
    const events: unknown[] = []
    const source: LiveSource = {
      ...emptySource,
      async find() {
        await new Promise((resolve) => setTimeout(resolve, 300))
        return { activities: [], notables: [] }
      },
    }
    const updates = createLiveUpdates({ ...deps, db, emit: (event) => events.push(event) })
    await updates.watch(watchOf(1n), source)
    await vi.advanceTimersByTimeAsync(1_300)
    expect(events).toEqual([{ kind: 'change_delivered', ms: 1_000 }])
    await Promise.all([updates.stop(), vi.runAllTimersAsync()])
  })
})

it('beyond the most repositories none is watched, until one is no longer', async () => {
  const db = {
    query: async () => ({ rows: [{ epoch: 'e', txid: '1', repository_id: null }] }),
  } as unknown as Deps['db']
  const updates = createLiveUpdates({ db, log: silentLog, now: () => new Date(0), mostRepositories: 1 })
  const watch = (repositoryId: bigint) => updates.watch({ repositoryId, seesObservedWork: false }, emptySource)
  const first = await watch(1n)
  expect(await watch(2n)).toBeUndefined()
  const second = await watch(1n)
  for (const one of [first, second]) one?.stop()
  expect(await watch(2n)).toBeDefined()
  await updates.stop()
})

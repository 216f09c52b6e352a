import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Activity } from '../../../src/core/schemas/activity.ts'
import type { Notable } from '../../../src/core/schemas/notable.ts'
import type { Batch } from '../../../src/service/live/event-batch.ts'
import type { LiveSource } from '../../../src/service/live/live-source.ts'
import { createLiveUpdates } from '../../../src/service/live/live-updates.ts'
import type { LiveCheck } from '../../../src/service/live/pair-table.ts'
import { silentLog } from '../../support/log.ts'
import { activity, eachBy, pageOf, start } from './records.ts'

type Deps = Parameters<typeof createLiveUpdates>[0]

async function* nothing() {}

const emptySource: LiveSource = {
  activities: () => pageOf<Activity>(),
  notables: () => pageOf<Notable>(),
  find: nothing,
  checksOf: async () => new Map(),
}

/** A database whose log has a change of this kind in each repository after each call of `change`. */
function databaseOf(kind: 'activity' | 'repository' = 'activity') {
  let xmax = 1
  const query = async (_text: string, values: [bigint[], string[]]) => {
    const [ids, snapshots] = values
    const end = { epoch: 'e', snapshot: `${xmax}:${xmax}:`, is_kept: true, n: null, kind: null }
    const change = { ...end, kind, record_id: kind === 'activity' ? 'act_1' : '', delay_ms: 1 }
    const rows = ids.map((_, at) => ({ ...(snapshots[at] === end.snapshot ? end : change), n: at + 1 }))
    return { rows: rows.length > 0 ? rows : [end] }
  }
  return {
    db: { query } as unknown as Deps['db'],
    change: () => {
      xmax++
    },
  }
}

async function* found(...activities: Activity[]) {
  yield { activities, notables: [] }
}

const pairOf = (other: string): LiveCheck => ({
  collisions: [
    {
      ...{ activity_id: other, severity: 'high', areas: [], issues: [], example_path: 'a.ts', reason: '' },
      ...{ lines: null, their_lines: null },
    },
  ],
  ...{ nearby: [], isCut: false, byStranger: false, changedAt: start },
})

const changed = activity('act_1', { title: 'changed' })
const namesOf = (received: (Batch | 'reset')[]) =>
  received.map((batch) => (batch === 'reset' ? batch : batch.events.map(({ event }) => event).join()))

it('after changes that could be applied only in part, a stream begins with a snapshot instead of lacking some', async () => {
  const { db, change } = databaseOf()
  let failures = 0
  const source: LiveSource = {
    ...emptySource,
    find() {
      failures++
      if (failures === 1) throw new Error('The database is busy.')
      return found(changed)
    },
  }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => start, pollMs: 60_000 })
  const watch = await updates.watch({ repositoryId: 1n, seesObservedWork: false }, source)
  const received: (Batch | 'reset')[] = []
  watch?.listen((batch) => received.push(batch))
  change()
  await watch?.catchUp(5_000)
  expect(received).toEqual([])
  await watch?.catchUp(5_000)
  expect(namesOf(received)).toEqual(['reset'])
  await updates.stop()
})

it('where the whole repository changed, a stream gets a snapshot, and all is compared anew', async () => {
  const { db, change } = databaseOf('repository')
  let compared = 0
  const source: LiveSource = {
    ...emptySource,
    activities: () => pageOf(activity('act_1'), activity('act_2')),
    checksOf: eachBy((id) => {
      compared++
      return pairOf(id === 'act_1' ? 'act_2' : 'act_1')
    }),
  }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => start, pollMs: 60_000 })
  const watch = await updates.watch({ repositoryId: 1n, seesObservedWork: false }, source)
  await watch?.catchUp(5_000)
  expect(compared).toBe(2)
  const received: (Batch | 'reset')[] = []
  watch?.listen((batch) => received.push(batch))
  change()
  await watch?.catchUp(5_000)
  expect(namesOf(received)).toEqual(['reset'])
  expect(compared).toBe(4)
  await updates.stop()
})

it('a failed comparison loses no change, and is made later', async () => {
  const { db, change } = databaseOf()
  let failures = 0
  const checks = eachBy((id) => pairOf(id === 'act_1' ? 'act_2' : 'act_1'))
  const source: LiveSource = {
    ...emptySource,
    activities: () => pageOf(activity('act_2')),
    find: () => found(changed),
    async checksOf(ids, now) {
      if (ids.includes('act_1') && failures++ === 0) throw new Error('The database is busy.')
      return await checks(ids, now)
    },
  }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => start, pollMs: 60_000 })
  const watch = await updates.watch({ repositoryId: 1n, seesObservedWork: false }, source)
  await watch?.catchUp(5_000)
  const received: (Batch | 'reset')[] = []
  watch?.listen((batch) => received.push(batch))
  change()
  await watch?.catchUp(5_000)
  expect(namesOf(received)).toEqual(['activity,collisions'])
  expect(watch?.collisions()).toMatchObject({ items: [], collisions_complete: false })
  await watch?.catchUp(5_000)
  expect(namesOf(received)).toEqual(['activity,collisions', 'collision,collisions'])
  expect(watch?.collisions()).toMatchObject({ items: [{}], collisions_complete: true })
  await updates.stop()
})

it('the comparisons of one repository delay no other', async () => {
  const { db, change } = databaseOf()
  let release = () => {}
  const released = new Promise<Map<string, () => Promise<LiveCheck>>>((resolve) => {
    release = () => resolve(new Map())
  })
  const endless: LiveSource = {
    ...emptySource,
    activities: () => pageOf(activity('act_1'), activity('act_2')),
    find: () => found(changed),
    checksOf: () => released,
  }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => start, pollMs: 10 })
  const slow = await updates.watch({ repositoryId: 1n, seesObservedWork: false }, endless)
  const quick = await updates.watch(
    { repositoryId: 2n, seesObservedWork: false },
    { ...emptySource, find: endless.find },
  )
  const received: (Batch | 'reset')[] = []
  quick?.listen((batch) => received.push(batch))
  change()
  await expect.poll(() => namesOf(received)).toEqual(['activity'])
  await slow?.catchUp(10)
  expect(slow?.collisions()).toEqual({ items: [], truncated: false, collisions_complete: false })
  release()
  await updates.stop()
})

it('clients that began before all was compared learn when it is, and from then on only of what changes', async () => {
  const { db, change } = databaseOf()
  const checks = eachBy((id) => pairOf(id === 'act_1' ? 'act_2' : 'act_1'))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const source: LiveSource = {
    ...emptySource,
    activities: () => pageOf(activity('act_2'), activity('act_1')),
    find: () => found(changed),
    checksOf: async (ids, now) => {
      await released
      return await checks(ids, now)
    },
  }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => start, pollMs: 60_000 })
  const watch = await updates.watch({ repositoryId: 1n, seesObservedWork: false }, source)
  const received: (Batch | 'reset')[] = []
  await watch?.catchUp(10)
  watch?.listen((batch) => received.push(batch))
  expect(String(watch?.snapshotBody(undefined))).toContain('"collisions":[],"collisions_complete":false')
  release()
  await watch?.catchUp(5_000)
  expect(namesOf(received)).toEqual(['collision,collisions'])
  expect(String(watch?.snapshotBody(undefined))).toContain('"collisions_complete":true')
  change()
  await watch?.catchUp(5_000)
  expect(namesOf(received).slice(1)).toEqual(['activity'])
  await updates.stop()
})

it('all watched repositories share the bytes that they may hold, and each has 1 MiB in any case', async () => {
  const { db } = databaseOf()
  const large = (n: number) => activity(`act_${n}`, { summary: 'x'.repeat(20_000) })
  const source = { ...emptySource, activities: () => pageOf(...Array.from({ length: 500 }, (_, n) => large(n))) }
  const updates = createLiveUpdates({ db, log: silentLog, now: () => start, mostBytes: 8 * 1024 * 1024 })
  const watch = async (repositoryId: bigint) => {
    await updates.watch({ repositoryId, seesObservedWork: false }, source)
    return updates.bytes()
  }
  expect(await watch(1n)).toBeGreaterThan(2.9 * 1024 * 1024)
  for (let id = 2n; id <= 4n; id++) await watch(id)
  expect(updates.bytes()).toBeLessThan(8 * 1024 * 1024)
  const before = updates.bytes()
  for (let id = 5n; id <= 20n; id++) await watch(id)
  expect(updates.bytes() - before).toBeGreaterThan(16 * 0.3 * 1024 * 1024)
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
    const query = async (_text: string, [ids]: [bigint[]]) => {
      const end = { epoch: 'e', snapshot: '1:1:', is_kept: true, n: null, kind: null }
      if (ids.length === 0) return { rows: [end] }
      polls.push({ at: performance.now() - begun, repositories: ids })
      if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs))
      return { rows: ids.map((_, at) => ({ ...end, ...changes[at], n: at + 1 })) }
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
    const requests = [watch?.catchUp(5_000)]
    await vi.advanceTimersByTimeAsync(200)
    // Changes that were committed meanwhile are not in the first reading.
    requests.push(watch?.catchUp(5_000), watch?.catchUp(5_000))
    await vi.advanceTimersByTimeAsync(700)
    expect(polls.map(({ at }) => at)).toEqual([0, 400])
    await Promise.all([...requests, updates.stop(), vi.runAllTimersAsync()])
  })

  it('say how long after its write a change was sent, with the time of the comparison', async () => {
    const change = { kind: 'activity', record_id: 'act_1', delay_ms: 700 }
    const { db } = changeLog({ changes: [change] })
    const events: unknown[] = []
    const source: LiveSource = {
      ...emptySource,
      async *find() {
        await new Promise((resolve) => setTimeout(resolve, 300))
        yield* found()
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
    query: async () => ({ rows: [{ epoch: 'e', snapshot: '1:1:', is_kept: true, n: null, kind: null }] }),
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

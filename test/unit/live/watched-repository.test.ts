import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { Activity } from '../../../src/core/schemas/activity.ts'
import type { CollidingPair } from '../../../src/core/schemas/live.ts'
import type { LiveEvent } from '../../../src/core/schemas/live-event.ts'
import type { Notable } from '../../../src/core/schemas/notable.ts'
import { createBatch, formatEvents } from '../../../src/service/live/event-batch.ts'
import type { LiveSource } from '../../../src/service/live/live-source.ts'
import { createWatchedRepository } from '../../../src/service/live/watched-repository.ts'
import { activity, eachBy, later, notable, pageOf, pair, start } from './records.ts'

const activityChange = (id: string) => ({ kind: 'activity' as const, id })

/** A repository in memory: what is stored, and which pairs collide. */
function repository(stored: Activity[], { notables = [], mostBytes = 16 * 1024 * 1024 }: RepositoryOptions = {}) {
  const records = new Map(stored.map((one) => [one.id, one]))
  const pairs: CollidingPair[] = []
  const source: LiveSource = {
    activities: () => pageOf(...[...records.values()].sort((a, b) => (a.id < b.id ? 1 : -1))),
    notables: () => pageOf(...notables),
    find: ({ activities: ids }) => pageOfFound(ids.flatMap((id) => records.get(id) ?? [])),
    checksOf: eachBy((id) => ({
      collisions: pairs.flatMap(({ activity_ids: [a = '', b = ''], ...facts }) => {
        const other = id === a ? b : id === b ? a : undefined
        return other === undefined ? [] : { ...facts, activity_id: other, their_lines: null }
      }),
      nearby: [],
      isCut: false,
      byStranger: false,
      changedAt: start,
    })),
  }
  const watched = createWatchedRepository(source, () => mostBytes)
  return {
    records,
    pairs,
    watched,
    load: async () => {
      await watched.load(start)
      await watched.compare(start, 1_000)
    },
    /** Applies a change of `a`, and compares. */
    async apply(changes = [activityChange('a')], now = start) {
      const applied = (await watched.apply(changes, now)) ?? []
      return [...applied, ...(await watched.compare(now, 1_000))]
    },
    snapshot: (activityId?: string) => Snapshot.parse(JSON.parse(`{${watched.snapshotBody(activityId)}`)),
  }
}

interface RepositoryOptions {
  notables?: Notable[]
  mostBytes?: number
}

async function* pageOfFound(activities: Activity[]) {
  yield { activities, notables: [] }
}

const records = z.array(z.looseObject({ id: z.string() }))
const Snapshot = z.strictObject({
  ...{ activities: records, notables: records, collisions: z.array(z.unknown()), collisions_complete: z.boolean() },
  truncated: z.strictObject({
    ...{ activities: z.boolean(), notables: z.boolean(), collisions: z.boolean(), scopes: z.boolean() },
  }),
})

const nothingCut = { activities: false, notables: false, collisions: false, scopes: false }
const idsOf = (items: readonly { id: string }[]) => items.map(({ id }) => id)

describe('a watched repository', () => {
  it('sends a changed record once, however often it is named', async () => {
    const { records, load, apply } = repository([activity('a')])
    await load()
    records.set('a', activity('a', { title: 'b' }))
    expect(await apply()).toMatchObject([{ event: 'activity', data: { title: 'b' } }])
    expect(await apply()).toEqual([])
  })

  it('does not end work whose heartbeat came in time', async () => {
    const { records, load, apply } = repository([activity('a', { expires_at: later(1000).toISOString() })])
    await load()
    records.set('a', activity('a', { expires_at: later(9000).toISOString() }))
    expect(await apply([], later(2000))).toEqual([])
  })

  it('reports a new pair, a worse one, and an ended one, each once', async () => {
    const { pairs, records, load, apply, snapshot } = repository([activity('a'), activity('b')])
    await load()
    pairs.push(pair('b', 'a'))
    records.set('a', activity('a', { title: '1' }))
    expect(await apply()).toMatchObject([{ event: 'activity' }, { event: 'collision', data: { severity: 'medium' } }])
    records.set('a', activity('a', { title: '2' }))
    expect(await apply()).toMatchObject([{ event: 'activity' }])
    pairs[0] = pair('b', 'a', { severity: 'high' })
    records.set('a', activity('a', { title: '3' }))
    expect(await apply()).toMatchObject([{ event: 'activity' }, { event: 'collision', data: { severity: 'high' } }])
    pairs.length = 0
    records.set('a', activity('a', { status: 'abandoned' }))
    expect(await apply()).toMatchObject([{ event: 'activity' }, { event: 'collision', data: { gone: true } }])
    expect(snapshot()).toMatchObject({ activities: [{ id: 'b' }], collisions: [], collisions_complete: true })
  })

  it('hides observed work while a recorded activity covers it, and shows it again when that one ends', async () => {
    const observed = activity('o', { source: 'pull_request' })
    const { records, load, apply, snapshot } = repository([observed, activity('a')])
    await load()
    records.set('o', { ...observed, covered_by: 'a' })
    const covered = await apply([activityChange('o')])
    expect(covered).toMatchObject([{ event: 'activity', data: { id: 'o', covered_by: 'a' } }])
    expect(idsOf(snapshot().activities)).toEqual(['a'])
    records.set('a', activity('a', { status: 'abandoned' }))
    records.set('o', observed)
    const shown = await apply([activityChange('a'), activityChange('o')])
    expect(shown).toMatchObject([{ data: { id: 'a' } }, { data: { id: 'o', covered_by: null } }])
    expect(idsOf(snapshot().activities)).toEqual(['o'])
  })

  it('compares work anew that is named although nothing of its record changed, as where its commits did', async () => {
    const { pairs, load, apply } = repository([activity('a'), activity('b')])
    await load()
    pairs.push(pair('b', 'a'))
    expect(await apply()).toMatchObject([{ event: 'collision', data: { activity_ids: ['b', 'a'] } }])
  })

  it('leaves out a record that can no longer be seen, and its pairs', async () => {
    const { pairs, records, load, apply, snapshot } = repository([activity('a'), activity('b')])
    pairs.push(pair('b', 'a'))
    await load()
    records.delete('a')
    pairs.length = 0
    expect(await apply()).toMatchObject([{ event: 'collision', data: { gone: true } }])
    expect(idsOf(snapshot().activities)).toEqual(['b'])
  })
})

describe('what is known of the pairs', () => {
  it('is not complete until all live work is compared, whatever else is known', async () => {
    const { records, load, watched, snapshot } = repository([activity('a')])
    await watched.load(start)
    expect(snapshot()).toMatchObject({ collisions: [], collisions_complete: false })
    await load()
    expect(snapshot()).toMatchObject({ collisions: [], collisions_complete: true, truncated: nothingCut })
    records.set('b', activity('b'))
    await watched.apply([activityChange('b')], start)
    expect(watched.collisions()).toEqual({ items: [], truncated: false, collisions_complete: false })
    await watched.compare(start, 1_000)
    expect(watched.collisions()).toEqual({ items: [], truncated: false, collisions_complete: true })
  })

  it('is not complete where more is live than is watched', async () => {
    const many = Array.from({ length: 2_001 }, (_, n) => activity(`a${String(n).padStart(4, '0')}`))
    const { load, snapshot, watched } = repository(many)
    await load()
    const { activities, ...rest } = snapshot()
    expect(idsOf(activities).slice(0, 2)).toEqual(['a2000', 'a1999'])
    expect(activities).toHaveLength(500)
    expect(rest).toMatchObject({ collisions_complete: false, truncated: { ...nothingCut, activities: true } })
    expect(watched.isCompared()).toBe(true)
  })
})

describe('what is held of large records', () => {
  const path = (n: number) => `src/${'x'.repeat(900)}/${n}.ts`
  const large = (id: string) =>
    activity(id, { scope: { areas: [], paths: Array.from({ length: 100 }, (_, n) => path(n)) } })
  const ids = Array.from({ length: 200 }, (_, n) => `a${String(n).padStart(3, '0')}`)

  it('is bounded in bytes, by leaving out the oldest', async () => {
    const { load, watched, snapshot } = repository(ids.map(large), { mostBytes: 1024 * 1024 })
    await load()
    expect(watched.bytes()).toBeGreaterThan(256 * 1024)
    expect(watched.bytes()).toBeLessThan(1024 * 1024)
    const { activities, truncated } = snapshot()
    expect(activities[0]).toMatchObject({ id: 'a199', scope_total: 100 })
    expect(activities[0]?.scope).toMatchObject({ paths: Array.from({ length: 20 }, (_, n) => path(n)) })
    expect(truncated).toEqual({ ...nothingCut, activities: true, scopes: true })
  })

  it('is bounded in bytes when records are added, and the pairs of those left out are over', async () => {
    const { load, watched, records, pairs, apply } = repository([activity('a'), activity('b')], {
      mostBytes: 1024 * 1024,
    })
    pairs.push(pair('b', 'a'))
    await load()
    for (const id of ids) records.set(id, large(id))
    const events = await apply(ids.map(activityChange))
    expect(events).toMatchObject([{ event: 'collision', data: { activity_ids: ['b', 'a'], gone: true } }])
    expect(watched.bytes()).toBeLessThan(1024 * 1024)
    expect(watched.isComplete()).toBe(false)
  })

  it('is read again once there is room, though not at once', async () => {
    const { load, watched, records, apply } = repository(ids.map(large), { mostBytes: 1024 * 1024 })
    await load()
    for (const id of ids) records.set(id, { ...large(id), status: 'abandoned' })
    await apply(ids.map(activityChange))
    expect(watched.needsLoad(later(59_000))).toBe(false)
    expect(watched.needsLoad(later(60_000))).toBe(true)
  })

  it('is sent in a snapshot of 1 MiB at most, in which each kind has its share', async () => {
    const notables = ids.map((id) => ({ ...notable(`n${id}`), scope: large('x').scope }))
    const { load, watched, pairs, snapshot } = repository(ids.map(large), { notables })
    for (const id of ids.slice(1)) pairs.push(pair(id, 'a000', { reason: 'x'.repeat(5_000) }))
    await load()
    expect(watched.snapshotBody(undefined).length).toBeLessThanOrEqual(1024 * 1024)
    const { activities, notables: known, collisions, truncated } = snapshot()
    expect(truncated).toEqual({ activities: true, notables: true, collisions: true, scopes: true })
    for (const list of [activities, known, collisions]) expect(list.length).toBeGreaterThan(10)
  })

  it('is one text for all streams, until something changes', async () => {
    const { load, watched, records, apply } = repository([activity('a')])
    await load()
    const text = watched.snapshotBody(undefined)
    expect(watched.snapshotBody(undefined)).toBe(text)
    records.set('a', activity('a', { title: 'b' }))
    await apply()
    expect(watched.snapshotBody(undefined)).not.toBe(text)
  })

  it('is not sent as events where these are larger than a snapshot', async () => {
    const { load, watched, records } = repository(ids.map((id) => activity(id)))
    await load()
    for (const id of ids) records.set(id, large(id))
    expect(await watched.apply(ids.map(activityChange), start)).toBeUndefined()
  })
})

describe('the events of a batch', () => {
  it('have the id only in the last one, so that a client that was cut off gets all of them again', () => {
    const text = formatEvents({
      id: 'e.7',
      events: [
        { event: 'activity', data: 1 },
        { event: 'alive', data: 2 },
      ],
    })
    expect(text).toBe('event: activity\ndata: 1\n\nevent: alive\nid: e.7\ndata: 2\n\n')
  })

  it('are narrowed to one activity and its pairs', () => {
    const all = { items: [pair('b', 'c'), pair('c', 'd')], truncated: true, collisions_complete: true }
    const own = { items: [pair('b', 'c')], truncated: false, collisions_complete: true }
    const events: LiveEvent[] = [
      { event: 'activity', data: activity('a') },
      { event: 'activity', data: activity('b') },
      { event: 'collision', data: pair('b', 'c') },
      { event: 'collisions', data: all },
      { event: 'alive', data: { items: [activity('a')] } },
    ]
    const batch = createBatch('e.1', events, () => own)
    const expected: LiveEvent[] = [
      { event: 'activity', data: activity('b') },
      { event: 'collision', data: pair('b', 'c') },
      { event: 'collisions', data: own },
    ]
    expect(String(batch.textFor('b')?.parts)).toBe(formatEvents({ id: 'e.1', events: expected }))
    expect(String(batch.textFor(undefined)?.parts)).toBe(formatEvents({ id: 'e.1', events }))
  })

  it('are one text for all streams that show the same', () => {
    const batch = createBatch('e.1', [{ event: 'activity', data: activity('a') }], () => {
      throw new Error('There are no collisions.')
    })
    expect(batch.textFor('a')).toBe(batch.textFor('a'))
    expect(batch.textFor(undefined)).toBe(batch.textFor(undefined))
    expect(batch.textFor('b')).toBeUndefined()
  })
})

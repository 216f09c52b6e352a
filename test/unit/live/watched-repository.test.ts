import { describe, expect, it, vi } from 'vitest'
import type { Activity } from '../../../src/activity/schema.ts'
import { type Batch, formatEvents, narrowed } from '../../../src/live/live-event.ts'
import { collisionsOf, createPairTable, type ReadViews, type View } from '../../../src/live/pair-table.ts'
import type { CollidingPair } from '../../../src/live/schema.ts'
import { createWatchedRepository, type LiveSource } from '../../../src/live/watched-repository.ts'

const start = new Date('2026-11-20T09:30:00Z')
const later = (ms: number) => new Date(start.getTime() + ms)
const position = (txid: number) => ({ epoch: 'e', txid: String(txid) })
const activityChange = (id: string) => ({ repositoryId: 1n, kind: 'activity' as const, id })

function activity(id: string, changes: Partial<Activity> = {}): Activity {
  return {
    id,
    type: 'activity',
    title: id,
    summary: 'x',
    actor: 'alice',
    agent: null,
    status: 'active',
    risk: 'low',
    branch: id,
    base_branch: null,
    scope: { areas: [], paths: [] },
    pr_url: null,
    draft_pr: false,
    blocking: false,
    heartbeat_at: null,
    expires_at: later(3_600_000).toISOString(),
    created_at: start.toISOString(),
    updated_at: start.toISOString(),
    archived_at: null,
    archived_reason: null,
    source: 'recorded',
    author_login: null,
    began_at: start.toISOString(),
    covered_by: null,
    changes: null,
    ...changes,
  }
}

function pair(a: string, b: string, changes: Partial<CollidingPair> = {}): CollidingPair {
  return {
    activity_ids: [a, b],
    severity: 'medium',
    areas: [],
    example_path: 'src/a.ts',
    lines: null,
    reason: '',
    since: start.toISOString(),
    ...changes,
  }
}

/** Compares each activity by itself. */
function eachBy(viewOf: (id: string) => View): ReadViews {
  return async (ids) => new Map(ids.map((id) => [id, async () => viewOf(id)]))
}

/** A repository in memory: what is stored, and which pairs collide. */
function repository(...stored: Activity[]) {
  const records = new Map(stored.map((one) => [one.id, one]))
  const pairs: CollidingPair[] = []
  const source: LiveSource = {
    load: async () => ({ activities: [...records.values()], notables: [], covered: [], truncated: false }),
    find: async ({ activities }) => ({ activities: activities.flatMap((id) => records.get(id) ?? []), notables: [] }),
    viewsOf: eachBy((id) => ({
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
  return { records, pairs, watched: createWatchedRepository(source) }
}

const eventsOf = ({ events }: Batch) => events.map(({ event, data }) => ({ event, data }))

describe('a watched repository', () => {
  it('sends a changed record once, however often it is named', async () => {
    const { records, watched } = repository(activity('a'))
    await watched.load(position(1), start)
    records.set('a', activity('a', { title: 'b' }))
    const first = await watched.apply([activityChange('a')], position(2), start)
    const second = await watched.apply([activityChange('a')], position(3), start)
    expect(eventsOf(first)).toMatchObject([{ event: 'activity', data: { title: 'b' } }])
    expect(second).toEqual({ id: 'e.3', events: [] })
  })

  it('does not end work whose heartbeat came in time', async () => {
    const { records, watched } = repository(activity('a', { expires_at: later(1000).toISOString() }))
    await watched.load(position(1), start)
    records.set('a', activity('a', { expires_at: later(9000).toISOString() }))
    expect((await watched.apply([], position(2), later(2000))).events).toEqual([])
  })

  it('reports a new pair, a worse one, and an ended one, each once', async () => {
    const { pairs, records, watched } = repository(activity('a'), activity('b'))
    await watched.load(position(1), start)
    const apply = async (txid: number) => eventsOf(await watched.apply([activityChange('a')], position(txid), start))
    pairs.push(pair('b', 'a'))
    records.set('a', activity('a', { title: '1' }))
    expect(await apply(2)).toMatchObject([{ event: 'activity' }, { event: 'collision', data: { severity: 'medium' } }])
    records.set('a', activity('a', { title: '2' }))
    expect(await apply(3)).toMatchObject([{ event: 'activity' }])
    pairs[0] = pair('b', 'a', { severity: 'high' })
    records.set('a', activity('a', { title: '3' }))
    expect(await apply(4)).toMatchObject([{ event: 'activity' }, { event: 'collision', data: { severity: 'high' } }])
    pairs.length = 0
    records.set('a', activity('a', { status: 'abandoned' }))
    expect(await apply(5)).toMatchObject([{ event: 'activity' }, { event: 'collision', data: { gone: true } }])
    expect(watched.snapshot()).toMatchObject({ activities: [{ id: 'b' }], collisions: { items: [] } })
  })

  it('hides observed work while a recorded activity covers it, and shows it again when that one ends', async () => {
    const observed = activity('o', { source: 'pull_request' })
    const { records, watched } = repository(observed, activity('a'))
    await watched.load(position(1), start)
    records.set('o', { ...observed, covered_by: 'a' })
    const covered = await watched.apply([activityChange('o')], position(2), start)
    expect(eventsOf(covered)).toMatchObject([{ event: 'activity', data: { id: 'o', covered_by: 'a' } }])
    expect(watched.snapshot().activities.map(({ id }) => id)).toEqual(['a'])
    records.set('a', activity('a', { status: 'abandoned' }))
    records.set('o', observed)
    const shown = await watched.apply([activityChange('a')], position(3), start)
    expect(eventsOf(shown)).toMatchObject([{ data: { id: 'a' } }, { data: { id: 'o', covered_by: null } }])
    expect(watched.snapshot().activities.map(({ id }) => id)).toEqual(['o'])
  })

  it('leaves out a record that can no longer be seen, and its pairs', async () => {
    const { pairs, records, watched } = repository(activity('a'), activity('b'))
    pairs.push(pair('b', 'a'))
    await watched.load(position(1), start)
    records.delete('a')
    pairs.length = 0
    expect(eventsOf(await watched.apply([activityChange('a')], position(2), start))).toMatchObject([
      { event: 'collision', data: { gone: true } },
    ])
    expect(watched.snapshot().activities.map(({ id }) => id)).toEqual(['b'])
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
    const batch: Batch = {
      id: 'e.1',
      events: [
        { event: 'activity', data: activity('a') },
        { event: 'activity', data: activity('b') },
        { event: 'collision', data: pair('b', 'c') },
        { event: 'collisions', data: { items: [pair('b', 'c'), pair('c', 'd')], truncated: false } },
        { event: 'alive', data: { items: [activity('a')] } },
      ],
    }
    expect(narrowed(batch, 'b').events).toEqual([
      { event: 'activity', data: activity('b') },
      { event: 'collision', data: pair('b', 'c') },
      { event: 'collisions', data: { items: [pair('b', 'c')], truncated: false } },
    ])
  })
})

describe('all pairs', () => {
  it('come worst first, then newest, and say where there are more than are listed', () => {
    const low = pair('a', 'b', { severity: 'low', since: later(9).toISOString() })
    const [older, newer] = [pair('c', 'd'), pair('e', 'f', { since: later(1).toISOString() })]
    expect(collisionsOf([low, older, newer], false).items).toEqual([newer, older, low])
    const many = Array.from({ length: 501 }, (_, n) => pair(`a${n}`, 'b'))
    expect(collisionsOf(many, false)).toMatchObject({ truncated: true, items: { length: 500 } })
  })
})

describe('the table of pairs', () => {
  const seen = (activity_id: string, changes: Partial<View['collisions'][number]> = {}) => ({
    ...{ activity_id, severity: 'medium' as const, areas: [], example_path: 'src/a.ts', reason: '' },
    ...{ lines: null, their_lines: null },
    ...changes,
  })
  const view = (collisions: View['collisions'], nearby: string[] = []): View => ({
    isCut: false,
    byStranger: false,
    collisions,
    nearby,
    changedAt: start,
  })

  /** Two activities, `b` newer than `a`, and what a check of each says. */
  function table(views: Map<string, View>) {
    const live = new Map(
      [activity('a'), activity('b', { began_at: later(1).toISOString() })].map((one) => [one.id, one]),
    )
    return { live, table: createPairTable({ live, viewsOf: eachBy((id) => views.get(id) ?? view([])) }) }
  }

  it('has a pair that only one of the two checks finds, and the worse severity of both', async () => {
    const views = new Map([
      ['a', view([seen('b', { severity: 'high', lines: [[1, 2]], their_lines: [[3, 4]] })])],
      ['b', view([seen('a', { severity: 'low' })])],
    ])
    const { table: pairs } = table(views)
    await pairs.load(start)
    expect(pairs.all(false).items).toMatchObject([{ activity_ids: ['b', 'a'], severity: 'high', lines: [[3, 4]] }])
    views.set('a', view([]))
    views.set('b', view([seen('a')]))
    await pairs.update(['a'], start)
    expect(pairs.all(false).items).toMatchObject([{ severity: 'medium' }])
  })

  it('looks again at work that is nearby: its own check may find a collision', async () => {
    const views = new Map([
      ['a', view([])],
      ['b', view([])],
    ])
    const { table: pairs } = table(views)
    await pairs.load(start)
    views.set('a', view([], ['b']))
    views.set('b', view([seen('a')]))
    expect(await pairs.update(['a'], start)).toMatchObject([{ activity_ids: ['b', 'a'] }])
  })

  it('continues in the next update where the time ran out', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `act_${String(n).padStart(2, '0')}`)
    const live = new Map(ids.map((id) => [id, activity(id)]))
    // Each collides with the next one of a pair; a comparison takes a second.
    const partner = (id: string) => ids[ids.indexOf(id) ^ 1] ?? ''
    let [time, looks] = [0, 0]
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
    const pairs = createPairTable({
      live,
      viewsOf: eachBy((id) => {
        time += 1000
        looks++
        return view([seen(partner(id))])
      }),
    })
    const told: string[] = []
    for (let poll = 0; poll < 60; poll++) {
      const news = await pairs.update(poll === 0 ? ids : [], start)
      told.push(...news.map(({ activity_ids }) => activity_ids.join()))
      if (poll === 0) expect(pairs.all(false).truncated).toBe(true)
    }
    clock.mockRestore()
    expect(told.sort()).toEqual(ids.filter((_, n) => n % 2 === 1).map((id) => `${id},${partner(id)}`))
    expect(pairs.all(false)).toMatchObject({ truncated: false })
    expect(looks).toBeLessThanOrEqual(80)
  })

  it('continues after loading where the time ran out', async () => {
    let time = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
    // Four are compared at least, so the fifth is late.
    const live = new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, activity(id)]))
    const pairs = createPairTable({
      live,
      viewsOf: eachBy((id) => {
        time += 6000
        return view(id === 'a' ? [seen('e')] : [])
      }),
    })
    await pairs.load(start)
    expect(pairs.all(false)).toEqual({ items: [], truncated: true })
    expect(await pairs.update([], start)).toMatchObject([{ activity_ids: ['e', 'a'] }])
    expect(pairs.all(false).truncated).toBe(false)
    clock.mockRestore()
  })

  it('reports a pair once, however often the text of its reason changes', async () => {
    const views = new Map([
      ['a', view([])],
      ['b', view([seen('a', { reason: '“x”' })])],
    ])
    const { table: pairs } = table(views)
    await pairs.load(start)
    views.set('b', view([seen('a', { reason: '“y”' })]))
    expect(await pairs.update(['b'], start)).toEqual([])
  })
})

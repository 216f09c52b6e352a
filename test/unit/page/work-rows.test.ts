import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { collisionList } from '../../../src/page/model/collisions.ts'
import {
  filterNames,
  isFiltered,
  matches,
  noFilters,
  readFilters,
  writeFilters,
} from '../../../src/page/model/filters.ts'
import { workRows } from '../../../src/page/model/work-rows.ts'
import { activity, pair } from './records.ts'

const map = <Item extends { id: string }>(...items: Item[]) => new Map(items.map((item) => [item.id, item]))
const old = activity({ id: 'act_1', began_at: '2026-11-20T12:00:00.000Z' })
const pull = activity({
  id: 'act_2',
  title: 'Limit the attempts',
  actor: 'carla',
  source: 'pull_request',
  status: 'ready-for-review',
  pr_url: 'https://github.com/acme/shop/pull/12',
  scope: { areas: [], paths: ['src/cart/total.ts'] },
})
const fresh = activity({ id: 'act_3', actor: 'Ben' })
const low = pair({ severity: 'low', activity_ids: ['act_2', 'act_1'] })

describe('the table', () => {
  it('has what collides first, worst first, then the newest', () => {
    const pairs = new Map([
      ['1', low],
      ['2', pair({ severity: 'medium', activity_ids: ['act_2', 'act_9'] })],
    ])
    const rows = workRows({ activities: map(old, fresh, pull), collisions: pairs })
    expect(rows.map(({ activity: { id }, severity, collisions }) => [id, severity, collisions])).toEqual([
      ['act_2', 'medium', 2],
      ['act_1', 'low', 1],
      ['act_3', undefined, 0],
    ])
  })

  it.each([
    [{ q: 'LIMIT attempts' }, ['act_2']],
    [{ q: '#12' }, ['act_2']],
    [{ q: 'nobody' }, []],
    [{ path: 'src/cart/' }, ['act_2']],
    [{ path: 'src' }, ['act_1', 'act_2', 'act_3']],
    [{ actor: 'Ben' }, ['act_3']],
    [{ status: 'ready-for-review' }, ['act_2']],
    [{ activity: 'act_1' }, ['act_1']],
    [{ activity: 'act_1', actor: 'Ben' }, []],
  ])('filters by %j', (filters, ids) => {
    const rows = workRows({ activities: map(old, fresh, pull), collisions: new Map() })
    const passing = rows.filter((row) => matches(row, { ...noFilters, ...filters }))
    expect(passing.map(({ activity: { id } }) => id).sort()).toEqual(ids)
  })
})

describe('the filters in the address', () => {
  it('are read as they were written, and other parameters stay', () => {
    const filters = fc.record(Object.fromEntries(filterNames.map((name) => [name, fc.string()])))
    fc.assert(
      fc.property(filters, (given) => {
        const wanted = { ...noFilters, ...given }
        const search = writeFilters('?other=1&q=before', wanted)
        expect(readFilters(search)).toEqual(wanted)
        expect(new URLSearchParams(search).get('other')).toBe('1')
        expect(isFiltered(wanted)).toBe(Object.values(wanted).some((value) => value !== ''))
      }),
    )
  })

  it('leave no question mark behind', () => {
    expect(writeFilters('?q=a', noFilters)).toBe('')
  })
})

describe('the list of collisions', () => {
  it('is worst first, then newest, and names both activities where they are known', () => {
    const newest = pair({ activity_ids: ['act_3', 'act_2'], since: '2026-11-22T13:00:00.000Z' })
    const pairs = new Map([
      ['1', low],
      ['2', pair({ activity_ids: ['act_3', 'act_8'] })],
      ['3', newest],
    ])
    const list = collisionList({ activities: map(old, pull, fresh), collisions: pairs })
    expect(list.map(({ newer, earlier }) => [newer?.id, earlier?.id])).toEqual([
      ['act_3', 'act_2'],
      ['act_3', undefined],
      ['act_2', 'act_1'],
    ])
  })

  it('has the pairs with pull requests from outside after all others', () => {
    const pairs = new Map([
      ['1', pair({ activity_ids: ['act_3', 'act_8'], outside_ids: ['act_3', 'act_8'] })],
      ['2', pair({ activity_ids: ['act_3', 'act_2'], outside_ids: ['act_3'] })],
      ['3', low],
    ])
    const list = collisionList({ activities: map(old, pull, fresh), collisions: pairs })
    expect(list.map(({ pair: { outside_ids = [] } }) => outside_ids.length)).toEqual([0, 1, 2])
  })
})

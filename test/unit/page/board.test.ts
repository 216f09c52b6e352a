import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairKey } from '../../../src/core/rules/order/pair-order.ts'
import { textOf } from '../../../src/core/texts/sentence/sentence-parts.ts'
import { boardOf, cardsOf } from '../../../src/page/model/board.ts'
import { filterNames, isFiltered, noFilters, readFilters, writeFilters } from '../../../src/page/model/filters.ts'
import { withOwn } from '../../../src/page/model/live-state.ts'
import { activity, notable, pair } from './records.ts'

const mine = activity({ id: 'act_1', actor: 'Ana' })
const carla = activity({
  ...{ id: 'act_2', actor: 'carla', title: 'Limit the attempts', source: 'pull_request' as const },
  ...{ pr_url: 'https://github.com/acme/shop/pull/12', scope: { areas: [], paths: ['src/auth/login.ts'] } },
})
const ben = activity({
  id: 'act_3',
  actor: 'Ben',
  status: 'paused',
  scope: { areas: ['Cart'], paths: ['src/cart/**'] },
})
const eve = activity({ id: 'act_4', actor: 'Eve', scope: { areas: [], paths: ['src/cart/total.ts'] } })
const login = notable({ id: 'ntb_1', scope: { areas: [], paths: ['src/auth/**'] } })
const critical = notable({ id: 'ntb_2', importance: 'critical', scope: { areas: [], paths: ['db/**'] } })
const freeze = notable({ id: 'ntb_3', blocking: true })

const byId = <Item extends { id: string }>(...items: Item[]) => new Map(items.map((item) => [item.id, item]))
const byPair = (...pairs: ReturnType<typeof pair>[]) => new Map(pairs.map((one) => [pairKey(one), one]))
const none = { activities: false, notables: false, collisions: false, scopes: false }
const inCart = pair({ activity_ids: ['act_4', 'act_3'], example_path: 'src/cart/total.ts' })
const inAuth = pair({ activity_ids: ['act_2', 'act_1'], severity: 'medium', lines: [[1, 2]] })

const state = {
  access: 'write' as const,
  activities: byId(mine, carla, ben, eve),
  notables: byId(login, critical, freeze),
  collisions: byPair(inCart, inAuth),
  isComplete: true,
  truncated: none,
}
const ids = new Set(['act_1'])
const shown = (filters = {}) => {
  const { cards, rows, notables, directories } = boardOf(state, ids, { ...noFilters, ...filters })
  return {
    cards: cards.map(({ place }) => textOf(place)),
    rows: rows.map(({ activity: { actor } }) => actor),
    notables: notables.map(({ id }) => id),
    directories: directories.map(({ path, count, collisions }) => `${path} ${count} ${collisions}`),
  }
}

describe('the board', () => {
  it('has mine first, then what is worst', () => {
    expect(shown()).toEqual({
      cards: ['src/auth/login.ts', 'src/cart/total.ts'],
      rows: ['Ana', 'Eve', 'Ben', 'carla'],
      notables: ['ntb_1', 'ntb_3', 'ntb_2'],
      directories: ['src/auth 2 1', 'src/cart 2 1'],
    })
  })

  it.each([
    [{ q: '#12' }, ['carla'], ['src/auth/login.ts']],
    [{ q: 'cart BEN' }, ['Ben'], ['src/cart/total.ts']],
    [{ mine: '1' }, ['Ana'], ['src/auth/login.ts']],
    [{ actor: 'Eve' }, ['Eve'], ['src/cart/total.ts']],
    [{ status: 'paused' }, ['Ben'], ['src/cart/total.ts']],
    [{ path: 'src/cart/total.ts' }, ['Eve', 'Ben'], ['src/cart/total.ts']],
    [{ path: '/src/auth/' }, ['Ana', 'carla'], ['src/auth/login.ts']],
    [{ activity: 'act_4' }, ['Eve'], ['src/cart/total.ts']],
    [{ q: 'nothing like this' }, [], []],
  ])('filters rows and cards by %j', (filters, rows, cards) => {
    expect(shown(filters)).toMatchObject({ rows, cards })
  })

  it('filters notables too, and keeps those about the whole repository', () => {
    expect(shown({ path: 'src/auth' }).notables).toEqual(['ntb_1', 'ntb_3'])
    expect(shown({ mine: '1' }).notables).toEqual(['ntb_1', 'ntb_3'])
    expect(shown({ actor: 'Eve' }).notables).toEqual(['ntb_3'])
  })

  it('has at most a dozen directories', () => {
    const many = Array.from({ length: 30 }, (_, index) =>
      activity({ id: `act_${index}`, scope: { areas: [], paths: [`d${index}/**`] } }),
    )
    const { directories } = boardOf({ ...state, activities: byId(...many), collisions: new Map() }, ids, noFilters)
    expect(directories).toHaveLength(12)
  })
})

describe('the cards', () => {
  it('are one for each file, with everybody once, and every pair in exactly one of them', () => {
    const id = fc.constantFrom('act_1', 'act_2', 'act_3', 'act_4', 'act_5')
    const facts = fc.record({
      activity_ids: fc.uniqueArray(id, { minLength: 2, maxLength: 2 }),
      severity: fc.constantFrom('low', 'medium', 'high'),
      example_path: fc.constantFrom('a.ts', 'b.ts', null),
      areas: fc.constantFrom([], ['x'], ['X']),
    })
    fc.assert(
      fc.property(fc.array(facts), (all) => {
        const collisions = byPair(...all.map(({ areas, ...facts }) => pair({ ...facts, areas: [...areas] })))
        const cards = cardsOf({ ...state, collisions }, ids)
        expect(new Set(cards.map(({ key }) => key)).size).toBe(cards.length)
        const pairs = cards.flatMap((card) => card.pairs.map(pairKey))
        expect(pairs.sort()).toEqual([...collisions.keys()].sort())
        for (const { people } of cards) expect(new Set(people.map((one) => one.id)).size).toBe(people.length)
        const firstOfOthers = cards.findIndex(({ isMine }) => !isMine)
        if (firstOfOthers !== -1) expect(cards.slice(firstOfOthers).some(({ isMine }) => isMine)).toBe(false)
      }),
    )
  })

  it('are one for an issue, where no file is shared', () => {
    const onIssue = (ids: string[], more: object = {}) => ({
      ...pair({ activity_ids: ids, example_path: null, areas: ['checkout'], ...more }),
      issues: [42],
    })
    const inFile = onIssue(['act_3', 'act_2'], { example_path: 'src/a.ts' })
    const pairs = byPair(onIssue(['act_2', 'act_1']), onIssue(['act_3', 'act_1']), inFile)
    const cards = cardsOf({ ...state, collisions: pairs }, ids)
    expect(cards.map(({ place, pairs: own }) => [textOf(place), own.length])).toEqual([
      ['issue #42', 2],
      ['src/a.ts', 1],
    ])
  })

  it('know the lines of the newer one, and put the viewer first', () => {
    const [card] = cardsOf({ ...state, collisions: byPair(inAuth) }, ids)
    expect(card?.people.map(({ id, lines, isMine }) => [id, lines, isMine])).toEqual([
      ['act_1', null, true],
      ['act_2', [[1, 2]], false],
    ])
  })
})

it('the filters of an address are read as they were written', () => {
  const text = fc.record(
    Object.fromEntries(filterNames.map((name) => [name, fc.string()])) as Record<'q', fc.Arbitrary<string>>,
  )
  fc.assert(
    fc.property(text, (values) => {
      const filters = { ...noFilters, ...values }
      expect(readFilters(writeFilters('', filters))).toEqual(filters)
      expect(isFiltered(filters)).toBe(writeFilters('', filters) !== '')
    }),
  )
})

it('the viewer’s own work is there also where the stream left it out', () => {
  const own = {
    activities: [activity({ id: 'act_9' })],
    collisions: { items: [pair({ activity_ids: ['act_9', 'act_1'] })] },
  }
  expect(withOwn(state, own)).toBe(state)
  const cut = withOwn({ ...state, truncated: { ...none, activities: true, collisions: true } }, own)
  expect(cut.activities.has('act_9')).toBe(true)
  expect(cut.collisions.size).toBe(3)
})

import { describe, expect, it } from 'vitest'
import { shortenCollisions, shortenList, shortenOverlap } from '../../../src/service/api/mcp/results/shorten-lists.ts'

interface Item {
  scope: { paths: string[]; paths_total?: number; areas: string[]; areas_total?: number }
}

const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))
const hundred = (text: string) => Array.from({ length: 100 }, (_, n) => `${text}${n}`)
const record = (paths: string[], more: object = {}) => ({
  ...{
    type: 'activity',
    id: `act_${'0'.repeat(26)}`,
    title: 'Work',
    summary: 'It is.',
    actor: 'Alice',
    filler: 'f'.repeat(600),
  },
  ...more,
  scope: { areas: [], paths },
})
const page = (items: object[]) => shortenList({ items, next_cursor: null }) as { items: Item[] }
const pageOf = (count: number, one: object) => page(Array.from({ length: count }, () => one))

describe('a list of a tool', () => {
  it.each([
    ['long paths', record(hundred(`packages/${'x'.repeat(100)}/`))],
    ['the longest paths', record(hundred('x'.repeat(1_000)))],
    ['paths of other scripts', record(hundred('漢'.repeat(40)))],
    ['paths that JSON escapes', record(hundred('"'.repeat(100)))],
    ['many areas', { ...record([]), scope: { areas: hundred('a'.repeat(95)), paths: hundred('src/') } }],
    ['long changed directories', record(hundred('src/'), { scope_changed: hundred('x'.repeat(190)).slice(0, 20) })],
    [
      'the longest names too',
      record(hundred('x'.repeat(100)), { summary: 's'.repeat(2_000), branch: 'b'.repeat(600) }),
    ],
  ])('of ten records takes at most 25 kB, and counts what it leaves out: %s', (_, one) => {
    const { items } = pageOf(10, one)
    expect(bytes({ items })).toBeLessThan(25_000)
    for (const { scope } of items) {
      expect(scope.paths).toEqual(one.scope.paths.slice(0, scope.paths.length))
      expect(scope).toMatchObject({ paths_total: 100 })
    }
  })

  it('leaves out no path of records that fit', () => {
    const few = hundred('src/feature/').slice(0, 20)
    expect(pageOf(10, record(few)).items.map(({ scope }) => scope)).toEqual(
      Array.from({ length: 10 }, () => ({ areas: [], paths: few })),
    )
  })

  it('shows some paths of each, however many records are asked for', () => {
    for (const { scope } of pageOf(100, record(hundred('packages/web/src/components/'))).items) {
      expect(scope.paths.length).toBeGreaterThan(5)
    }
  })
})

describe('collisions', () => {
  const lines = hundred('').map((n) => [Number(n), Number(n)])
  // The API lists at most 100.
  const many = { activity_id: 'a', areas: hundred('area-'), lines: lines.slice(1), their_lines: lines, reason: 'Both.' }
  const few = { activity_id: 'b', areas: ['web'], lines: null, reason: 'Both.' }
  const shown = {
    ...many,
    ...{ areas: many.areas.slice(0, 5), areas_total: 100, lines: lines.slice(1, 21), lines_total: 99 },
    ...{ their_lines: lines.slice(0, 20), their_lines_total_at_least: 100 },
  }

  it('of a list show their first areas and lines, and count them', () => {
    const list = { items: [many, few], truncated: false }
    expect(shortenCollisions(list)).toEqual({ ...list, items: [shown, few] })
  })

  it('of a check and of a create show the same', () => {
    const overlap = { severity: 'low', collisions: [many, few], notables: [] }
    const shortened = { severity: 'low', collisions: [shown, few], notables: [] }
    expect(shortenOverlap(overlap)).toEqual(shortened)
    expect(shortenOverlap({ activity: { id: 'a' }, overlap })).toEqual({ activity: { id: 'a' }, overlap: shortened })
  })

  it('of a check come without its messages, whose lines are its texts, and with the first notables', () => {
    const notables = hundred('n').map((id) => ({ id, title: 't'.repeat(200) }))
    const shortened = shortenOverlap({
      clear: false,
      reason: 'Why.',
      collisions: [],
      notables,
      messages: [{ text: 'Why.' }],
    })
    const first = notables.slice(0, 10).map(({ id }) => ({ id, title: `${'t'.repeat(79)}…` }))
    expect(shortened).toEqual({ clear: false, reason: 'Why.', collisions: [], notables: first, notables_total: 100 })
  })
})

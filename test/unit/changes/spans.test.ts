import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { LineRange } from '../../../src/core/changes/file-change.ts'
import { closestSpans, joinedSpans, linesOfSpans, type Span } from '../../../src/core/changes/spans.ts'
import { changedOf, type Edit, edits } from './edits.ts'

const range: fc.Arbitrary<LineRange> = fc
  .tuple(fc.integer({ min: 1, max: 40 }), fc.nat(4))
  .map(([first, more]): LineRange => [first, first + more])
const ranges = fc.array(range, { maxLength: 8 })

function spans(given: readonly LineRange[]): Span[] {
  return given.flatMap((one) => joinedSpans({ lines: [one] }))
}

/** The least distance of all pairs. */
function bruteForce(a: readonly Span[], b: readonly Span[]): number | null {
  const all = a.flatMap(([from, to]) => b.map(([start, end]) => Math.max(0, start - to, from - end)))
  return all.length === 0 ? null : Math.min(...all)
}

/** How many lines both edits keep between the closest of their changes, counted line by line. */
function keptBetween(length: number, a: Edit, b: Edit): number | null {
  // Gap n is after line n. A changed line fills the gaps on both of its sides.
  const gaps = ({ runs }: Edit) =>
    new Set(runs.flatMap(({ first, removed }) => Array.from({ length: removed + 1 }, (_, n) => first - 1 + n)))
  const [ofA, ofB] = [gaps(a), gaps(b)]
  if (ofA.size === 0 || ofB.size === 0) return null
  for (let distance = 0; distance <= length; distance++) {
    for (const gap of ofA) if (ofB.has(gap + distance) || ofB.has(gap - distance)) return distance
  }
  return null
}

describe('spans of changed lines', () => {
  it('are sorted, share nothing, and cover the same gaps as the ranges', () => {
    const gaps = (all: readonly Span[]) =>
      new Set(all.flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, n) => from + n)))
    fc.assert(
      fc.property(ranges, (given) => {
        const joined = joinedSpans({ lines: given })
        for (const [n, [from]] of joined.entries()) if (n > 0) expect(from).toBeGreaterThan(joined[n - 1]?.[1] ?? 0)
        expect(gaps(joined)).toEqual(gaps(spans(given)))
      }),
    )
  })

  it('lose no touch and no distance by being joined', () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const found = closestSpans(joinedSpans({ lines: a }), joinedSpans({ lines: b }))
        expect(found?.distance ?? null).toBe(bruteForce(spans(a), spans(b)))
      }),
      { numRuns: 3000 },
    )
  })

  it('are as close in either order, and the closest two are returned', () => {
    fc.assert(
      fc.property(ranges, ranges, (a, b) => {
        const [found, turned] = [
          closestSpans(joinedSpans({ lines: a }), joinedSpans({ lines: b })),
          closestSpans(joinedSpans({ lines: b }), joinedSpans({ lines: a })),
        ]
        expect(turned && { ...turned, a: turned.b, b: turned.a }).toEqual(found)
        if (found) expect(bruteForce([found.a], [found.b])).toBe(found.distance)
      }),
    )
  })

  it('have as many unchanged lines between them as the two edits keep', () => {
    const pair = fc
      .integer({ min: 0, max: 25 })
      .chain((length) => fc.record({ length: fc.constant(length), a: edits(length, 'a'), b: edits(length, 'b') }))
    fc.assert(
      fc.property(pair, ({ length, a, b }) => {
        const found = closestSpans(joinedSpans(changedOf(a)), joinedSpans(changedOf(b)))
        expect(found?.distance ?? null).toBe(keptBetween(length, a, b))
      }),
      { numRuns: 3000 },
    )
  })

  it('turn back into the range that they were made of', () => {
    fc.assert(
      fc.property(range, (given) => {
        expect(linesOfSpans(joinedSpans({ lines: [given] }))).toEqual({ lines: [given] })
      }),
    )
  })

  it('turn back into the ranges and insertions that they were made of', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 25 }).chain((length) => edits(length, 'a')),
        (made) => {
          expect(linesOfSpans(joinedSpans(changedOf(made)))).toEqual(changedOf(made))
        },
      ),
    )
  })

  it('of two lines are an insertion where nothing says what is inserted, as in older data', () => {
    const lines: LineRange[] = [[5, 6]]
    expect(joinedSpans({ lines })).toEqual([[5, 5]])
    expect(joinedSpans({ lines, inserts: [0] })).toEqual([[5, 5]])
    expect(joinedSpans({ lines, inserts: [] })).toEqual([[4, 6]])
    expect(joinedSpans({ lines: [[0, 1]], inserts: [] })).toEqual([[0, 0]])
  })

  it('are compared in one pass', () => {
    const many = (start: number) =>
      Array.from({ length: 20_000 }, (_, n): LineRange => [start + n * 20, start + n * 20])
    let reads = 0
    const counting = (all: Span[]) =>
      new Proxy(all, {
        get(target, key, receiver) {
          if (typeof key === 'string' && /^\d+$/.test(key)) reads++
          return Reflect.get(target, key, receiver)
        },
      })
    expect(
      closestSpans(counting(joinedSpans({ lines: many(1) })), counting(joinedSpans({ lines: many(10) })))?.distance,
    ).toBe(8)
    expect(reads).toBeLessThan(2 * 40_002 + 2)
  })
})

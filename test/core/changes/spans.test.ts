import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { closestSpans, rangeOf, spansOf } from '../../../src/core/changes/spans.ts'
import { runGit } from '../../support/run-git.ts'
import { scratch } from '../../support/scratch.ts'
import { type Edit, edits, linesOf, newText, oldText } from './edits.ts'

const pair = fc
  .integer({ min: 5, max: 40 })
  .chain((length) => fc.record({ length: fc.constant(length), a: edits(length, 'a'), b: edits(length, 'b') }))

function distanceOf(a: Edit, b: Edit): number | null {
  return closestSpans(spansOf(linesOf(a)), spansOf(linesOf(b)))?.distance ?? null
}

/** How many lines both edits keep between the closest of their changes, counted gap by gap. */
function keptBetween(a: Edit, b: Edit): number | null {
  const gaps = ({ runs }: Edit) =>
    runs.flatMap(({ first, removed }) => Array.from({ length: removed + 1 }, (_, n) => first - 1 + n))
  const distances = gaps(a).flatMap((one) => gaps(b).map((other) => Math.abs(one - other)))
  return distances.length === 0 ? null : Math.min(...distances)
}

it('§5 two changes are as far apart as the unchanged lines between them', () => {
  fc.assert(
    fc.property(pair, ({ a, b }) => {
      expect(distanceOf(a, b)).toBe(keptBetween(a, b))
    }),
    { numRuns: 200 },
  )
})

it('§5 git can not merge two changes exactly where no unchanged line is between them', () => {
  const top = scratch()
  // Where both only remove lines, they may do the same.
  const replaces = ({ runs }: Edit) => runs.length > 0 && runs.every(({ added }) => added.length > 0)
  const pairs = fc.sample(
    pair.filter(({ a, b }) => replaces(a) && replaces(b)),
    { numRuns: 40, seed: 20261122 },
  )
  const found = pairs.map(({ length, a, b }) => {
    const texts = { base: oldText(length), a: newText(a), b: newText(b) }
    for (const [name, text] of Object.entries(texts)) writeFileSync(join(top, name), text)
    const conflicts = runGit(top, 'merge-file', '-p', 'a', 'base', 'b').code !== 0
    return { a, b, touch: distanceOf(a, b) === 0, conflicts }
  })
  expect(found.filter(({ touch, conflicts }) => touch !== conflicts)).toEqual([])
  expect(found.filter(({ touch }) => touch).length).toBeGreaterThan(10)
  expect(found.filter(({ touch }) => !touch).length).toBeGreaterThan(10)
})

it.each<[string, number[][], number[][], unknown]>([
  ['the same line', [[5, 5]], [[5, 5]], { distance: 0, ours: [[4, 5]], theirs: [[4, 5]] }],
  ['the next line', [[5, 5]], [[6, 6]], { distance: 0, ours: [[4, 5]], theirs: [[5, 6]] }],
  ['the line after the next', [[5, 5]], [[7, 7]], { distance: 1, ours: [[4, 5]], theirs: [[6, 7]] }],
  ['two insertions in one place', [[6, 5]], [[6, 5]], { distance: 0, ours: [[5, 5]], theirs: [[5, 5]] }],
  ['insertions after two lines', [[6, 5]], [[7, 6]], { distance: 1, ours: [[5, 5]], theirs: [[6, 6]] }],
  ['an insertion after a changed line', [[5, 5]], [[6, 5]], { distance: 0, ours: [[4, 5]], theirs: [[5, 5]] }],
  ['two new files', [[1, 0]], [[1, 0]], { distance: 0, ours: [[0, 0]], theirs: [[0, 0]] }],
  ['nothing', [], [[1, 1]], null],
])('§5 the closest places of %s', (_, a, b, expected) => {
  expect(closestSpans(spansOf(a), spansOf(b))).toEqual(expected)
})

it('§5 all places that meet are told, of both sides, and not those that do not', () => {
  const ours = spansOf([
    [50, 52],
    [1, 1],
    [10, 12],
    [30, 40],
  ])
  const theirs = spansOf([
    [12, 13],
    [35, 36],
    [38, 38],
    [80, 80],
  ])
  const { distance, ours: mine = [], theirs: other = [] } = closestSpans(ours, theirs) ?? {}
  expect(distance).toBe(0)
  expect(mine.map(rangeOf)).toEqual([
    [10, 12],
    [30, 40],
  ])
  expect(other.map(rangeOf)).toEqual([
    [12, 13],
    [35, 36],
    [38, 38],
  ])
})

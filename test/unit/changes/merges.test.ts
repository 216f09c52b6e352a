import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closestSpans, joinedSpans } from '../../../src/core/changes/spans.ts'
import { scratch } from '../../support/scratch.ts'
import { changedOf, type Edit, edits, newText, oldText } from './edits.ts'
import { git } from './git.ts'

const pair = fc
  .integer({ min: 5, max: 40 })
  .chain((length) => fc.record({ length: fc.constant(length), a: edits(length, 'a'), b: edits(length, 'b') }))
  .filter(({ a, b }) => a.runs.length > 0 && b.runs.length > 0)

function distanceOf(a: Edit, b: Edit): number | undefined {
  return closestSpans(joinedSpans(changedOf(a)), joinedSpans(changedOf(b)))?.distance
}

describe('two edits of one file', () => {
  it('conflict in git exactly where they touch', async () => {
    const top = await scratch()
    // Where both only remove lines, they may do the same.
    const replacesAll = ({ runs }: Edit) => runs.every(({ added }) => added.length > 0)
    const pairs = fc.sample(
      pair.filter(({ a, b }) => replacesAll(a) && replacesAll(b)),
      { numRuns: 150, seed: 20261122 },
    )
    const found = pairs.map(({ length, a, b }) => {
      const texts = { base: oldText(length), a: newText(a), b: newText(b) }
      for (const [name, text] of Object.entries(texts)) writeFileSync(join(top, name), text)
      const conflicts = git(top, 'merge-file', '-p', 'a', 'base', 'b').code
      return {
        length,
        a: changedOf(a),
        b: changedOf(b),
        touch: distanceOf(a, b) === 0,
        conflicts: conflicts !== 0,
      }
    })
    expect(found.filter(({ touch, conflicts }) => touch !== conflicts)).toEqual([])
    expect(found.filter(({ touch }) => touch).length).toBeGreaterThan(40)
    expect(found.filter(({ touch }) => !touch).length).toBeGreaterThan(40)
  })
})

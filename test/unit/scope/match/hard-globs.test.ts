import { describe, expect, it } from 'vitest'
import { countAlternatives } from '../../../../src/core/scope/glob/glob.ts'
import { intersect } from '../../../../src/core/scope/match/intersect.ts'
import { unlimitedBudget, workBudget } from '../../../../src/core/scope/match/work-budget.ts'
import { hardPairs } from '../hard-globs.ts'
import { globsIntersect, read, sharedPath } from '../read.ts'
import { counts } from '../reference-matcher.ts'

/** Some 100 ms. */
const stepsOfAPair = 5_000_000

describe('a pair of globs made to be hard', () => {
  it.each(hardPairs)('%s: is decided, in either order, at a bounded cost', (_, a, b, expected) => {
    expect([countAlternatives(a).ok, countAlternatives(b).ok]).toEqual([true, true])
    const budget = unlimitedBudget()
    expect(intersect(read(a), read(b), budget) !== null).toBe(expected)
    expect(budget.steps).toBeLessThan(stepsOfAPair)
    expect(globsIntersect(b, a)).toBe(expected)
  })

  it.each(hardPairs)('%s: is given up soon after the budget is used up', (_, a, b) => {
    const budget = workBudget(100_000)
    intersect(read(a), read(b), budget)
    expect(budget.steps).toBeLessThan(1_200_000)
  })

  it.each(hardPairs.filter(([, , , expected]) => expected))('%s: has an example path', (_, a, b) => {
    expect(sharedPath(a, b)).not.toBeNull()
  })

  it('shows a path that counts for both', () => {
    const [a, b] = [`*${'[ab]'.repeat(20)}*/**/x`, `${'?'.repeat(20)}*/y/**`]
    expect(counts(a, b, sharedPath(a, b) ?? '')).toBe(true)
  })
})

describe('globs with many alternatives intersect where one alternative of each does', () => {
  it.each([
    ['{*,a.b}/c', 'a.b', true],
    ['{*.b,c.d}', 'c.d/x', true],
    ['{a.b,c.d}', 'c.d/x', true],
    ['{a.b,x/c.d}', 'x/c.d', true],
    ['{a,b}/{c,d}/{e,f}', 'b/c/f', true],
    ['{[!a],[\\!a]}/x', 'b/x', true],
    ['{[!a],[\\!a]}/x', 'a/x', true],
    ['{x,y}.b/z', '{c,*,x.?}/z', true],
    ['{x,y}.b', '{c,*,x.?}/a/**', true],
    ['{x,y}.b', '{c,d,*}/a/**', false],
    ['.*', '{?,[.]}', false],
    ['*.', '{.?,?.}', true],
    ['.*/a', '{**/[.][.],b}/a', true],
  ])('%s and %s: %s', (a, b, expected) => {
    expect([globsIntersect(a, b), globsIntersect(b, a)]).toEqual([expected, expected])
  })
})

import { describe, expect, it } from 'vitest'
import { intersect } from '../../../../src/core/scope/match/intersect.ts'
import { matchesPath } from '../../../../src/core/scope/match/matches-path.ts'
import { unlimitedBudget } from '../../../../src/core/scope/match/work-budget.ts'
import { read } from '../read.ts'

/** The steps that it takes to compare two globs that share nothing. */
function stepsOf(a: string, b: string): number {
  const work = unlimitedBudget()
  expect(intersect(read(a), read(b), work)).toBeNull()
  return work.steps
}

describe('the work of comparing two globs is counted', () => {
  it('by the characters of a name that is compared with stars: they are read for each comparison', () => {
    expect(stepsOf('*a*b*c?', `${'a'.repeat(200)}.ts`)).toBeGreaterThanOrEqual(200)
  })

  it('by the segments that a file is compared with, for what lies below it', () => {
    expect(stepsOf(`**/${'a/'.repeat(60)}b*`, `${'c/'.repeat(60)}d.ts`)).toBeGreaterThanOrEqual(30)
  })

  it('by the alternatives and the length of their literal beginnings', () => {
    const many = (end: string) => `${'x'.repeat(160)}{1..9}${end}`
    expect(stepsOf(many('a/*'), many('c/*'))).toBeGreaterThanOrEqual(81 * 10)
  })
})

describe('the work of matching a path is counted', () => {
  it.each([
    ['by the patterns', '{1..60}/a', 'b/c', 60],
    ['by the characters of a path that is read', '**/x*y', `${'a/'.repeat(100)}xz/y`, 200],
  ])('%s', (_, text, path, least) => {
    const work = { steps: 0 }
    expect(matchesPath(read(text), path, work)).toBe(false)
    expect(work.steps).toBeGreaterThanOrEqual(least)
  })
})

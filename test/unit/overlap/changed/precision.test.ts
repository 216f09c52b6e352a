import { describe, expect, it } from 'vitest'
import { readRepositories } from '../../../../bench/pull-requests.ts'
import { pairsTold, pooled, type Replay, replay, shareFound, wilson } from '../../../../bench/replay.ts'
import { equalPairs, lineRule, productRule, type Rule } from '../../../../bench/rules.ts'

/** The open pull requests of three projects on one day, with their true conflicts (`npm run bench:precision`). */
const repositories = readRepositories(new URL('../../../../bench/open-prs/', import.meta.url))

function replayAll(rule: Rule, everyConflict = false): Replay[] {
  return repositories.map((repository) => replay(repository, rule, everyConflict))
}

describe('the alarms about open pull requests', () => {
  it.each([
    ['same file', lineRule(null, { ignoredPaths: false }), true, [49, 9, 9], [88, 14, 14], [587, 69, 69]],
    ['none of the ignored paths', lineRule(null), false, [47, 8, 8], [88, 14, 14], [500, 38, 38]],
    ['a line in common', lineRule(0), false, [5, 4, 8], [11, 10, 14], [36, 31, 38]],
    ['within 3 lines', lineRule(3), false, [7, 5, 8], [21, 10, 14], [49, 33, 38]],
    ['within 10 lines', lineRule(10), false, [11, 5, 8], [30, 12, 14], [79, 34, 38]],
  ])('by a plain rule are those of the table of the data: %s', (_, rule, everyConflict, ...expected) => {
    const figures = replayAll(rule, everyConflict).map((one) => [pairsTold(one), one.found.length, one.conflicts])
    expect(figures).toEqual(expected)
  })

  it('are these: right of all, and pull requests reported', () => {
    const figures = replayAll(productRule()).map(({ high, medium, concerned }) => {
      return { high: [high.right, high.pairs], medium: [medium.right, medium.pairs], concerned }
    })
    expect(figures).toEqual([
      { high: [4, 4], medium: [1, 2], concerned: 9 },
      { high: [8, 8], medium: [2, 7], concerned: 20 },
      { high: [29, 33], medium: [3, 6], concerned: 68 },
    ])
  })

  it('reach the targets: right, complete, and fewer than by distance alone', () => {
    const [found, tenLines] = [pooled(replayAll(productRule())), pooled(replayAll(lineRule(10)))]
    expect(found.high.right / found.high.pairs).toBeGreaterThan(0.8)
    expect(shareFound(found, tenLines)).toBeGreaterThan(0.85)
    expect(pairsTold(found)).toBeLessThan(pairsTold(tenLines))
  })

  it('are one more, and wrong, where equal files collide', () => {
    const [found, all] = [productRule(), productRule({ equalFiles: false })].map((rule) => pooled(replayAll(rule)))
    expect([found?.high, all?.high]).toEqual([
      { pairs: 45, right: 41 },
      { pairs: 46, right: 41 },
    ])
  })

  it('are more where ignored paths count', () => {
    expect(pairsTold(pooled(replayAll(productRule({ ignoredPaths: false }), true)))).toBe(90)
  })
})

describe('the same change among open pull requests', () => {
  it('is one fix by two authors, and two pull requests of one author', () => {
    const found = repositories.flatMap((repository) => equalPairs(repository))
    expect(found.map(({ numbers, told }) => [...numbers, ...(told ?? []).map(({ severity }) => severity)])).toEqual([
      [5705, 5706, 'high', 'high'],
      [57803, 57804, 'medium', 'low'],
    ])
  })
})

describe("Wilson's interval", () => {
  it('is that of the textbooks', () => {
    expect(wilson(41, 46).map((share) => share.toFixed(3))).toEqual(['0.770', '0.953'])
    expect(wilson(0, 10).map((share) => share.toFixed(3))).toEqual(['0.000', '0.278'])
    expect(wilson(0, 0)).toEqual([0, 1])
  })
})

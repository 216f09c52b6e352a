import { describe, expect, it } from 'vitest'
import { comparableWork } from '../../../../src/core/rules/changed/changed-work.ts'
import { findHotPaths, isHot } from '../../../../src/core/rules/changed/hot-paths.ts'
import { workBudget } from '../../../../src/core/scope/match/work-budget.ts'

const paths = (count: number) => Array.from({ length: count }, (_, n) => `src/${n}.ts`)

function pull(all: readonly string[]) {
  const files = all.map((path) => ({ path, previous_path: null, status: 'modified' as const, lines: null }))
  const nobody = { author: null, headSha: null, commits: new Set<string>() }
  const changed = comparableWork({ ...nobody, baseBranch: 'main', files, filesTotal: files.length })
  return { source: 'pull_request', pull: {}, changed }
}

describe('the hot paths of a proposal', () => {
  const pulls = Array.from({ length: 200 }, () => pull(paths(200)))

  it('are those that more than 5 others change, and more than 5 % of them', async () => {
    const some = [...pulls.slice(0, 6), pull(['src/other.ts'])]
    const hot = await findHotPaths(['src/1.ts', 'src/other.ts', 'x.ts'], some, async () => 100, workBudget())
    expect(hot).toEqual(new Map([['main', new Set(['src/1.ts'])]]))
  })

  it('count in the budget of the check, and are unknown beyond it', async () => {
    const work = workBudget()
    expect((await findHotPaths(paths(500), pulls, async () => 200, work)).get('main')?.size).toBe(200)
    expect(work.steps).toBeGreaterThan(200 * 200)
    const small = workBudget(20_000)
    expect(await findHotPaths(paths(500), pulls, async () => 200, small)).toEqual(new Map())
    expect(small.steps).toBeGreaterThanOrEqual(small.limit)
  })
})

it.each([
  [5, 10, false],
  [6, 10, true],
  [6, 119, true],
  [6, 120, false],
  [7, 120, true],
])('a hot file is changed by more than 5 others and more than 5 %% of them: %i of %i: %s', (changers, works, hot) => {
  expect(isHot(changers, works)).toBe(hot)
})

import { expect, it } from 'vitest'
import { comparableWork } from '../../../src/core/rules/changed/changed-work.ts'
import { workBudget } from '../../../src/core/scope/match/work-budget.ts'
import { findCollidingPulls } from '../../../src/service/report/colliding-pulls.ts'
import { nothingLeftOut } from '../../../src/service/report/report-facts.ts'
import { reportOf } from '../../../src/service/report/report-text.ts'
import { runToEnd } from '../../support/compare-scopes.ts'
import { activityOf, now } from '../overlap/candidates-of.ts'

function workOf(count: number) {
  const files = Array.from({ length: count }, (_, n) => ({
    ...{ path: `src/${n}.ts`, previous_path: null, status: 'modified' as const },
    lines: [[10, 12]] satisfies [number, number][],
  }))
  return comparableWork({
    ...{ baseBranch: 'main', author: 'bob', headSha: null, commits: new Set<string>() },
    ...{ files, filesTotal: count },
  })
}

function pull(number: number, count: number) {
  return activityOf({
    ...{ source: 'pull_request', is_declared: false, pr_number: number, author_login: 'bob', seen_at: now },
    pull: { number, is_fork: false, head_ref: 'feat', head_sha: `sha-${number}`, association: 'MEMBER' },
    changed: workOf(count),
  })
}

function reportWithin(limit: number, others: ReturnType<typeof pull>[]) {
  const counting = { ignoredAuthors: [], maxFiles: 100_000, isIgnored: () => false, hot: new Map() }
  const comparison = {
    ours: workOf(1_000),
    authorId: null,
    counting,
    isPublic: true,
    now,
    staleAfterMs: 30 * 86_400_000,
  }
  const found = runToEnd(findCollidingPulls(others, comparison, workBudget(limit)))
  const { title, conclusion, summary } = reportOf({
    ...{ ...found, ...nothingLeftOut, base: 'main', notCompared: null, merged: [], pageUrl: null },
  })
  return { title, conclusion, summary }
}

it('a check run says that it is not fully compared if that is too much work, and compares the smallest first', () => {
  const large = Array.from({ length: 20 }, (_, n) => pull(100 + n, 1_000))
  const cut = reportWithin(0, large)
  expect(cut).toMatchObject({ title: 'Not fully compared: too much is changed', conclusion: 'neutral' })
  expect(cut.summary).toContain('not all open pull requests were compared')
  const some = reportWithin(1_000, [...large, pull(7, 1)])
  expect(some.title).toMatch(/^Same lines as #\d+ \(bob\) and 1 more$/)
  expect(some.summary).toContain('| #7 |')
  expect(some.summary).toContain('not all open pull requests were compared')
  expect(reportWithin(Number.POSITIVE_INFINITY, large).summary).not.toContain('not all open pull requests')
})

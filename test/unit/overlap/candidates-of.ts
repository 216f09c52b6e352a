import type { ComparedNotable, LoadedActivity } from '../../../src/core/rules/candidates/rows.ts'
import { namedPaths } from '../../../src/core/rules/changed/compare-names.ts'
import type { Comparison } from '../../../src/core/rules/compare-all.ts'
import { decide } from '../../../src/core/rules/decide.ts'
import { noIssues } from '../../../src/core/rules/duplicates/same-issue-rules.ts'
import { workBudget } from '../../../src/core/scope/match/work-budget.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import { newId } from '../../../src/service/lib/ids.ts'
import { describe, type LoadedCandidates } from '../../../src/service/overlap/describe.ts'
import { checkBudget } from '../../../src/service/overlap/load-proposals.ts'

/** The time of the examples. */
export const now = new Date('2026-11-20T12:00:00.000Z')

/** These candidates, and no others. */
export function candidatesOf(given: Partial<LoadedCandidates>): LoadedCandidates {
  return {
    defaultBranch: 'main',
    stack: [],
    matchedByIndex: [],
    loadActivities: async () => [],
    candidates: [],
    notables: [],
    merged: [],
    loadMerged: async () => [],
    observed: { pull_requests: 'off', as_of: null, unread: 0 },
    putAside: null,
    partlyListed: [],
    triesMerges: false,
    ...given,
  }
}

/** The answer of a check with these candidates. */
export async function evaluate(
  proposal: Parameters<typeof describe>[0],
  candidates: LoadedCandidates,
  comparison: Comparison,
) {
  const decision = await decide(proposal, candidates, comparison)
  return describe(proposal, { ...candidates, decision }, comparison)
}

/** A live recorded activity that began two hours ago. */
export function activityOf(given: Partial<LoadedActivity> = {}): LoadedActivity {
  return {
    ...{ id: newId('act'), title: 'Work', actor: 'Alice', agent: null, status: 'active', risk: 'low', blocking: false },
    ...{ areas: [], paths: [], branch: null, base_branch: null, pr_url: null, pr_number: null },
    ...{ source: 'recorded', is_declared: true, author_login: null, author_id: null, pull: null, changed: null },
    issues: noIssues,
    began_at: new Date(now.getTime() - 2 * 3_600_000),
    seen_at: null,
    ended_at: null,
    ...given,
  }
}

/** An active notable for a week. */
export function notableOf<Given extends Partial<ComparedNotable>>(given: Given) {
  return {
    ...{ id: newId('ntb'), title: 'Mind', category: 'warning', importance: 'high', blocking: false },
    ...{ author_login: null, applies_until: null, expires_at: new Date(now.getTime() + 7 * 86_400_000) },
    ...{ areas: [] as string[], paths: [] as string[] },
    ...given,
  }
}

/** The comparison with a proposal of these paths, without changed files and without rules that quieten. */
export function comparisonOf(given: Partial<Comparison> & { paths?: string[] } = {}): Comparison {
  const { paths = [], ...rest } = given
  const proposed = rest.proposed ?? parseScope({ areas: [], paths })
  return {
    proposed,
    counted: proposed,
    named: namedPaths(proposed),
    changed: null,
    author: null,
    issues: noIssues,
    isMinor: false,
    identity: {
      ...{ branch: null, defaultBranch: 'main', pullNumber: null, headSha: null, account: null },
      commits: new Set(),
    },
    counting: { ignoredAuthors: [], maxFiles: 100, isIgnored: () => false, hot: new Map() },
    isPublic: true,
    examples: checkBudget(1n).examples,
    now,
    staleAfterMs: 30 * 86_400_000,
    parse: (scope) => parseScope(scope),
    work: workBudget(),
    ...rest,
  }
}

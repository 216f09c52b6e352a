import { compareInSlices, type ScopeOverlap } from '../../src/core/scope/compare.ts'
import { unlimitedBudget } from '../../src/core/scope/match/work-budget.ts'
import type { ParsedScope, ProposedScope } from '../../src/core/scope/parse-scope.ts'

/** Runs a generator that yields at the end of each slice, without pauses. */
export function runToEnd<T>(slices: Iterator<void, T>): T {
  for (;;) {
    const { done, value } = slices.next()
    if (done) return value
  }
}

/** What two scopes share, compared in one go. */
export function compareScopes(a: ProposedScope, b: ParsedScope): ScopeOverlap | null {
  return runToEnd(compareInSlices(a, b, unlimitedBudget()))
}

import type { LoadedCandidates } from '../../../src/overlap/evaluate.ts'

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
    ...given,
  }
}

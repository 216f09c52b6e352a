import type { Candidates } from '../../../src/overlap/compare-candidates.ts'

/** What there is to compare with, beside what is given: nothing. */
export function worldOf(given: Partial<Candidates>): Candidates {
  return {
    defaultBranch: 'main',
    stack: [],
    certain: [],
    readActivities: async () => [],
    candidates: [],
    notables: [],
    merged: [],
    moreMerged: async () => [],
    ...given,
  }
}

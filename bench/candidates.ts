import type pg from 'pg'
import { indexLookups } from '../src/core/rules/candidates/index-lookups.ts'
import { parseScope } from '../src/core/scope/parse-scope.ts'
import { loadCandidates } from '../src/service/overlap/candidates/load-candidates.sql.ts'
import { compareScopes } from '../test/support/compare-scopes.ts'

const none = { candidates: [], matchedByIndex: [] }

/** The number of rows that the index finds per proposal, and how many of them overlap. */
export async function countCandidates(pool: pg.Pool, repositoryId: bigint, proposals: readonly string[][]) {
  const db = { pool, query: pool.query.bind(pool), onConnectionLost() {} }
  const fetched: number[] = []
  const overlapping: number[] = []
  for (const paths of proposals) {
    const proposed = parseScope({ areas: [], paths })
    const filter = { repositoryId, now: new Date(), seesObserved: true }
    const noBranches = {
      branch: null,
      base_branch: null,
      defaultBranch: 'main',
      hasChanges: false,
      hasUncounted: false,
    }
    const page = { endedAfter: new Date(), closedAfter: new Date(), count: 50 }
    const lookups = indexLookups(proposed, [])
    const proposal = { ...noBranches, self: undefined, lookups }
    const extent = { notables: true, merged: page, described: false }
    const [{ candidates, matchedByIndex } = none] = await loadCandidates(db, filter, [proposal], extent)
    fetched.push(candidates.length + matchedByIndex.length)
    overlapping.push(
      matchedByIndex.length + candidates.filter((row) => compareScopes(proposed, parseScope(row))).length,
    )
  }
  return { fetched, overlapping }
}

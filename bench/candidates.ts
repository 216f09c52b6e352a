import type pg from 'pg'
import { loadCandidates } from '../src/overlap/candidates-store.ts'
import { indexLookups } from '../src/overlap/index-lookups.ts'
import { compareScopes, parseScope } from '../src/scope/compare.ts'

/** The number of rows that the index finds per proposal, and how many of them overlap. */
export async function countCandidates(pool: pg.Pool, repositoryId: bigint, proposals: readonly string[][]) {
  const fetched: number[] = []
  const overlapping: number[] = []
  for (const paths of proposals) {
    const proposed = parseScope({ areas: [], paths })
    const of = { repositoryId, now: new Date(), self: undefined }
    const nowhere = { branch: null, base_branch: null, defaultBranch: 'main' }
    const page = { endedAfter: new Date(), count: 50 }
    const { candidates: rows, certain } = await loadCandidates({ pool }, of, nowhere, indexLookups(proposed, []), page)
    fetched.push(rows.length + certain.length)
    overlapping.push(certain.length + rows.filter((row) => compareScopes(proposed, parseScope(row))).length)
  }
  return { fetched, overlapping }
}

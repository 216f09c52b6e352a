import type pg from 'pg'
import { findCandidates } from '../src/overlap/candidate-store.ts'
import { probesOf } from '../src/overlap/probes.ts'
import { compareScopes, parseScope } from '../src/scope/compare.ts'

/** How many rows the index finds for each proposal, and how many of them truly overlap. */
export async function countCandidates(pool: pg.Pool, repositoryId: bigint, proposals: readonly string[][]) {
  const fetched: number[] = []
  const overlapping: number[] = []
  for (const paths of proposals) {
    const proposed = parseScope({ areas: [], paths })
    const of = { repositoryId, now: new Date(), self: undefined }
    const page = { endedAfter: new Date(), count: 50 }
    const { live: rows } = await findCandidates({ pool }, of, probesOf(proposed, []), page)
    fetched.push(rows.length)
    overlapping.push(rows.filter((row) => compareScopes(proposed, parseScope(row))).length)
  }
  return { fetched, overlapping }
}

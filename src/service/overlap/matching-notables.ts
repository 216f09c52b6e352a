import { isInForce } from '../../core/notable.ts'
import { keysOf } from '../../core/overlap/lookups.ts'
import type { OverlapRules, Work } from '../../core/overlap/work.ts'
import type { Notable } from '../db/generated/client.ts'
import type { Reader } from './candidates.ts'

const mayMatch = `select n.* from notables n
  where n.repository_id = $1 and n.status = 'active' and n.expires_at > $2
    and (cardinality(n.areas) + cardinality(n.paths) = 0
      or n.id in (select notable_id from notable_places where repository_id = $1 and key = any($3::text[])))
  order by n.id desc`

/** The active notables that may match: those about the whole repository, and those with a place near the proposal. */
export async function notablesFor(
  { pool, repository, now }: Reader,
  work: Work,
  rules: OverlapRules,
): Promise<Notable[]> {
  const keys = keysOf({ ...work, issues: [] }, [], repository.defaultBranch, rules)
  const { rows } = await pool.query<Notable>(mayMatch, [repository.id, now, keys])
  return rows.filter((row) => isInForce(row, now))
}

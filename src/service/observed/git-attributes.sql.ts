import type { AttributeRules } from '../../core/changes/git-attributes.ts'
import type { Database } from '../db/database.ts'

/** Saves the rules of `.gitattributes`; null: there are none. Does nothing where the repository is not observed any more. */
export async function saveAttributes(
  db: Database,
  repositoryId: bigint,
  rules: AttributeRules | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update observed_repositories set ignored_by_attributes = $2, attributes_read_at = $3 where repository_id = $1`,
    [repositoryId, rules && JSON.stringify(rules), now],
  )
}

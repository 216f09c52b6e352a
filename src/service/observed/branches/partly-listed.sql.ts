import { mostFilesCompared } from '../../../core/changes/limits.ts'
import type { Database } from '../../db/database.ts'

/** The live pushed branches of which GitHub may not have listed all files (docs/rules.md#pushed-branches). */
export async function findPartlyListed(
  db: Pick<Database, 'query'>,
  repositoryId: bigint,
  now: Date,
): Promise<string[]> {
  const { rows } = await db.query<{ branch: string }>(
    `select pushed.branch
       from pushed_branches as pushed
         join activities as activity on activity.repository_id = $1 and activity.id = pushed.activity_id
         join activity_changes as changes
           on changes.repository_id = $1 and changes.activity_id = pushed.activity_id and changes.by = 'github'
      where pushed.repository_id = $1 and activity.ended_at is null and activity.expires_at > $2 and changes.files_known >= $3
      order by pushed.branch`,
    [repositoryId, now, mostFilesCompared],
  )
  return rows.map(({ branch }) => branch)
}

import { byPathOrder } from '../../../../core/changes/changed-paths.ts'
import type { FileChange } from '../../../../core/changes/file-change.ts'
import { Prisma } from '../../../db/generated/client.ts'
import { type IndexedActivity, indexActivity } from './scope-index.sql.ts'

/** The changes of an activity, as GitHub or the client reports them. */
export interface SavedChanges {
  by: 'github' | 'client'
  headSha: string | null
  files: readonly FileChange[]
  /** How many files are changed. It may be more than `files` holds. */
  filesTotal: number
  readAt: Date
}

/**
 * Saves changes in the transaction that has locked the activity. Returns whether they differ from the saved ones: if
 * only the time of reading differs, the activity keeps its `updated_at` and its version. An empty list of a client
 * deletes what it reported before.
 */
export async function saveChanges(
  tx: Prisma.TransactionClient,
  activity: IndexedActivity,
  { by, headSha, files, filesTotal, readAt }: SavedChanges,
): Promise<boolean> {
  if (by === 'client' && files.length === 0) return forgetChanges(tx, activity, by, readAt)
  const { repository_id, id } = activity
  const json = filesJson(files)
  const repeated = await tx.$executeRaw`
    update activity_changes set read_at = ${readAt}
     where repository_id = ${repository_id} and activity_id = ${id} and by = ${by}
       and head_sha is not distinct from ${headSha} and files_total = ${filesTotal} and files = ${json}::jsonb`
  if (repeated > 0) return false
  await tx.$executeRaw`
    insert into activity_changes (repository_id, activity_id, by, head_sha, files, files_total, read_at)
    values (${repository_id}, ${id}, ${by}, ${headSha}, ${json}::jsonb, ${filesTotal}, ${readAt})
    on conflict (repository_id, activity_id, by) do update
       set head_sha = excluded.head_sha, files = excluded.files, files_total = excluded.files_total, read_at = excluded.read_at`
  await changesDiffer(tx, activity, readAt)
  return true
}

/** The order of the files does not matter, so it is not saved. */
function filesJson(files: readonly FileChange[]): string {
  return JSON.stringify([...files].sort(byPathOrder))
}

/** Inserts the changes of an activity that a CTE named `inserted` inserts. */
export function insertedChanges({ by, headSha, files, filesTotal, readAt }: SavedChanges): Prisma.Sql {
  return Prisma.sql`
    insert into activity_changes (repository_id, activity_id, by, head_sha, files, files_total, read_at)
    select repository_id, id, ${by}, ${headSha}, ${filesJson(files)}::jsonb, ${filesTotal}, ${readAt} from inserted`
}

/**
 * Deletes the changes that GitHub or the client reported. Returns whether there were any. The transaction has locked
 * the activity.
 */
export async function forgetChanges(
  tx: Prisma.TransactionClient,
  activity: IndexedActivity,
  by: SavedChanges['by'],
  now: Date,
): Promise<boolean> {
  const { repository_id, id: activity_id } = activity
  const { count } = await tx.changedFiles.deleteMany({ where: { repository_id, activity_id, by } })
  if (count === 0) return false
  await changesDiffer(tx, activity, now)
  return true
}

async function changesDiffer(tx: Prisma.TransactionClient, activity: IndexedActivity, now: Date): Promise<void> {
  const { repository_id, id } = activity
  await tx.$executeRaw`
    update activities
       set updated_at = greatest(updated_at, ${now}), work_changed_at = greatest(updated_at, ${now}),
           has_changes = exists (select from activity_changes where repository_id = ${repository_id} and activity_id = ${id})
     where repository_id = ${repository_id} and id = ${id}`
  await indexActivity(tx, activity)
}

/** A row of `activity_changes`. */
export interface ChangesRow {
  activity_id: string
  by: 'github' | 'client'
  head_sha: string | null
  files: FileChange[]
  files_total: number
  read_at: Date
}

/** The saved changes of these activities, in no order. */
export function loadChanges(
  db: Prisma.TransactionClient,
  repositoryId: bigint,
  activityIds: readonly string[],
): Promise<ChangesRow[]> {
  return db.$queryRaw<ChangesRow[]>`
    select activity_id, by, head_sha, files, files_total, read_at from activity_changes
     where repository_id = ${repositoryId} and activity_id = any(${activityIds})`
}

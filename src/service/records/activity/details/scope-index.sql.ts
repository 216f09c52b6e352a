import { changedPaths } from '../../../../core/changes/changed-paths.ts'
import { collapsePaths } from '../../../../core/changes/collapse-paths.ts'
import type { FileChange } from '../../../../core/changes/file-change.ts'
import type { Activity as ActivityRow, Prisma } from '../../../db/generated/client.ts'
import { indexEntries } from '../../../db/sql/index-entries.sql.ts'
import { isDeclared } from '../source.ts'

/** The limit on the globs of the changed files of one activity in the index. */
const maxChangedGlobs = { globs: 300, bytes: Number.POSITIVE_INFINITY }

export type IndexedActivity = Pick<
  ActivityRow,
  'repository_id' | 'id' | 'area_keys' | 'paths' | 'source' | 'edited_fields'
>

/**
 * The index entries of an activity: those of its scope, if a person declared it, and those of its changed files. More
 * than 300 paths are folded into directories. Entries of changed files prove no overlap by themselves.
 */
export function activityEntries(
  activity: IndexedActivity,
  files: readonly Pick<FileChange, 'path' | 'previous_path'>[],
) {
  const { area_keys, paths } = isDeclared(activity) ? activity : { area_keys: [], paths: [] }
  return indexEntries({ area_keys, paths, changed: collapsePaths(changedPaths(files), maxChangedGlobs) })
}

/** Updates the scope keys of an activity to its scope and its changed files. */
export async function indexActivity(tx: Prisma.TransactionClient, activity: IndexedActivity): Promise<void> {
  const { repository_id, id } = activity
  const files = await tx.$queryRaw<Pick<FileChange, 'path' | 'previous_path'>[]>`
    select file ->> 'path' as path, file ->> 'previous_path' as previous_path
      from activity_changes, jsonb_array_elements(files) as file
     where repository_id = ${repository_id} and activity_id = ${id}`
  await tx.$executeRaw`
    with entry as materialized (select kind, key, tail, extent from ${activityEntries(activity, files)}),
    removed as (
      delete from scope_keys as old
       where old.repository_id = ${repository_id} and old.activity_id = ${id}
         and not exists (select from entry where entry.kind = old.kind and entry.key = old.key and entry.tail = old.tail))
    insert into scope_keys as known (repository_id, kind, key, tail, extent, activity_id)
    select ${repository_id}, entry.kind, entry.key, entry.tail, entry.extent, ${id} from entry
    on conflict (repository_id, kind, key, activity_id, tail) do update set extent = excluded.extent
     where known.extent <> excluded.extent`
}

import type { Transaction } from '../db/retry.ts'
import { changedFilesOf, difference, type FileColumns, saveChangedFiles } from '../records/changes.ts'
import { keyOf } from '../records/ids.ts'
import { touched } from '../records/lifecycle.ts'
import { placesOf, savePlaces } from '../records/places.ts'
import { lockPull, type Observing } from './pulls.ts'
import { liveActivity, moveHeartbeat, summaryOf } from './save-pull.ts'

/** What was read of a head: its files as they are stored, and its commits. */
export interface ReadHead {
  number: number
  headSha: string
  baseBranch: string
  files: FileColumns[]
  filesTotal: number
  commits: string[]
  /** The committer date of the head; null where GitHub does not say. */
  committedAt: Date | null
}

/** Saves the files and commits of a head. Nothing is kept where the head or the base has moved on: then it returns false. */
export async function saveFiles(tx: Transaction, { repository, now }: Observing, read: ReadHead): Promise<boolean> {
  const row = await lockPull(tx, repository.id, read.number)
  if (!row?.is_open || row.head_sha !== read.headSha || row.base_branch !== read.baseBranch) return false
  const committedAt = read.committedAt ?? row.opened_at
  // A commit may say any time, and a push is never later than what GitHub says.
  const pushed_at = row.pushed_at ?? (committedAt < row.github_updated_at ? committedAt : row.github_updated_at)
  const activity = await liveActivity(tx, row)
  if (activity) {
    const changes = { changes_by: 'github', changes_head: read.headSha, changes_commits: read.commits } as const
    const data = {
      ...changes,
      changes_total: read.filesTotal,
      changes_read_at: now,
      updated_at: touched(activity, now),
    }
    await tx.activity.update({
      where: keyOf(activity),
      data: { ...data, summary: summaryOf(row.number, read.filesTotal) },
    })
    await moveHeartbeat(tx, activity, pushed_at)
    await saveChangedFiles(tx, activity, difference(await changedFilesOf(tx, activity), read.files))
    await savePlaces(tx, activity, placesOf({ ...activity, changes_total: read.filesTotal }, read.files))
  }
  const done = { read_head: read.headSha, read_after: null, attempts: 0, pushed_at }
  const where = { repository_id_number: { repository_id: repository.id, number: row.number } }
  await tx.pullRequest.update({ where, data: { ...done, updated_at: touched(row, now) } })
  return true
}

import { notFound } from '../../../core/errors.ts'
import type { Activity, ActivityUpdate } from '../../../core/schemas/activity.ts'
import type { Overlap } from '../../../core/schemas/overlap.ts'
import type { Context } from '../../context.ts'
import type { Prisma } from '../../db/generated/client.ts'
import { presentAndCheck } from '../../overlap/check-proposal.ts'
import {
  type ActivityColumns,
  type ActivityRow,
  changeActivity,
  expireIfDue,
  lockActivity,
} from '../../records/activity/activities.sql.ts'
import { applyUpdate } from '../../records/activity/apply-update.ts'
import { saveChanges } from '../../records/activity/details/changes.sql.ts'
import { clientChanges } from '../../records/activity/details/client-changes.ts'
import { detailsOf } from '../../records/activity/details/load-details.ts'
import { indexActivity } from '../../records/activity/details/scope-index.sql.ts'
import { requireActivity } from '../../records/activity/get.ts'
import { presentActivity } from '../../records/activity/present.ts'
import { lockHeadsOf } from '../../records/activity/pull-request/lock-heads.sql.ts'
import {
  type LinkColumns,
  noLink,
  parsePullRequestUrl,
  resolveLink,
} from '../../records/activity/pull-request/pull-request-link.ts'
import { putAside } from '../../records/activity/pull-request/put-aside.sql.ts'
import { isObserved } from '../../records/activity/source.ts'
import { changedBy } from '../../records/history/changed-by.ts'

/**
 * Changes the fields that were sent. The row is locked, so that concurrent changes of other fields are kept and the status
 * is checked against the stored one (docs/rules.md#updating-records). Throws `validation_failed`, `not_found`, `invalid_transition`, `observed`, and what
 * `resolveLink` throws.
 */
export async function updateActivity(context: Context, id: string, update: ActivityUpdate): Promise<Activity> {
  const row = await saveUpdate(context, id, update)
  return presentActivity(row, context.now, await detailsOf(context, row, { files: false }))
}

/**
 * Changes an activity as `updateActivity`, and then checks it for overlap. The check begins after the change has
 * committed: of two concurrent changes that make the activities collide, at least one sees the other
 * (docs/rules.md#concurrent-creates).
 */
export async function updateAndCheck(
  context: Context,
  id: string,
  update: ActivityUpdate,
): Promise<{ activity: Activity; overlap: Overlap }> {
  return presentAndCheck(context, await saveUpdate(context, id, update), Boolean(update.changes))
}

async function saveUpdate(context: Context, id: string, update: ActivityUpdate): Promise<ActivityRow> {
  const { db, now, repository, settings } = context
  const url = update.pr_url ? parsePullRequestUrl(update.pr_url, context.githubServerUrl).url : update.pr_url
  const before = await requireActivity(context, id)
  const link = await changedLink(context, before, url)
  const branch = update.branch === undefined ? before.branch : update.branch
  await expireIfDue(db, repository.id, id, now)
  const row = await db.transaction(async (tx) => {
    if (mayChangeCovering(before, update)) await lockHeadsOf(tx, [before, { ...before, branch, ...link }])
    const locked = await lockActivity(tx, repository.id, id)
    if (!locked) throw notFound()
    const isLinked = url === undefined || url === locked.pr_url
    if (!isLinked && link === undefined) return null
    const columns = applyUpdate(locked, update, { now, settings, link: isLinked ? undefined : link })
    const changed = await saveColumns(tx, locked, columns, changedBy(context))
    if (isObserved(changed) && columns.ended_at) await putAside(tx, changed, context.viewer.account()?.login ?? null)
    return saveClientChanges(tx, changed, update.changes, now)
  })
  // Another request changed the link after it was read, so it has to be resolved now.
  return row ?? saveUpdate(context, id, update)
}

/** An unchanged link keeps its repository id; no request to GitHub is made (docs/rules.md#pull-request-links). */
async function changedLink(
  context: Context,
  before: ActivityRow,
  url: string | null | undefined,
): Promise<LinkColumns | undefined> {
  if (url === undefined || url === before.pr_url) return undefined
  return url === null ? noLink : resolveLink(context, url)
}

/** Whether the update may change which activity covers a pull request (docs/rules.md#covered-work). */
function mayChangeCovering(before: ActivityRow, { branch, pr_url, status }: ActivityUpdate): boolean {
  return branch !== undefined || pr_url !== undefined || (status !== undefined && isObserved(before))
}

async function saveColumns(
  tx: Prisma.TransactionClient,
  row: ActivityRow,
  columns: ActivityColumns,
  by: string,
): Promise<ActivityRow> {
  if (Object.keys(columns).length === 0) return row
  if (columns.paths || columns.area_keys || columns.edited_fields) await indexActivity(tx, { ...row, ...columns })
  // A heartbeat alone leaves no entry in the history.
  return changeActivity(tx, row, columns.updated_at ? { ...columns, changed_by: by } : columns)
}

async function saveClientChanges(
  tx: Prisma.TransactionClient,
  row: ActivityRow,
  changes: ActivityUpdate['changes'],
  now: Date,
): Promise<ActivityRow> {
  if (changes === undefined) return row
  const saved = clientChanges(changes ?? { head_sha: undefined, files: [] }, now)
  const differs = await saveChanges(tx, row, saved)
  return differs ? ((await lockActivity(tx, row.repository_id, row.id)) ?? row) : row
}

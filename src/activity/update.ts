import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { type ActivityRow, changeActivity, expireIfDue, lockActivity } from './activities.sql.ts'
import { applyUpdate } from './apply-update.ts'
import { requireActivity } from './get.ts'
import { detailsOf } from './load-details.ts'
import { presentActivity } from './present.ts'
import { type LinkColumns, noLink, parsePullRequestUrl, resolveLink } from './pull-request-link.ts'
import type { Activity, ActivityUpdate } from './schema.ts'
import { indexActivity } from './scope-index.sql.ts'

/**
 * Changes the fields that were sent. The row is locked, so that concurrent changes of other fields are kept and the status
 * is checked against the stored one (docs/rules.md#updating-records). Throws `validation_failed`, `not_found`, `invalid_transition`, and what
 * `resolveLink` throws.
 */
export async function updateActivity(context: Context, id: string, update: ActivityUpdate): Promise<Activity> {
  const { db, now, repository, settings } = context
  const url = update.pr_url ? parsePullRequestUrl(update.pr_url, context.githubServerUrl).url : update.pr_url
  const before = await requireActivity(context, id)
  const link = await changedLink(context, before, url)
  await expireIfDue(db, repository.id, id, now)
  const row = await db.transaction(async (tx) => {
    const locked = await lockActivity(tx, repository.id, id)
    if (!locked) throw notFound()
    const isLinked = url === undefined || url === locked.pr_url
    if (!isLinked && link === undefined) return null
    const changes = applyUpdate(locked, update, { now, settings, link: isLinked ? undefined : link })
    if (Object.keys(changes).length === 0) return locked
    if (changes.paths || changes.area_keys) await indexActivity(tx, { ...locked, ...changes })
    return changeActivity(tx, locked, changes)
  })
  // Another request changed the link after it was read, so it has to be resolved now.
  if (row === null) return updateActivity(context, id, update)
  return presentActivity(row, now, await detailsOf(context, row, { files: false }))
}

/** An unchanged link keeps its repository id; GitHub is not asked again (docs/rules.md#pull-request-links). */
async function changedLink(
  context: Context,
  before: ActivityRow,
  url: string | null | undefined,
): Promise<LinkColumns | undefined> {
  if (url === undefined || url === before.pr_url) return undefined
  return url === null ? noLink : resolveLink(context, url)
}

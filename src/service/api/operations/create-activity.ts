import type { Activity, ActivityCreate } from '../../../core/schemas/activity.ts'
import type { Overlap } from '../../../core/schemas/overlap.ts'
import { scopeColumns } from '../../../core/scope/columns.ts'
import type { Context } from '../../context.ts'
import { newRecord } from '../../lib/ids.ts'
import { presentAndCheck } from '../../overlap/check-proposal.ts'
import { type ActivityRow, findActivity, insertActivity } from '../../records/activity/activities.sql.ts'
import { clientChanges } from '../../records/activity/details/client-changes.ts'
import { firstExpiry } from '../../records/activity/lifetime.ts'
import { noLink, parsePullRequestUrl, resolveLink } from '../../records/activity/pull-request/pull-request-link.ts'
import { changedBy } from '../../records/history/changed-by.ts'
import { type Created, createOnce } from '../../records/idempotency/create-once.ts'
import { rememberRepository } from '../../records/repository/repository-store.ts'

export interface CreatedActivity {
  activity: Activity
  overlap: Overlap
}

/**
 * Creates an activity, and then checks it for overlap. The check begins after the insert has committed, so of two
 * creates that collide the later one sees the earlier (docs/rules.md#concurrent-creates). Throws `validation_failed`, `limit_reached`,
 * `idempotency_key_reused`, and what `resolveLink` throws.
 */
export async function createActivity(
  context: Context,
  input: ActivityCreate,
  idempotency: string | undefined,
): Promise<Created<CreatedActivity>> {
  if (input.pr_url) parsePullRequestUrl(input.pr_url, context.githubServerUrl)
  const changes = input.changes ? clientChanges(input.changes, context.now) : undefined
  return createOnce<ActivityRow, CreatedActivity>(context, idempotency, {
    input,
    prepare: () => newRow(context, input),
    insert: (tx, row) => insertActivity(tx, row, changes, changedBy(context)),
    find: (id) => findActivity(context.db, context.repository.id, id),
    answer: (row) => presentAndCheck(context, row, changes !== undefined),
  })
}

async function newRow(context: Context, input: ActivityCreate): Promise<ActivityRow> {
  const { repository, now, settings } = context
  await context.recordLimiter.assertRoom(repository.id, 'activity', now)
  const link = input.pr_url ? await resolveLink(context, input.pr_url) : noLink
  await rememberRepository(context.db, repository, now)
  const account = context.viewer.account()
  const { id, created_at } = newRecord('act', repository.id, now)
  return {
    repository_id: repository.id,
    id,
    title: input.title,
    summary: input.summary,
    actor: input.actor,
    agent: input.agent ?? null,
    status: 'active',
    risk: input.risk,
    branch: input.branch ?? null,
    base_branch: input.base_branch ?? null,
    ...scopeColumns(input.scope),
    ...link,
    draft_pr: input.draft_pr,
    blocking: input.blocking,
    heartbeat_at: null,
    expires_at: firstExpiry(created_at, settings),
    created_at,
    updated_at: created_at,
    archived_at: null,
    archived_reason: null,
    ended_at: null,
    source: 'recorded',
    author_login: account?.login ?? null,
    author_id: account?.id ?? null,
    opened_at: null,
    edited_fields: [],
    work_changed_at: null,
    issues: input.issues,
    issues_from: input.issues.length > 0 ? (input.issues_from ?? null) : null,
    has_changes: (input.changes?.files.length ?? 0) > 0,
  }
}

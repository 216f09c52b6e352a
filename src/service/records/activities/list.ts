import { isLiveStatus } from '../../../core/enums.ts'
import { invalidField } from '../../../core/errors.ts'
import type { ActivityQuery } from '../../../core/schemas/activity.ts'
import type { Context } from '../../context.ts'
import { type Activity, Prisma } from '../../db/generated/client.ts'
import { isLive } from '../lifecycle.ts'
import { type Page, pageOf } from '../page.ts'

const { sql } = Prisma

/**
 * One page, newest first. Observed work is listed only to those who may see pull requests, and where no recorded work covers it.
 * Throws `validation_failed` for `mine` of an unknown account.
 */
export async function listActivities(context: Context, query: ActivityQuery): Promise<Page<Activity>> {
  const { limit } = query
  // An expired activity is archived.
  if (query.status === 'expired') return { items: [], next_cursor: null }
  const conditions = [
    sql`repository_id = ${context.repository.id}`,
    hasStatus(query.status, context),
    await isShown(context, query),
    ...filters(query),
    ...(query.mine ? [sql`author_login = ${await ownLogin(context)}`] : []),
  ]
  const rows = await context.prisma.$queryRaw<Activity[]>`
    select * from activities as activity where ${Prisma.join(conditions, ' and ')} order by id desc limit ${limit + 1}`
  return pageOf(rows, limit)
}

function hasStatus(status: ActivityQuery['status'], context: Context): Prisma.Sql {
  const [now, purgedUntil] = [context.now(), context.purgedUntil()]
  if (status === undefined) return isLive(now)
  if (isLiveStatus(status)) return sql`status = ${status} and ${isLive(now)}`
  const hasEnded = sql`status = ${status} and ended_at > ${purgedUntil}`
  if (status !== 'archived') return hasEnded
  return sql`(${hasEnded} or (ended_at is null and expires_at <= ${now} and expires_at > ${purgedUntil}))`
}

async function isShown(context: Context, { source }: ActivityQuery): Promise<Prisma.Sql> {
  const isRecorded = sql`source = 'recorded'`
  if (source === 'recorded' || !context.settings.values.enabled || !(await context.seesPulls())) return isRecorded
  return sql`(${isRecorded} or not exists (
    select from activities as cover
     where cover.repository_id = ${context.repository.id} and cover.pr_number = activity.pr_number
       and cover.source = 'recorded' and ${isLive(context.now())}))`
}

function filters({ risk, actor, branch, has_pr, draft_pr_only, source, issue, cursor }: ActivityQuery): Prisma.Sql[] {
  const all: (Prisma.Sql | false)[] = [
    risk !== undefined && sql`risk = ${risk}::"Level"`,
    actor !== undefined && sql`actor = ${actor}`,
    branch !== undefined && sql`branch = ${branch}`,
    has_pr !== undefined && (has_pr ? sql`pr_url is not null` : sql`pr_url is null`),
    draft_pr_only === true && sql`draft_pr`,
    source !== undefined && sql`source = ${source}::"Source"`,
    issue !== undefined && sql`${issue}::integer = any(issues)`,
    cursor !== undefined && sql`id < ${cursor}`,
  ]
  return all.filter((one) => one !== false)
}

async function ownLogin(context: Context): Promise<string> {
  const login = await context.login()
  if (login === null) throw invalidField('mine', 'the account of this token is not known')
  return login
}

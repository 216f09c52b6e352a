import { notFound } from '../../../core/errors.ts'
import type { Context } from '../../context.ts'
import { type Activity, Prisma } from '../../db/generated/client.ts'
import { isId } from '../ids.ts'
import type { SettingValues } from '../settings.ts'

export interface Beat {
  /** When the sign of life was: a push may be told late. */
  at: Date
  now: Date
  settings: Pick<SettingValues, 'activity_ttl_ms' | 'max_activity_ttl_ms'>
}

export type Beaten = Pick<Activity, 'id' | 'status' | 'heartbeat_at' | 'expires_at'>

/**
 * One statement. The expiry never comes nearer, and does not go beyond the longest life. Work whose time is over is archived first,
 * so that what was answered as archived never lives again. An observed pull request has no expiry, and gets none.
 */
function update(which: Prisma.Sql, { at, now, settings }: Beat) {
  const isDue = Prisma.sql`(ended_at is null and expires_at <= ${now}::timestamptz)`
  const until = new Date(at.getTime() + settings.activity_ttl_ms)
  return Prisma.sql`
    update activities
       set heartbeat_at = greatest(heartbeat_at, ${at}::timestamptz),
           expires_at = case when expires_at is not null then greatest(expires_at, least(${until}::timestamptz,
             created_at + ${settings.max_activity_ttl_ms}::float8 * interval '1 millisecond')) end,
           status = case when ${isDue} then 'archived' else status end,
           archived_reason = case when ${isDue} then 'expired' else archived_reason end,
           archived_at = case when ${isDue} then expires_at else archived_at end,
           ended_at = case when ${isDue} then expires_at else ended_at end,
           updated_at = case when ${isDue} then greatest(updated_at, expires_at) else updated_at end
     where ${which}
     returning id, status, heartbeat_at, expires_at`
}

/** Throws `not_found`. Work that has ended answers as well, and stays ended. */
export async function heartbeat(context: Context, id: string): Promise<Beaten> {
  if (!isId('act', id)) throw notFound()
  // Observed work is asked for only where there is no recorded: who may see it is a question to GitHub.
  const beaten =
    (await beat(context, id, 'recorded')) ?? ((await context.seesPulls()) && (await beat(context, id, 'pull_request')))
  if (!beaten) throw notFound()
  return beaten
}

async function beat(context: Context, id: string, source: Activity['source']): Promise<Beaten | undefined> {
  const now = context.now()
  const which = Prisma.sql`repository_id = ${context.repository.id} and id = ${id} and source = ${source}::"Source"
    and coalesce(ended_at, expires_at, 'infinity') > ${context.purgedUntil()}::timestamptz`
  const [row] = await context.prisma.$queryRaw<Beaten[]>(
    update(which, { at: now, now, settings: context.settings.values }),
  )
  return row
}

/** The same for the live recorded work on a branch that was created no later. */
export async function beatBranch(
  tx: Prisma.TransactionClient,
  { repositoryId, branch, createdUntil }: { repositoryId: bigint; branch: string; createdUntil: Date },
  beat: Beat,
): Promise<void> {
  const which = Prisma.sql`repository_id = ${repositoryId} and branch = ${branch} and source = 'recorded'
    and ended_at is null and expires_at > ${beat.now}::timestamptz and created_at <= ${createdUntil}::timestamptz`
  await tx.$queryRaw(update(which, beat))
}

/** The columns of a heartbeat in a PATCH, which has locked the row and judged its expiry. */
export function beatColumns({ heartbeat_at, expires_at, created_at }: Activity, { at, settings }: Beat) {
  const longest = created_at.getTime() + (settings.max_activity_ttl_ms ?? Number.POSITIVE_INFINITY)
  const until = Math.min(at.getTime() + settings.activity_ttl_ms, longest)
  return {
    heartbeat_at: heartbeat_at !== null && heartbeat_at > at ? heartbeat_at : at,
    expires_at: expires_at && new Date(Math.max(expires_at.getTime(), until)),
  }
}

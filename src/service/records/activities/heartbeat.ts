import { notFound } from '../../../core/errors.ts'
import type { Context } from '../../context.ts'
import { type Activity, Prisma } from '../../db/generated/client.ts'
import type { Transaction } from '../../db/retry.ts'
import { isId } from '../ids.ts'
import { isLive } from '../lifecycle.ts'
import type { SettingValues } from '../settings.ts'

const { sql } = Prisma

export interface Beat {
  repositoryId: bigint
  /** When the work showed life: a push may be told late. Null: the time at which the row is locked. */
  at: Date | null
  settings: Pick<SettingValues, 'activity_ttl_ms' | 'max_activity_ttl_ms'>
}

export type Beaten = Pick<Activity, 'id' | 'status' | 'heartbeat_at' | 'expires_at'>

/**
 * One statement. The expiry never comes nearer, and does not go beyond the longest life. Work whose time is over is archived first,
 * so that what was answered as archived never lives again: `turn.now` is read once the rows are locked. An observed pull request has
 * no expiry, and gets none.
 */
export function beatStatement(which: Prisma.Sql, { repositoryId, at, settings }: Beat) {
  const isDue = sql`(ended_at is null and expires_at <= turn.now)`
  const sign = sql`coalesce(${at}::timestamptz, turn.now)`
  const after = (time: Prisma.Sql, ms: number | null) => sql`${time} + ${ms}::float8 * interval '1 millisecond'`
  return sql`
    with locked as materialized (
      select id from activities where repository_id = ${repositoryId} and ${which} order by id for update
    ), turn as materialized (
      select array_agg(id) as ids, clock_timestamp() as now from locked
    )
    update activities
       set heartbeat_at = greatest(heartbeat_at, ${sign}),
           expires_at = case when expires_at is not null then greatest(expires_at, least(
             ${after(sign, settings.activity_ttl_ms)}, ${after(sql`created_at`, settings.max_activity_ttl_ms)})) end,
           status = case when ${isDue} then 'archived' else status end,
           archived_reason = case when ${isDue} then 'expired' else archived_reason end,
           archived_at = case when ${isDue} then expires_at else archived_at end,
           ended_at = case when ${isDue} then expires_at else ended_at end,
           updated_at = case when ${isDue} then greatest(updated_at, expires_at) else updated_at end
      from turn
     where repository_id = ${repositoryId} and id = any(turn.ids)
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

async function beat(
  { prisma, repository, settings, purgedUntil }: Context,
  id: string,
  source: Activity['source'],
): Promise<Beaten | undefined> {
  const which = sql`id = ${id} and source = ${source}::"Source"
    and coalesce(ended_at, expires_at, 'infinity') > ${purgedUntil()}::timestamptz`
  const statement = beatStatement(which, { repositoryId: repository.id, at: null, settings: settings.values })
  const [row] = await prisma.$queryRaw<Beaten[]>(statement)
  return row
}

/** The same for the live recorded work on a branch that was created no later. */
export async function beatBranch(
  tx: Transaction,
  { branch, createdUntil, now }: { branch: string; createdUntil: Date; now: Date },
  beat: Beat,
): Promise<void> {
  const which = sql`branch = ${branch} and source = 'recorded'
    and ${isLive(now)} and created_at <= ${createdUntil}::timestamptz`
  await tx.$queryRaw(beatStatement(which, beat))
}

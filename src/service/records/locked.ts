import { notFound } from '../../core/errors.ts'
import type { Context } from '../context.ts'
import { type Activity, type Notable, Prisma } from '../db/generated/client.ts'
import { inTransaction, type Transaction } from '../db/retry.ts'
import { type IdPrefix, isId } from './ids.ts'

const { sql } = Prisma

/**
 * The rows that a transaction is about to change, as they are once nobody else changes them. Pull requests are locked before
 * activities, and these by id, so that nobody waits in a circle.
 */

/** Where records of one kind are, and which of them are not shown any more. */
export interface Kind<Row> {
  table: 'activities' | 'notables'
  prefix: IdPrefix
  isPurged(row: Row, purgedUntil: Date): boolean
}

/** Runs a change of a record that nobody else changes meanwhile, at the time when its turn comes. Throws `not_found`. */
export function changeLocked<Row, Result>(
  { prisma, repository, now, purgedUntil }: Context,
  { table, prefix, isPurged }: Kind<Row>,
  id: string,
  change: (tx: Transaction, row: Row, now: Date) => Promise<Result>,
): Promise<Result> {
  if (!isId(prefix, id)) throw notFound()
  return inTransaction(prisma, async (tx) => {
    const [row] = await tx.$queryRaw<Row[]>`
      select * from ${Prisma.raw(table)} where repository_id = ${repository.id} and id = ${id} for update`
    if (!row || isPurged(row, purgedUntil())) throw notFound()
    return change(tx, row, now())
  })
}

/** The recorded work on a branch that nobody has ended, and that which will merge into `base`. It may have expired. */
export function lockBranch(
  tx: Transaction,
  repositoryId: bigint,
  branch: string,
  base: string | null,
): Promise<Activity[]> {
  return lockRecorded(tx, repositoryId, sql`ended_at is null and (branch = ${branch} or base_branch = ${base})`)
}

/** The recorded work with a pull request, or on its head branch; ended work too. */
export function lockPullWork(
  tx: Transaction,
  repositoryId: bigint,
  { number, head }: { number: number; head: string | null },
): Promise<Activity[]> {
  return lockRecorded(tx, repositoryId, sql`(pr_number = ${number} or branch = ${head})`)
}

function lockRecorded(tx: Transaction, repositoryId: bigint, which: Prisma.Sql): Promise<Activity[]> {
  return tx.$queryRaw`
    select * from activities where repository_id = ${repositoryId} and source = 'recorded' and ${which}
     order by id for update`
}

/** The active ones of these notables. */
export function lockNotables(tx: Transaction, repositoryId: bigint, ids: string[]): Promise<Notable[]> {
  return tx.$queryRaw`
    select * from notables where repository_id = ${repositoryId} and id = any(${ids}) and status = 'active'
     order by id for update`
}

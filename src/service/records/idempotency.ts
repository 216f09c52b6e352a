import type { Context } from '../context.ts'
import { isDuplicate } from '../db/errors.ts'
import { Prisma } from '../db/generated/client.ts'
import type { Kind } from './locked.ts'

/**
 * Creates a record, or finds the one that the same request made before. Of two at once, the database lets one create it. `create`
 * does it again by itself where PostgreSQL has undone it.
 */
export async function createOnce<Row extends { id: string }>(
  context: Context,
  kind: Kind<Row>,
  create: () => Promise<Row>,
): Promise<Row> {
  const { idempotencyKey: key, headers } = context
  if (key === null) return create()
  const before = await findByKey(context, kind, key)
  const row = before ?? (await create().catch((error: unknown) => (isDuplicate(error) ? null : Promise.reject(error))))
  if (row !== null && row !== before) return row
  const replayed = row ?? (await findByKey(context, kind, key))
  if (replayed === null) return create()
  headers['Idempotency-Replayed'] = 'true'
  return replayed
}

/** One that is purged is deleted, and is no record: its key makes a new one. */
async function findByKey<Row extends { id: string }>(context: Context, { table, isPurged }: Kind<Row>, key: string) {
  const { prisma, repository, purgedUntil } = context
  const ofTable = Prisma.sql`from ${Prisma.raw(table)} where repository_id = ${repository.id}`
  const [row = null] = await prisma.$queryRaw<Row[]>`select * ${ofTable} and idempotency_key = ${key}`
  if (row === null || !isPurged(row, purgedUntil())) return row
  await prisma.$executeRaw`delete ${ofTable} and id = ${row.id}`
  return null
}

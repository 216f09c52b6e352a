import { randomUUID } from 'node:crypto'
import type { Database } from './database.ts'
import { readDatabaseTime } from './database-clock.ts'

export interface Lease {
  /** Extends the lease; false if another instance has taken it. */
  renew(): Promise<boolean>
}

/**
 * Runs the work if no other instance holds the lease of that name. A lease lasts `holdMs`, so the lease of a crashed
 * instance expires. Returns undefined if another instance holds it. The lease is a row, because a pooler in transaction
 * mode breaks the locks of a session. It uses the time of the database, because the clocks of the instances differ.
 */
export async function withLease<Result>(
  db: Database,
  { name, holdMs }: { name: string; holdMs: number },
  work: (lease: Lease) => Promise<Result>,
): Promise<Result | undefined> {
  const { prisma } = db
  const own = { name, holder: randomUUID() }
  const now = await readDatabaseTime(db)
  await prisma.lease.deleteMany({ where: { name, expires_at: { lte: new Date(now) } } })
  const lease = { ...own, expires_at: new Date(now + holdMs) }
  const { count } = await prisma.lease.createMany({ data: [lease], skipDuplicates: true })
  if (count === 0) return undefined
  async function renew(): Promise<boolean> {
    const expires_at = new Date((await readDatabaseTime(db)) + holdMs)
    const { count } = await prisma.lease.updateMany({ where: own, data: { expires_at } })
    return count === 1
  }
  try {
    return await work({ renew })
  } finally {
    await prisma.lease.deleteMany({ where: own })
  }
}

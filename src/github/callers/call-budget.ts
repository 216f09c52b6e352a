import type { Database } from '../../db/database.ts'

/** How many calls readings may make for one account in an hour. */
export const callsPerHour = 100
const hour = 3_600_000

/**
 * Counts a call of a reading against the hour of the account, which begins with its first call. False if none is left. All
 * instances share the count.
 */
export async function takeCall({ prisma }: Database, account_id: bigint, now: Date): Promise<boolean> {
  const began_at = { gt: new Date(now.getTime() - hour), lte: now }
  const where = { account_id, began_at, calls: { lt: callsPerHour } }
  const takeOne = () => prisma.callBudget.updateMany({ where, data: { calls: { increment: 1 } } })
  if ((await takeOne()).count === 1) return true
  await prisma.callBudget.deleteMany({ where: { account_id, NOT: { began_at } } })
  const first = { account_id, calls: 1, began_at: now }
  const begun = await prisma.callBudget.createMany({ data: [first], skipDuplicates: true })
  // Another call may have begun the hour meanwhile.
  return begun.count === 1 || (await takeOne()).count === 1
}

/** Deletes the counts of hours that are over. */
export async function forgetCalls({ prisma }: Database, now: Date): Promise<void> {
  await prisma.callBudget.deleteMany({ where: { began_at: { lte: new Date(now.getTime() - hour) } } })
}

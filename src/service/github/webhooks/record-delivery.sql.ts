import type { Prisma } from '../../db/generated/client.ts'

/** How long a statement of a delivery may take, and wait for a lock, in ms. GitHub waits 10 s for the answer. */
const statementTimeout = '5000'

/**
 * Records a delivery as handled, in the transaction that handles it. False where its GUID was recorded before. Of two
 * deliveries with one GUID at the same time, the second waits here until the first commits or rolls back.
 *
 * From here on the database ends a statement that takes too long. Prisma's own time limit would wait until it is done.
 */
export async function recordDelivery(
  tx: Prisma.TransactionClient,
  { guid, event, now }: { guid: string; event: string; now: Date },
): Promise<boolean> {
  await tx.$executeRaw`select set_config('statement_timeout', ${statementTimeout}, true)`
  const recorded = await tx.$executeRaw`
    insert into webhook_deliveries (guid, event, handled_at) values (${guid}, ${event}, ${now})
    on conflict (guid) do nothing`
  return recorded === 1
}

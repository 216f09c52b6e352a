import type { Prisma } from '../db/generated/client.ts'

/**
 * Records that the delivery is handled, in the transaction that handles it; false where it was handled before. Of two
 * that come at once the second waits here until the first is done or undone.
 */
export async function recordDelivery(
  tx: Prisma.TransactionClient,
  { guid, event, now }: { guid: string; event: string; now: Date },
): Promise<boolean> {
  const recorded = await tx.$executeRaw`
    insert into webhook_deliveries (guid, event, handled_at) values (${guid}, ${event}, ${now})
    on conflict (guid) do nothing`
  return recorded === 1
}

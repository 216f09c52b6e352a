import { z } from 'zod'
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

const Sacrificed = z.object({
  meta: z.object({
    driverAdapterError: z.object({ cause: z.object({ kind: z.literal('TransactionWriteConflict') }) }),
  }),
})

/** Whether the database ended a transaction so that others get on, as in a deadlock: begun anew it works. */
export function wasSacrificed(error: unknown): boolean {
  return Sacrificed.safeParse(error).success
}

import type { Database } from '../db/database.ts'
import { rememberedForMs } from '../idempotency/store.ts'
import { archiveDueActivities, expireDueNotables, forget, purge } from './sweep-store.ts'

const day = 86_400_000
/** The GUIDs of deliveries are kept for 14 days (docs/rules.md#deliveries). */
const deliveriesKeptForMs = 14 * day

export interface SweepCounts {
  archived: number
  expired: number
  purged_activities: number
  purged_notables: number
  forgotten: number
  /** 1 where the service stops. */
  stopped: number
}

export interface SweepOptions {
  now: Date
  retentionMs: number
  batchSize?: number
  /** Ends the pass after the batch under way: the next one goes on. */
  signal?: AbortSignal
}

/**
 * Saves due expiries and deletes records whose retention is over, in batches of `batchSize` rows
 * (docs/rules.md#retention). No answer depends on it: every answer applies expiry and retention itself. Safe on several
 * instances at once.
 */
export async function sweep(
  db: Database,
  { now, retentionMs, batchSize = 500, signal }: SweepOptions,
): Promise<SweepCounts> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const all = async (step: (size: number) => Promise<number>) => {
    let total = 0
    for (let done = batchSize; done === batchSize && !signal?.aborted; total += done) done = await step(batchSize)
    return total
  }
  return {
    archived: await all((size) => archiveDueActivities(db, now, size)),
    expired: await all((size) => expireDueNotables(db, now, size)),
    purged_activities: await all((size) => purge(db, 'activities', before(retentionMs), size)),
    purged_notables: await all((size) => purge(db, 'notables', before(retentionMs), size)),
    forgotten:
      (await all((size) => forget(db, 'idempotency_keys', before(rememberedForMs), size))) +
      (await all((size) => forget(db, 'webhook_deliveries', before(deliveriesKeptForMs), size))) +
      (await all((size) => forget(db, 'redeliveries', before(deliveriesKeptForMs), size))),
    stopped: signal?.aborted ? 1 : 0,
  }
}

import { forgetSpent } from '../api/session/spent-store.ts'
import type { Database } from '../db/database.ts'
import { endedAfter } from '../lib/retention.ts'
import { deleteOldChanges } from '../live/change-log.sql.ts'
import { deleteEndedPullRequests, deleteOldPushes } from '../observed/forget.sql.ts'
import { keyLifetimeMs } from '../records/idempotency/claims.sql.ts'
import { archiveDueActivities, deleteEnded, deleteOld, expireDueNotables, extendOpenPullRequests } from './sweep.sql.ts'

const day = 86_400_000
/** How long the GUIDs of deliveries are kept, in ms (docs/rules.md#deliveries). */
const deliveryLifetimeMs = 14 * day

/** What a sweep did. The names are those of the log and the metrics. */
export interface SweepCounts {
  archived: number
  expired: number
  purged_activities: number
  purged_notables: number
  forgotten: number
  /** 1 if the service is stopping. */
  stopped: number
}

export interface SweepOptions {
  now: Date
  retentionMs: number
  batchSize?: number
  /** Ends the sweep after the current batch. The next sweep continues. */
  signal?: AbortSignal
}

/**
 * Saves due expiries and deletes records whose retention is over, in batches of `batchSize` rows
 * (docs/rules.md#retention). No response depends on it: every response applies expiry and retention itself. Several
 * instances may sweep at the same time.
 */
export async function sweep(
  db: Database,
  { now, retentionMs, batchSize = 500, signal }: SweepOptions,
): Promise<SweepCounts> {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const ended = endedAfter({ now, retentionMs })
  const all = async (runBatch: (size: number) => Promise<number>) => {
    let total = 0
    for (let done = batchSize; done === batchSize && !signal?.aborted; total += done) done = await runBatch(batchSize)
    return total
  }
  const archived = await all((size) => archiveDueActivities(db, now, size))
  await all((size) => extendOpenPullRequests(db, now, size))
  return {
    archived,
    expired: await all((size) => expireDueNotables(db, now, size)),
    purged_activities: await all((size) => deleteEnded(db, 'activities', ended, size)),
    purged_notables: await all((size) => deleteEnded(db, 'notables', ended, size)),
    forgotten:
      (await all((size) => deleteEndedPullRequests(db, ended, size))) +
      (await all((size) => deleteOldPushes(db, ended, size))) +
      (await all((size) => deleteOld(db, 'idempotency_keys', before(keyLifetimeMs), size))) +
      (await all((size) => deleteOld(db, 'webhook_deliveries', before(deliveryLifetimeMs), size))) +
      (await all((size) => deleteOld(db, 'redeliveries', before(deliveryLifetimeMs), size))) +
      (await all((size) => deleteOldChanges(db, now, size))) +
      (await forgetSpent(db, now)),
    stopped: signal?.aborted ? 1 : 0,
  }
}

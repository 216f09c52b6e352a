import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/database.ts'

export interface LiveRecords {
  /** Recorded ones. */
  activities: number
  observed: number
  notables: number
}

/** The highest count: it bounds the cost of a scrape. */
const maxCount = 100_000

/** Counts the live records of all repositories, up to `maxCount` of each kind. */
export async function countLiveRecords({ prisma }: Database, now: Date): Promise<LiveRecords> {
  const live = { where: { ended_at: null, expires_at: { gt: now } }, take: maxCount }
  const ofSource = (source: string | { not: string }) =>
    prisma.activity.count({ ...live, where: { ...live.where, source } })
  return {
    activities: await ofSource('recorded'),
    observed: await ofSource({ not: 'recorded' }),
    notables: await prisma.notable.count(live),
  }
}

/** How long a count is reported without another one, in ms. */
const freshMs = 30_000
/** How long it is reported while newer counts fail, in ms. */
const usableMs = 120_000
/** How long a scrape waits for a count, in ms. */
const waitMs = 500

/**
 * Reports the number of live records. It counts at most every 30 s, one count at a time. Null if no count is ready in
 * time and the last one is over two minutes old. Never throws.
 */
export function createLiveRecords(
  count: () => Promise<LiveRecords>,
  now: () => number = performance.now.bind(performance),
): () => Promise<LiveRecords | null> {
  let last: { records: LiveRecords; at: number } | null = null
  let counting: Promise<void> | null = null
  let triedAt = Number.NEGATIVE_INFINITY

  async function recount() {
    const began = now()
    triedAt = began
    try {
      last = { records: await count(), at: began }
    } catch {
      // The log, the readiness and the metrics of the pool report the failure.
    } finally {
      counting = null
    }
  }

  return async () => {
    if (now() - triedAt >= freshMs) counting ??= recount()
    if (counting) await Promise.race([counting, sleep(waitMs, undefined, { ref: false })])
    return last && now() - last.at < usableMs ? last.records : null
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { LiveRecords } from './store.ts'

/** For how long a count is shown without another, in ms. */
const freshMs = 30_000
/** For how long one is shown while the database gives no newer one. */
const usableMs = 120_000
/** How long a scrape waits for a count. */
const patienceMs = 500

/**
 * The number of live records for whoever scrapes: counted at most every 30 s, one count at a time. Null where there is none
 * in time, and where the last one is over two minutes old. Never throws.
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
      // The pool's own metrics, the log and the readiness say that the database is away.
    } finally {
      counting = null
    }
  }

  return async function live() {
    if (now() - triedAt >= freshMs) counting ??= recount()
    if (counting) await Promise.race([counting, sleep(patienceMs, undefined, { ref: false })])
    return last && now() - last.at < usableMs ? last.records : null
  }
}

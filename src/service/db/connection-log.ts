import { type Log, messageOf } from '../lib/log.ts'

/** How often the warning is repeated while the database stays unreachable, in milliseconds. */
const repeatMs = 60_000

export interface ConnectionLog {
  /** No connection could be made. */
  lost(error: unknown): void
  /** A connection was made. */
  reached(): void
}

/** Logs once that the database cannot be reached, repeats it rarely, and logs once that it is reached again. */
export function createConnectionLog(log: Log, now: () => number = Date.now): ConnectionLog {
  let outage: { since: number; loggedAt: number } | undefined
  const fields = ({ since }: { since: number }) => ({ since: new Date(since).toISOString(), away_ms: now() - since })
  return {
    lost(error) {
      if (outage && now() - outage.loggedAt < repeatMs) return
      outage = { since: outage?.since ?? now(), loggedAt: now() }
      log.warn({ ...fields(outage), error: messageOf(error) }, 'the database can not be reached')
    },
    reached() {
      if (outage) log.info(fields(outage), 'the database is reached again')
      outage = undefined
    },
  }
}

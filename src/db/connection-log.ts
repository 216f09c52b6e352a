import type pg from 'pg'
import type { Log } from '../lib/log.ts'
import { noConnectionInTime } from './unavailable.ts'
import { wrapConnects } from './wrap-queries.ts'

/** How often it is said again of a database that stays away, in milliseconds. */
const againMs = 60_000

export interface ConnectionLog {
  /** No connection could be made. */
  lost(error: unknown): void
  /** One was made. */
  reached(): void
}

/** Says once that the database can not be reached and once that it is again, and what took place between them rarely. */
export function createConnectionLog(log: Log, now: () => number = Date.now): ConnectionLog {
  let away: { since: number; toldAt: number } | undefined
  const fields = ({ since }: { since: number }) => ({ since: new Date(since).toISOString(), away_ms: now() - since })
  return {
    lost(error) {
      if (away && now() - away.toldAt < againMs) return
      away = { since: away?.since ?? now(), toldAt: now() }
      log.warn({ ...fields(away), error: messageOf(error) }, 'the database can not be reached')
    },
    reached() {
      if (away) log.info(fields(away), 'the database is reached again')
      away = undefined
    },
  }
}

/** Tells of the database by the connections that the pool makes. A wait for one that others use says nothing of it. */
export function logConnections(pool: pg.Pool, log: Log): void {
  const outage = createConnectionLog(log)
  pool.on('connect', () => outage.reached())
  wrapConnects(pool, () => (error) => {
    if (!error || pool.ending || (error instanceof Error && error.message === noConnectionInTime)) return
    outage.lost(error)
  })
}

/** Where a name has several addresses, each has failed in its own way. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join('; ')
  return error instanceof Error ? error.message : 'unknown'
}

import { Gauge, type Registry } from 'prom-client'
import type { Database } from '../db/database.ts'
import type { DatabaseClock } from '../db/database-clock.ts'
import type { GithubAccess } from '../github/access/access.ts'
import type { Credential } from '../lib/service-events.ts'
import { countLiveRecords, createLiveRecords } from './live-records.ts'

export interface GaugeSources {
  db: Database
  access: Pick<GithubAccess, 'cachedPermissions'>
  /** The open streams and the repositories that they watch. */
  live(): { streams: number; repositories: number }
  /** What clients have not read yet, and what watched repositories hold, in bytes. */
  liveBytes(): { unread: number; watched: number }
  clock: Pick<DatabaseClock, 'now' | 'aheadMs'>
}

type Remaining = Record<Credential, { lowest(): number | null }>

type Values = Readonly<Record<string, number | null>>

/** Adds the gauges that are read during a scrape. An unknown value has no series, rather than a wrong value. */
export function addGauges(registry: Registry, sources: GaugeSources & { remaining: Remaining }): void {
  const gauge = (name: string, help: string, label: string, read: () => Values | Promise<Values>) =>
    new Gauge({
      name: `headsup_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      async collect() {
        const values = Object.entries(await read())
        this.reset()
        for (const [key, value] of values) if (value !== null) this.set({ [label]: key }, value)
      },
    })
  const { remaining, db, access, live, liveBytes, clock } = sources
  const liveRecords = createLiveRecords(() => countLiveRecords(db, clock.now()))
  gauge('permission_cache_entries', 'Entries in the permission cache.', 'question', () => access.cachedPermissions())
  gauge('github_rate_limit_remaining', 'Lowest remaining calls that GitHub reported recently.', 'asker', () => ({
    caller: remaining.caller.lowest(),
    installation: remaining.installation.lowest(),
    app: remaining.app.lowest(),
  }))
  gauge('live_watches', 'Open streams of events, and repositories that are watched.', 'what', () => ({ ...live() }))
  gauge('live_bytes', 'What clients have not read yet, and what watched repositories hold.', 'what', () => ({
    ...liveBytes(),
  }))
  gauge('clock_ahead_seconds', 'How far the clock of this machine is ahead.', 'of', () => ({
    database: clock.aheadMs() / 1_000,
  }))
  // Before the live records, whose count takes a connection.
  gauge('db_pool_connections', 'Connections of the pool; waiting: requests for a connection.', 'state', () =>
    db.connections(),
  )
  gauge('live_records', 'Live records, counted at most every 30 s and up to 100000.', 'kind', async () => ({
    ...(await liveRecords()),
  }))
}

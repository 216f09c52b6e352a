import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import { isUtc, UtcClient } from './connect.ts'
import { createConnectionLog } from './connection-log.ts'
import { isDatabaseUnavailable, messageOf } from './errors.ts'

/** The oldest supported version of PostgreSQL (docs/rules.md#environment-variables). */
const oldestVersion = 140_000

/**
 * Waits until the database responds. Throws `StartError` if it does not within the time, in milliseconds, rejects the
 * connection, is too old, or has sessions that are not in UTC.
 */
export async function waitForDatabase(
  url: string,
  { timeoutMs, log, leaving }: { timeoutMs: number; log: Log; leaving?: AbortSignal | undefined },
): Promise<void> {
  const deadline = Date.now() + timeoutMs
  const connectionLog = createConnectionLog(log)
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      await assertUsable(url)
      return connectionLog.reached()
    } catch (error) {
      if (error instanceof StartError) throw error
      const message = messageOf(error)
      if (!isDatabaseUnavailable(error)) {
        throw new StartError(`the database of DATABASE_URL refuses: ${message}`, { cause: error })
      }
      if (Date.now() + wait > deadline) {
        throw new StartError(`the database of DATABASE_URL does not answer: ${message}`, { cause: error })
      }
      connectionLog.lost(error)
    }
    await sleep(wait)
    leaving?.throwIfAborted()
  }
}

async function assertUsable(url: string): Promise<void> {
  const client = new UtcClient({ connectionString: url, connectionTimeoutMillis: 5_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ version: string; isUtc: boolean }>(
      `select current_setting('server_version_num') as version, ${isUtc} as "isUtc"`,
    )
    const version = Number(rows[0]?.version)
    if (version < oldestVersion) throw new StartError('the database of DATABASE_URL is older than PostgreSQL 14')
    if (rows[0]?.isUtc !== true) {
      throw new StartError(
        'the sessions of DATABASE_URL are not in UTC: a pooler drops the startup parameters TimeZone and DateStyle, or the database sets them at login; set them to UTC and ISO there',
      )
    }
  } finally {
    await client.end().catch(() => {})
  }
}

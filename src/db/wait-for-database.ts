import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../errors.ts'
import type { Log } from '../lib/log.ts'
import { isUtc, UtcClient } from './connect.ts'
import { createConnectionLog } from './connection-log.ts'
import { isDatabaseUnavailable, messageOf } from './errors.ts'

/** The oldest supported version of PostgreSQL (docs/rules.md#environment-variables). */
const oldestVersion = 140_000

/** How long the database may take to respond at the start, in milliseconds (docs/rules.md#database-start). */
const startTimeoutMs = 30_000

export interface WaitOptions {
  timeoutMs?: number
  log: Log
  leaving?: AbortSignal | undefined
}

/**
 * Waits until the database responds. Throws `StartError` if it does not within the time, in milliseconds, rejects the
 * connection, is too old, or has sessions that are not in UTC.
 */
export function waitForDatabase(url: string, options: WaitOptions): Promise<void> {
  return whileStarting(async () => {
    try {
      await assertUsable(url)
    } catch (error) {
      if (error instanceof StartError || isDatabaseUnavailable(error)) throw error
      throw new StartError(`the database of DATABASE_URL refuses: ${messageOf(error)}`, { cause: error })
    }
  }, options)
}

/**
 * Does a step of the start, and does it again while the database is unavailable. Throws `StartError` if it is for longer than
 * the time, in milliseconds. The step must be one that may be done twice.
 */
export async function whileStarting<Result>(
  step: () => Promise<Result>,
  { timeoutMs = startTimeoutMs, log, leaving }: WaitOptions,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs
  const connectionLog = createConnectionLog(log)
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      const result = await step()
      connectionLog.reached()
      return result
    } catch (error) {
      if (error instanceof StartError || !isDatabaseUnavailable(error)) throw error
      if (Date.now() + wait > deadline) {
        throw new StartError(`the database of DATABASE_URL does not answer: ${messageOf(error)}`, { cause: error })
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

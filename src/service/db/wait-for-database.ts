import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../core/errors.ts'
import { type Log, messageOf } from '../lib/log.ts'
import { isUtc, UtcClient } from './connect.ts'
import { createConnectionLog } from './connection-log.ts'
import { isDatabaseUnavailable } from './database-errors.ts'

/** The oldest supported version of PostgreSQL (docs/rules.md#environment-variables). */
const oldestVersion = 140_000

interface WaitOptions {
  /** How long the database may take to respond, in milliseconds. */
  timeoutMs: number
  log: Log
  signal?: AbortSignal | undefined
  /** Whether it is the embedded PostgreSQL. */
  isEmbedded: boolean
}

/** Waits until the database of `DATABASE_URL` responds, as `retryWhileUnavailable` does. Throws `StartError` too if it can not be used. */
export function waitForDatabase(url: string, options: Omit<WaitOptions, 'isEmbedded'>): Promise<void> {
  return retryWhileUnavailable(() => assertUsable(url).catch(refuseUnlessUnavailable), {
    ...options,
    isEmbedded: false,
  })
}

/** Repeats the work while the database is unavailable. Throws `StartError` if that takes longer than `timeoutMs`. */
export async function retryWhileUnavailable<Result>(
  work: () => Promise<Result>,
  { timeoutMs, log, signal, isEmbedded }: WaitOptions,
): Promise<Result> {
  const deadline = Date.now() + timeoutMs
  const connectionLog = createConnectionLog(log)
  for (let wait = 100; ; wait = Math.min(wait * 2, 2_000)) {
    try {
      const result = await work()
      connectionLog.reached()
      return result
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error
      if (Date.now() + wait > deadline) {
        const name = isEmbedded ? 'the embedded database' : 'the database of DATABASE_URL'
        throw new StartError(`${name} does not answer: ${messageOf(error)}`, { cause: error })
      }
      connectionLog.lost(error)
    }
    await sleep(wait)
    signal?.throwIfAborted()
  }
}

/** Turns any error but an unavailable database into a `StartError`: the database is there, and can not be used. */
function refuseUnlessUnavailable(error: unknown): never {
  if (error instanceof StartError || isDatabaseUnavailable(error)) throw error
  throw new StartError(`the database of DATABASE_URL refuses: ${messageOf(error)}`, { cause: error })
}

async function assertUsable(url: string): Promise<void> {
  const client = new UtcClient({ connectionString: url, connectionTimeoutMillis: 5_000, query_timeout: 5_000 })
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

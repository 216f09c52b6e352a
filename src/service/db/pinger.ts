import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from './connect.ts'
import { readTimeout } from './database-errors.ts'
import type { WriteCheck } from './write-check.ts'

/** How long the connection and the answer to a ping may take, in milliseconds. */
const limitMs = 2_000

export interface Pinger {
  /**
   * Throws unless the server answers within the time, in milliseconds. After a write has failed, it has to write. Returns the
   * least version of Headsup that the database needs, where it was read.
   */
  ping(timeoutMs: number): Promise<string | undefined>
  close(): Promise<void>
}

/**
 * Pings on a connection of its own. On those of the pool a ping would wait behind the requests of a busy service, and
 * every instance would look unavailable. Concurrent callers share one statement.
 */
export function createPinger(url: string, writeCheck: WriteCheck): Pinger {
  const pool = createPool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  })
  // The next ping replaces a connection that breaks. Without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  let pending: Promise<string | undefined> | undefined

  async function send(): Promise<string | undefined> {
    const client = await pool.connect()
    const statement = writeCheck.statement()
    let least: string | undefined
    try {
      const { rows } = await client.query<{ version?: string }>(statement)
      least = rows[0]?.version
      client.release()
    } catch (error) {
      client.release(true)
      throw error
    }
    writeCheck.succeeded(statement)
    return least
  }

  return {
    async ping(timeoutMs) {
      const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error(readTimeout)
      })
      pending ??= send().finally(() => {
        pending = undefined
      })
      return await Promise.race([pending, timeout])
    },
    close: () => pool.end(),
  }
}

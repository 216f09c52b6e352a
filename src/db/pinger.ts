import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { afterTurns } from '../lib/after-turns.ts'
import { createPool, UtcClient } from './connect.ts'
import { isReadTimeout, noConnectionInTime, readTimeout } from './errors.ts'
import type { WriteCheck } from './write-check.ts'

/** How long the connection and the answer to a ping may take, in milliseconds. */
const limitMs = 2_000

export interface Pinger {
  /** Throws unless the server answers within the time, in milliseconds. After a write has failed, it has to write. */
  ping(timeoutMs?: number): Promise<void>
  /** When the last ping was sent, on a monotonic clock in milliseconds. */
  sentAt(): number
  /**
   * Calls the listener with the time of sending when the server has not answered a ping on an open connection in time.
   * Behind a pooler it is never called, since a ping may wait for other clients there. Nor is it for a ping that
   * writes, since that may wait for a lock.
   */
  onNoAnswer(listener: (sentAt: number) => void): void
  close(): Promise<void>
}

/**
 * Pings on a connection of its own. On those of the pool a ping would wait behind the requests of a busy service, and
 * every instance would look unavailable. Concurrent callers share one statement.
 */
export function createPinger(url: string, writeCheck: WriteCheck): Pinger {
  const listeners: ((sentAt: number) => void)[] = []
  const pool = createPool({
    connectionString: url,
    max: 1,
    connectMs: limitMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
  })
  // The next ping replaces a connection that breaks. Without listeners the process would end.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  /** Connections without a pooler: client and server report the same process. */
  const direct = new WeakSet<pg.PoolClient>()
  let pending: Promise<void> | undefined
  let sentAt = Number.NEGATIVE_INFINITY

  async function send(): Promise<void> {
    const client = await pool.connect()
    const statement = writeCheck.statement()
    sentAt = performance.now()
    const timeout = new AbortController()
    try {
      const answer = client.query<{ pid?: number }>(statement)
      const { rows } = await Promise.race([answer, rejectAfter(limitMs, timeout.signal)])
      if (client instanceof UtcClient && client.processID === rows[0]?.pid) direct.add(client)
      client.release()
    } catch (error) {
      client.release(true)
      const isSilent = isReadTimeout(error) && direct.has(client) && writeCheck.isRead(statement)
      if (isSilent) for (const listener of listeners) listener(sentAt)
      throw error
    } finally {
      timeout.abort()
    }
    writeCheck.succeeded(statement)
  }

  return {
    async ping(timeoutMs = 2 * limitMs) {
      const timeout = sleep(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error(noConnectionInTime)
      })
      pending ??= send().finally(() => {
        pending = undefined
      })
      await Promise.race([pending, timeout])
    },
    sentAt: () => sentAt,
    onNoAnswer: (listener) => void listeners.push(listener),
    close: () => pool.end(),
  }
}

/** Rejects after the time. If the process was paused meanwhile, responses that have arrived since are read first. */
function rejectAfter(ms: number, signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const cancel = afterTurns(ms, () => reject(new Error(readTimeout)))
    signal.addEventListener('abort', cancel)
  })
}

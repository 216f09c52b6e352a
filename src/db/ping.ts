import { setTimeout as sleep } from 'node:timers/promises'
import { createPool } from './connect.ts'

export interface Pinger {
  /** Throws unless the database answers within the time, in milliseconds. */
  ping(timeoutMs: number): Promise<void>
  close(): Promise<void>
}

const limits = {
  max: 1,
  /** How long its connection may take to be made, and then to answer; one that is late is closed. */
  connectionTimeoutMillis: 2_000,
  query_timeout: 2_000,
  idleTimeoutMillis: 30_000,
  keepAlive: true,
}

/**
 * Asks the database whether it answers, on a connection of its own: behind the requests of a busy service it would wait for
 * them, and say of every instance at once that it is away. However many ask, and anybody may, there is one question at a time.
 */
export function createPinger(url: string): Pinger {
  const pool = createPool({ connectionString: url, ...limits })
  // A connection that breaks is made anew by the next question; without a listener it would end the process.
  pool.on('error', () => {})
  let underWay: Promise<unknown> | undefined
  return {
    async ping(timeoutMs) {
      underWay ??= pool.query('select 1').finally(() => {
        underWay = undefined
      })
      const overdue = sleep(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Error('timeout exceeded when trying to connect')
      })
      await Promise.race([underWay, overdue])
    },
    close: () => pool.end(),
  }
}

import type pg from 'pg'
import type { Log } from '../lib/log.ts'
import { wrapQueries } from './wrap-queries.ts'

/**
 * Closes the connection of a statement that was given up. `pg` would have it wait for its answer still, and then a transaction
 * whose ROLLBACK is given up as well hands it on as it is: open, and whatever others write on it is never committed.
 *
 * Those that lie idle are closed with it. Where a machine is gone without a word they are dead too, and each would be found out by
 * a request that waits for it; where the statement was slow they cost little to open anew.
 */
export function closeTimedOut(pool: pg.Pool, log: Log): void {
  pool.on('connect', (client) => {
    wrapQueries(client, () => (error) => {
      if (!isOverdue(error)) return
      log.warn({ idle: pool.idleCount }, 'a statement took too long: its connection is closed, and those that are idle')
      void client.end()
      closeIdle(pool)
    })
  })
}

/** `pg` gives no code. */
function isOverdue(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout'
}

/** A pool gives its connections to whoever asks, the idle ones first, and closes what comes back as broken. */
function closeIdle(pool: pg.Pool): void {
  const close = (idle: pg.PoolClient) => idle.release(true)
  for (let left = pool.idleCount; left > 0; left--) pool.connect().then(close, () => {})
}

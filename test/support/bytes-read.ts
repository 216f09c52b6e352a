import type { Database } from '../../src/db/database.ts'
import { FairPool } from '../../src/db/fair-pool.ts'

/** What the database has sent so far on the open connections of the pool, in bytes. */
export function bytesRead({ pool }: Pick<Database, 'pool'>): number {
  if (!(pool instanceof FairPool)) throw new Error('another pool')
  return pool.clients().reduce((sum, { connection: { stream } }) => {
    return sum + ('bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0)
  }, 0)
}

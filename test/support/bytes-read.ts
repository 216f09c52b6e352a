import type { Database } from '../../src/service/db/database.ts'
import { clientsOf } from './database.ts'

/** What the database has sent so far on the open connections of the pool, in bytes. */
export function bytesRead(db: Pick<Database, 'pool'>): number {
  return clientsOf(db).reduce((sum, { connection: { stream } }) => {
    return sum + ('bytesRead' in stream && typeof stream.bytesRead === 'number' ? stream.bytesRead : 0)
  }, 0)
}

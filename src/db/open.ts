import type { EmitEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { createDatabase, type Database, waitForDatabase } from './database.ts'
import { startEmbeddedPostgres } from './embedded/start.ts'
import { migrate } from './migrate.ts'
import { assertSameGithub } from './same-github.ts'

export interface DatabaseOptions {
  /** Absent: the embedded PostgreSQL, with its data in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  githubServerUrl: string
}

export interface OpenDatabase {
  db: Database
  close(): Promise<void>
}

/** How long a `DATABASE_URL` may take to answer at the start, in milliseconds (docs/rules.md#database-start). */
const patience = 30_000

/** The configured PostgreSQL, or the embedded one, with its schema as the program needs it. Throws the reason of `leaving` between two steps. */
export async function openDatabase(
  config: DatabaseOptions,
  { log, observe, leaving }: { log: Log; observe: EmitEvent; leaving?: AbortSignal | undefined },
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  try {
    const url = embedded?.url ?? config.databaseUrl ?? ''
    leaving?.throwIfAborted()
    if (!embedded) await waitForDatabase(url, { timeoutMs: patience, log, leaving })
    await migrate(url, { log, leaving })
    leaving?.throwIfAborted()
    const db = createDatabase(url, { log, observe })
    await assertSameGithub(db, config.githubServerUrl)
    return {
      db,
      async close() {
        await db.close()
        await embedded?.stop()
      },
    }
  } catch (error) {
    await embedded?.stop()
    throw error
  }
}

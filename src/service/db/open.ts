import { StartError } from '../../core/errors.ts'
import type { Log } from '../lib/log.ts'
import type { EmitEvent } from '../lib/service-events.ts'
import { createDatabase, type Database } from './database.ts'
import { type DatabaseClock, readDatabaseTime, startDatabaseClock } from './database-clock.ts'
import { startEmbeddedPostgres } from './embedded/start.ts'
import { migrate } from './migrate.ts'
import { retryWhileUnavailable, waitForDatabase } from './wait-for-database.ts'

export interface DatabaseConfig {
  /** Absent: the embedded PostgreSQL, with its data in `dataDir`. */
  databaseUrl: string | undefined
  dataDir: string
  githubServerUrl: string
}

export interface OpenDatabase {
  db: Database
  clock: DatabaseClock
  close(): Promise<void>
}

/** How long the database may take to respond at the start, in milliseconds (docs/rules.md#database-start). */
export const startTimeoutMs = 30_000

/** Opens the configured or the embedded PostgreSQL and migrates it. Throws the reason of `signal` between two steps. */
export async function openDatabase(
  config: DatabaseConfig,
  { log, emit, signal }: { log: Log; emit: EmitEvent; signal?: AbortSignal | undefined },
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  const url = embedded?.url ?? config.databaseUrl ?? ''
  const db = createDatabase(url, { log, emit })
  async function close(): Promise<void> {
    await db.close()
    await embedded?.stop()
  }
  async function prepare(): Promise<void> {
    await migrate(url, { log, signal })
    signal?.throwIfAborted()
    await assertSameGithub(db, config.githubServerUrl)
  }
  try {
    signal?.throwIfAborted()
    const waiting = { timeoutMs: startTimeoutMs, log, signal, isEmbedded: embedded !== undefined }
    if (!embedded) await waitForDatabase(url, waiting)
    await retryWhileUnavailable(prepare, waiting)
    const clock = await startDatabaseClock(() => readDatabaseTime(db), { log })
    return {
      db,
      clock,
      async close() {
        clock.stop()
        await close()
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Checks that the database belongs to this GitHub server (docs/rules.md#database-start). Throws `StartError`. */
async function assertSameGithub({ prisma }: Database, serverUrl: string): Promise<void> {
  const name = 'github_server_url'
  await prisma.serviceFact.createMany({
    data: [{ name, value: serverUrl, updated_at: new Date() }],
    skipDuplicates: true,
  })
  const fact = await prisma.serviceFact.findUnique({ where: { name } })
  if (fact?.value === serverUrl) return
  throw new StartError(
    `This database belongs to ${String(fact?.value)}, and GITHUB_SERVER_URL is ${serverUrl}. Use another database for another GitHub.`,
  )
}

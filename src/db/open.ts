import { StartError } from '../errors.ts'
import type { EmitEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { createDatabase, type Database } from './database.ts'
import { startEmbeddedPostgres } from './embedded/start.ts'
import { migrate } from './migrate.ts'
import { waitForDatabase, whileStarting } from './wait-for-database.ts'

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

/** Opens the configured or the embedded PostgreSQL and migrates it. Throws the reason of `leaving` between two steps. */
export async function openDatabase(
  config: DatabaseOptions,
  { log, emit, leaving }: { log: Log; emit: EmitEvent; leaving?: AbortSignal | undefined },
): Promise<OpenDatabase> {
  const embedded = config.databaseUrl ? undefined : await startEmbeddedPostgres({ dataDir: config.dataDir, log })
  try {
    const url = embedded?.url ?? config.databaseUrl ?? ''
    leaving?.throwIfAborted()
    if (!embedded) await waitForDatabase(url, { log, leaving })
    await whileStarting(() => migrate(url, { log, leaving }), { log, leaving })
    leaving?.throwIfAborted()
    const db = createDatabase(url, { log, emit })
    await whileStarting(() => assertSameGithub(db, config.githubServerUrl), { log, leaving })
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

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbedded } from '../../src/service/db/embedded.ts'
import { migrate } from '../../src/service/db/migrate.ts'
import { createLog } from '../../src/service/log.ts'
import { githubServerUrl } from './github.ts'
import { useMemory } from './use-memory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A superuser's address of the server of this run, and the database that test files clone; null: they make their own. */
    postgres: { adminUrl: string; template: string | null }
  }
}

const template = 'headsup_template'

/** Nothing has to survive a crash. An unusual time zone and date style: no result may depend on them. */
const settings = [
  ...['fsync = off', 'synchronous_commit = off', 'full_page_writes = off', 'autovacuum = off', 'max_connections = 300'],
  ...["timezone = 'America/St_Johns'", "datestyle = 'SQL, DMY'"],
]

/** Starts one PostgreSQL per run, with a template database that has all tables. `TEST_DATABASE_URL` names a server instead. */
export default async function setup(project: TestProject) {
  const { TEST_DATABASE_URL } = process.env
  if (TEST_DATABASE_URL) return project.provide('postgres', { adminUrl: TEST_DATABASE_URL, template: null })
  const freeMemory = await useMemory()
  const dataDir = await mkdtemp(join(tmpdir(), 'headsup-postgres-'))
  // As root, PostgreSQL runs as another user, who must be able to reach its data.
  await chmod(dataDir, 0o755)
  const log = createLog({ logLevel: 'silent', isOnTerminal: false })
  const ended = () => console.error('the PostgreSQL of the tests has ended')
  const first = await startEmbedded(dataDir, log, ended)
  const admin = new pg.Client({ connectionString: first.url })
  await admin.connect()
  for (const setting of settings) await admin.query(`alter system set ${setting}`)
  await admin.end()
  await first.stop()
  const postgres = await startEmbedded(dataDir, log, ended)
  const creator = new pg.Client({ connectionString: postgres.url })
  await creator.connect()
  await creator.query(`create database ${template}`)
  await creator.end()
  const url = new URL(postgres.url)
  url.pathname = `/${template}`
  await migrate(url.href, githubServerUrl, log)
  project.provide('postgres', { adminUrl: postgres.url, template })
  return async () => {
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
    await freeMemory()
  }
}

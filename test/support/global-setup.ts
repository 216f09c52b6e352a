import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/db/embedded/start.ts'
import { migrate } from '../../src/db/migrate.ts'
import { silentLog } from './log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { adminUrl: string; template: string }
    /** A directory for what the files of a process share; it goes with the run. */
    shared: string
  }
}

const template = 'headsup_template'

/** The server has another time zone, with a half-hour offset, and another date style: no result may depend on either. */
const foreignTime = ['timezone=America/St_Johns', 'datestyle=SQL, DMY']

/** One real PostgreSQL for the run, with a template that every test file clones. Nothing in it has to survive. */
export default async function setup(project: TestProject) {
  const dataDir = await directory()
  const shared = await directory()
  const quick = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'max_connections=300']
  const settings = [...quick, ...foreignTime]
  const postgres = await startEmbeddedPostgres({ dataDir, log: silentLog, settings })
  const admin = new pg.Client({ connectionString: postgres.url })
  await admin.connect()
  await admin.query(`create database ${template}`)
  await admin.end()
  const url = new URL(postgres.url)
  url.pathname = `/${template}`
  await migrate(url.href)
  project.provide('postgres', { adminUrl: postgres.url, template })
  project.provide('shared', shared)
  return async () => {
    await postgres.stop()
    for (const path of [dataDir, shared]) await rm(path, { recursive: true, force: true })
  }
}

/** Where the tests run as root, PostgreSQL runs as another user, who has to reach its data. */
async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'headsup-test-'))
  await chmod(path, 0o755)
  return path
}

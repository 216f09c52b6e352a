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
    /** How many connections each service of the tests has to its database. */
    poolSize: number
  }
}

const template = 'headsup_template'

/** The server has another time zone, with a half-hour offset, and another date style: no result may depend on either. */
const foreignTime = ['timezone=America/St_Johns', 'datestyle=SQL, DMY']

/** What the run has: a PostgreSQL, and a directory for what the files of a process share. */
interface Stage {
  adminUrl: string
  shared: string
  stop(): Promise<void>
}

/** Projects of one run load this file each for itself, in one process: they find the stage of the others here. */
declare global {
  var headsupStages: { started?: Promise<Stage>; users: number } | undefined
}
globalThis.headsupStages ??= { users: 0 }
const stages = globalThis.headsupStages

/** One real PostgreSQL for the run, with a template that every test file clones. Nothing in it has to survive. */
export default async function setup(project: TestProject) {
  stages.users++
  stages.started ??= startStage()
  const { adminUrl, shared, stop } = await stages.started
  project.provide('postgres', { adminUrl, template })
  project.provide('shared', shared)
  return async () => {
    stages.users--
    if (stages.users === 0) await stop()
  }
}

async function startStage(): Promise<Stage> {
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
  return {
    adminUrl: postgres.url,
    shared,
    async stop() {
      await postgres.stop()
      for (const path of [dataDir, shared]) await rm(path, { recursive: true, force: true })
    },
  }
}

/** Where the tests run as root, PostgreSQL runs as another user, who has to reach its data. */
async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'headsup-test-'))
  await chmod(path, 0o755)
  return path
}

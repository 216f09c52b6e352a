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
    /** A directory shared by all test files. It is deleted after the run. */
    shared: string
    /** The pool size of each test service. */
    poolSize: number
  }
}

const template = 'headsup_template'

/** An unusual time zone, with a half-hour offset, and date style: no result may depend on them. */
const foreignTime = ['timezone=America/St_Johns', 'datestyle=SQL, DMY']

/** A PostgreSQL and a shared directory. */
interface TestEnvironment {
  adminUrl: string
  shared: string
  stop(): Promise<void>
}

/** Each project of a run loads this file in the same process. They share one environment. */
declare global {
  var headsupTestEnvironment: { started?: Promise<TestEnvironment>; users: number } | undefined
}
globalThis.headsupTestEnvironment ??= { users: 0 }
const environments = globalThis.headsupTestEnvironment

/** Starts one PostgreSQL per run, with a template database that test files clone. */
export default async function setup(project: TestProject) {
  environments.users++
  environments.started ??= startEnvironment()
  const { adminUrl, shared, stop } = await environments.started
  project.provide('postgres', { adminUrl, template })
  project.provide('shared', shared)
  return async () => {
    environments.users--
    if (environments.users === 0) await stop()
  }
}

async function startEnvironment(): Promise<TestEnvironment> {
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

/** As root, PostgreSQL runs as another user, who must be able to reach its data. */
async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'headsup-test-'))
  await chmod(path, 0o755)
  return path
}

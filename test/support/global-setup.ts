import { execFile } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/service/db/embedded/start.ts'
import { migrate } from '../../src/service/db/migrate.ts'
import { type BundledPrograms, bundlePrograms } from './bundle-program.ts'
import { silentLog } from './log.ts'
import { connect } from './query.ts'
import { useMemory } from './use-memory.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { adminUrl: string; template: string }
    /** A data directory of the service, to be copied: its PostgreSQL was stopped, and has all migrations. */
    usedDataDirectory: string
    /** Each built program as one file, if they are built. */
    bundledPrograms: BundledPrograms | undefined
  }
}

const template = 'headsup_template'

/** An unusual time zone, with a half-hour offset, and date style: no result may depend on them. */
const foreignTime = ['timezone=America/St_Johns', 'datestyle=SQL, DMY']

/** Nothing has to survive a crash of this server, and nobody replicates it. */
const notDurable = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
]

/** Statistics that change in the background would keep databases from being used again. */
const noBackground = ['autovacuum=off']

/** Starts one PostgreSQL per run, with a template database that test files clone. */
export default async function setup(project: TestProject) {
  const freeMemory = await useMemory()
  const dataDir = await directory()
  const usedDataDirectory = await directory()
  const programDirectory = await directory()
  const bundling = bundlePrograms(programDirectory)
  const settings = [...notDurable, ...noBackground, ...foreignTime, 'max_connections=300']
  const options = { dataDir, log: silentLog, settings }
  const first = await startEmbeddedPostgres(options)
  await migrate(first.url)
  await first.stop()
  // It keeps the owner, which Node's own copy does not.
  await promisify(execFile)('cp', ['-a', `${dataDir}/.`, usedDataDirectory])
  const postgres = await startEmbeddedPostgres(options)
  const admin = await connect(postgres.url)
  await admin.query(`create database ${template} template postgres`)
  await hashPasswordOnce(admin)
  await admin.end()
  project.provide('postgres', { adminUrl: postgres.url, template })
  project.provide('usedDataDirectory', usedDataDirectory)
  project.provide('bundledPrograms', await bundling)
  return async () => {
    await postgres.stop()
    for (const path of [dataDir, usedDataDirectory, programDirectory]) await rm(path, { recursive: true, force: true })
    await freeMemory()
  }
}

/** Tests connect thousands of times. By default both sides hash the password 4,096 times for each connection. */
async function hashPasswordOnce(admin: pg.Client): Promise<void> {
  const { user = '', password } = admin
  await admin.query('set scram_iterations = 1')
  await admin.query(`alter role ${admin.escapeIdentifier(user)} password ${admin.escapeLiteral(String(password))}`)
}

/** As root, PostgreSQL runs as another user, who must be able to reach its data. */
async function directory(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'headsup-test-'))
  await chmod(path, 0o755)
  return path
}

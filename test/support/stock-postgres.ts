import { existsSync, readdirSync } from 'node:fs'
import { chown, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { runProgram } from '../../src/service/db/embedded/programs.ts'
import { runServer } from '../../src/service/db/embedded/server.ts'
import { postgresUser } from '../../src/service/db/embedded/user.ts'
import { migrate } from '../../src/service/db/migrate.ts'
import { silentLog } from './log.ts'
import { connect } from './query.ts'
import { publicDirectory } from './scratch.ts'

/** Where Debian and Ubuntu keep the programs of each version. */
const versions = '/usr/lib/postgresql'

/** The oldest version of the system's packages; undefined where there is none. Unlike the embedded PostgreSQL it has JIT. */
export const stockVersion = existsSync(versions)
  ? readdirSync(versions)
      .filter((version) => existsSync(join(versions, version, 'bin/initdb')))
      .sort((a, b) => Number(a) - Number(b))[0]
  : undefined

export interface StockPostgres {
  /** Creates a database with the migrations. */
  createDatabase(): Promise<{ url: string; drop(): Promise<void> }>
  stop(): Promise<void>
}

const settings = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'autovacuum=off']

/** Starts the system's PostgreSQL with an empty data directory, as root as another user. */
export async function startStockPostgres(): Promise<StockPostgres> {
  if (stockVersion === undefined) throw new Error('There is no PostgreSQL of the system')
  const home = await publicDirectory()
  const [directory, bin] = [join(home, 'postgres'), join(versions, stockVersion, 'bin')]
  const user = await postgresUser()
  await mkdir(directory, { mode: 0o700 })
  if (user) await chown(directory, user.uid, user.gid)
  const options = ['--username=headsup', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  await runProgram(join(bin, 'initdb'), ['-D', directory, ...options], user)
  const server = await runServer({ bin, user, directory, password: 'none' }, { settings, log: silentLog })
  await migrate(server.url)
  const at = (database: string) => Object.assign(new URL(server.url), { pathname: `/${database}` }).href
  const admin = await connect(at('template1'))
  let created = 0
  return {
    async createDatabase() {
      const name = `test_${++created}`
      await admin.query(`create database ${name} template postgres`)
      return { url: at(name), drop: async () => void (await admin.query(`drop database ${name} with (force)`)) }
    },
    async stop() {
      await admin.end()
      await server.stop()
      await rm(home, { recursive: true, force: true })
    },
  }
}

/** The global set-up of the tests that need it: says once that they are skipped. */
export default function sayIfSkipped(): void {
  if (stockVersion !== undefined) return
  console.log(`Skipped: the tests of plans on an older PostgreSQL. They need the Debian package postgresql.`)
}

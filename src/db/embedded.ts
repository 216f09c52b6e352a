import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Log } from '../log.ts'
import { lockDataDirectory } from './embedded-lock.ts'
import { preparePrograms, run } from './embedded-programs.ts'
import { type Cluster, supervise } from './embedded-server.ts'
import { isReachableBy, postgresUser } from './embedded-user.ts'

export interface EmbeddedPostgres {
  url: string
  /** Ends PostgreSQL (a fast shutdown) and lets go of the data directory. */
  stop(): Promise<void>
}

/** Where programs and data go when the user who runs PostgreSQL can't reach their usual place. */
const sharedPlace = '/var/lib/headsup'
const superuser = 'headsup'

/**
 * Runs the PostgreSQL that came with npm on its own data (decisions §11): made at the first start, stopped and started
 * again where a `kill -9` of the service left it running, started again where it crashes. Throws `StartError`.
 */
export async function startEmbeddedPostgres({
  dataDir,
  log,
  settings = [],
}: {
  dataDir: string
  log: Log
  /** More settings, as `name=value`. */
  settings?: string[]
}): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true })
  const place = await realpath(dataDir)
  const unlock = await lockDataDirectory(place)
  try {
    const cluster = await prepareCluster(place, log)
    await stopOrphan(cluster, log)
    const port = await freePort()
    const url = `postgresql://${superuser}:${cluster.password}@127.0.0.1:${port}/postgres`
    const stop = await supervise(cluster, { port, url, log, settings })
    return {
      url,
      async stop() {
        await stop()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw error
  }
}

async function prepareCluster(place: string, log: Log): Promise<Cluster> {
  const user = await postgresUser()
  const programs = await preparePrograms(user, sharedPlace)
  const reachable = !user || (await isReachableBy(place, user))
  const home = reachable ? place : join(sharedPlace, createHash('sha256').update(place).digest('hex').slice(0, 16))
  if (!reachable)
    log.warn({ directory: home }, `the data of ${place} is kept where the user of PostgreSQL can reach it`)
  await mkdir(home, { recursive: true, mode: 0o755 })
  const password = await passwordIn(home)
  const cluster = { programs, user, directory: join(home, 'postgres'), password }
  await initialise(cluster)
  return cluster
}

async function passwordIn(home: string): Promise<string> {
  const file = join(home, 'postgres.password')
  await writeFile(file, randomBytes(24).toString('hex'), { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  return (await readFile(file, 'utf8')).trim()
}

/** Makes the cluster beside its place and moves it there when it is whole: a start that is killed leaves nothing half made. */
async function initialise({ programs, user, directory, password }: Cluster): Promise<void> {
  const made = await readFile(join(directory, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (made !== undefined) return
  const fresh = `${directory}.new`
  const passwordFile = `${directory}.pw`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (user) for (const path of [fresh, passwordFile]) await chown(path, user.uid, user.gid)
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions']
  try {
    await run(programs.program('initdb'), ['-D', fresh, '-U', superuser, `--pwfile=${passwordFile}`, ...options], user)
  } finally {
    await rm(passwordFile, { force: true })
  }
  await rm(directory, { recursive: true, force: true })
  await rename(fresh, directory)
}

async function stopOrphan({ programs, user, directory }: Cluster, log: Log): Promise<void> {
  const control = programs.program('pg_ctl')
  const running = await run(control, ['status', '-D', directory], user).then(
    () => true,
    () => false,
  )
  if (!running) return
  log.warn({}, 'stopping the PostgreSQL that an earlier run left behind')
  await run(control, ['stop', '-D', directory, '-m', 'fast', '-w', '-t', '60'], user)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { chown, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../errors.ts'
import type { Log } from '../log.ts'
import { lockDataDirectory } from './embedded-lock.ts'
import { type Programs, preparePrograms, run } from './embedded-programs.ts'
import { isReachableBy, postgresUser, type UnixUser } from './embedded-user.ts'

export interface EmbeddedPostgres {
  url: string
  /** Ends PostgreSQL (a fast shutdown) and lets go of the data directory. */
  stop(): Promise<void>
}

/** Where programs and data go when the user who runs PostgreSQL can't reach their usual place. */
const sharedPlace = '/var/lib/headsup'
const superuser = 'headsup'

interface Cluster {
  programs: Programs
  user: UnixUser | undefined
  directory: string
  password: string
}

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

interface Run {
  port: number
  url: string
  log: Log
  settings: string[]
}

/** Keeps the server running until told to stop. */
async function supervise(cluster: Cluster, run: Run): Promise<() => Promise<void>> {
  let stopping = false
  let child = await launch(cluster, run)
  let exited = watch()

  function watch(): Promise<void> {
    return new Promise((resolve) => {
      child.once('exit', (code, signal) => {
        resolve()
        if (!stopping) void restart(code, signal)
      })
    })
  }

  async function restart(code: number | null, signal: NodeJS.Signals | null) {
    run.log.error({ code, signal }, 'the embedded PostgreSQL ended unexpectedly; starting it again')
    for (let wait = 200; !stopping; wait = Math.min(wait * 2, 10_000)) {
      try {
        child = await launch(cluster, run)
        exited = watch()
        if (stopping) child.kill('SIGINT')
        return
      } catch (error) {
        run.log.error({ error: error instanceof Error ? error.message : 'unknown' }, 'it does not start')
        await sleep(wait)
      }
    }
  }

  return async () => {
    stopping = true
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGINT')
    await exited
  }
}

/** Starts the server and waits until it answers. It has its own process group: Ctrl-C is for the service alone. */
async function launch({ programs, user, directory }: Cluster, { port, url, settings }: Run): Promise<ChildProcess> {
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    ...settings,
  ]
  const child = spawn(
    programs.program('postgres'),
    ['-D', directory, '-p', String(port), ...options.flatMap((option) => ['-c', option])],
    { ...user, cwd: '/', detached: true, stdio: ['ignore', 'ignore', 'pipe'], windowsHide: true },
  )
  let said = ''
  child.stderr?.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-2_000)
  })
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new StartError(`the embedded PostgreSQL does not start: ${said.trim()}`)))
  })
  failed.catch(() => {})
  await Promise.race([failed, untilReady(url)])
  return child
}

async function untilReady(url: string): Promise<void> {
  for (let tries = 0; tries < 1_200; tries++) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await client.end().catch(() => {})
      await sleep(50)
    }
  }
  throw new StartError('the embedded PostgreSQL does not answer')
}

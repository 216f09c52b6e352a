import { createHash, randomBytes } from 'node:crypto'
import { chmod, chown, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { StartError } from '../../core/errors.ts'
import type { Log } from '../log.ts'
import {
  exists,
  isReachable,
  type Programs,
  postgresUser,
  preparePrograms,
  run,
  succeeds,
  system,
  type User,
} from './embedded-programs.ts'
import { freePort } from './free-port.ts'
import { UtcClient } from './prisma.ts'

const superuser = 'headsup'
/** Where programs and data are if the user that runs PostgreSQL can not reach the usual place. */
const shared = '/var/lib/headsup'
/** Any number: whoever holds it is the service of this server. */
const lockId = 4_861_730_002

const settings = [
  ...['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'timezone=UTC', 'log_timezone=UTC'],
  // Errors of statements quote what callers sent.
  ...['log_min_messages=fatal', 'log_min_error_statement=panic', 'log_error_verbosity=terse'],
]

/**
 * PostgreSQL of an npm package, for trying, the demo and the tests: started, or taken over from a service that was killed. Calls
 * `onEnd` if it ends by itself. Throws a `StartError`.
 */
export async function startEmbedded(dataDir: string, log: Log, onEnd: () => void) {
  forgetShell()
  const { given, home, programs } = await prepare(dataDir, log)
  const [data, passwordFile] = [join(home, 'postgres'), join(home, 'postgres.password')]
  if (!(await exists(join(data, 'PG_VERSION')))) await initialise(programs, data, passwordFile)
  const password = (await readFile(passwordFile, 'utf8')).trim()
  const running = await runningPort(programs, data)
  const port = running ?? (await start(programs, data, join(home, 'postgres.log')))
  const stop = () => run(programs, 'pg_ctl', ['stop', '-D', data, '-m', 'fast', '-w'])
  const url = `postgresql://${superuser}:${password}@127.0.0.1:${port}/postgres?sslmode=disable`
  const lock = await takeLock(url, given).catch(async (error: unknown) => {
    if (running === undefined) await stop()
    throw error
  })
  lock.once('end', onEnd)
  return {
    url,
    async stop() {
      lock.off('end', onEnd)
      await lock.end()
      await stop()
    },
  }
}

/** `pg` takes from these what an address does not say. They are about another server. */
function forgetShell(): void {
  for (const name of Object.keys(process.env)) if (name.startsWith('PG')) delete process.env[name]
}

/** The directories, reachable by the user that runs PostgreSQL. */
async function prepare(dataDir: string, log: Log) {
  const wanted = resolve(dataDir)
  // The recursive `mkdir` of Node 20 never returns if a parent takes no directory.
  await run(system, 'mkdir', ['-p', wanted])
  const given = await realpath(wanted)
  const user = await postgresUser()
  if (user === undefined)
    return { given, home: given, programs: { user, bin: await preparePrograms(user, async () => given) } }
  const programs = { user, bin: await preparePrograms(user, () => sharedDirectory(user)) }
  if (await isReachable(given, user)) return { given, home: given, programs }
  const home = join(await sharedDirectory(user), createHash('sha256').update(given).digest('hex').slice(0, 16))
  await run(system, 'mkdir', ['-p', home])
  log.warn({ directory: home }, `the user of PostgreSQL can not reach ${given}: its data is kept elsewhere`)
  return { given, home, programs }
}

async function sharedDirectory({ uid, gid }: User): Promise<string> {
  await run(system, 'mkdir', ['-p', shared])
  await chown(shared, uid, gid)
  await chmod(shared, 0o700)
  return shared
}

async function initialise(programs: Programs, data: string, passwordFile: string): Promise<void> {
  // Renamed when it is complete, so that a killed start leaves no half of it.
  const unfinished = `${data}.new`
  await rm(unfinished, { recursive: true, force: true })
  await run(system, 'mkdir', ['-m', '700', unfinished])
  await writeFor(programs, passwordFile, randomBytes(24).toString('hex'))
  if (programs.user) await chown(unfinished, programs.user.uid, programs.user.gid)
  const options = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions']
  await run(programs, 'initdb', ['-D', unfinished, '-U', superuser, `--pwfile=${passwordFile}`, ...options])
  await rename(unfinished, data)
}

/** A file of the user that runs PostgreSQL alone. */
async function writeFor({ user }: Programs, file: string, text: string): Promise<void> {
  await rm(file, { force: true })
  await writeFile(file, text, { mode: 0o600 })
  if (user) await chown(file, user.uid, user.gid)
}

/** The port of a server that runs on the data; undefined without one. */
async function runningPort(programs: Programs, data: string): Promise<number | undefined> {
  if (!(await succeeds(run(programs, 'pg_ctl', ['status', '-D', data])))) return undefined
  const lines = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
  // After a restart of the machine another program may have that number, and a dead server keeps it until it is reaped. Only Linux tells.
  const state = await readFile(`/proc/${lines[0]}/stat`, 'utf8').catch(() => null)
  if (state === null || /^\d+ \(postgres\) [^ZX]/.test(state)) return Number(lines[3])
  await rm(join(data, 'postmaster.pid'))
  return undefined
}

const startTries = 20

/** What is left of a server that was killed may still be ending: PostgreSQL refuses to start beside it. */
async function start(programs: Programs, data: string, logFile: string): Promise<number> {
  for (let tries = 1; ; tries++) {
    await writeFor(programs, logFile, '')
    const port = await freePort()
    const options = ['-p', String(port), ...settings.map((one) => `-c "${one}"`)].join(' ')
    try {
      await run(programs, 'pg_ctl', ['start', '-D', data, '-l', logFile, '-w', '-o', options])
      return port
    } catch {
      if (tries === startTries) throw new StartError(`PostgreSQL does not start on ${data}: see ${logFile}`)
    }
    await sleep(250)
  }
}

/** The connection that holds the lock for as long as this process lives. */
async function takeLock(url: string, given: string): Promise<UtcClient> {
  const client = new UtcClient({ connectionString: url, keepAlive: true })
  await client.connect()
  const { rows } = await client.query<{ mine: boolean }>(`select pg_try_advisory_lock(${lockId}) as mine`)
  if (rows[0]?.mine) return client
  await client.end()
  throw new StartError(`another Headsup is running on the data directory ${given}`)
}

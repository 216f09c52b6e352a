import { type ChildProcess, spawn } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Programs } from './embedded-programs.ts'
import type { UnixUser } from './embedded-user.ts'

/** A data directory of PostgreSQL, what runs it, and as whom. */
export interface Cluster {
  programs: Programs
  user: UnixUser | undefined
  directory: string
  password: string
}

/** How the server is run. `settings` are more of PostgreSQL's, as `name=value`. */
interface Run {
  port: number
  url: string
  log: Log
  settings: string[]
}

/** Keeps the server running until told to stop. */
export async function supervise(cluster: Cluster, run: Run): Promise<() => Promise<void>> {
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

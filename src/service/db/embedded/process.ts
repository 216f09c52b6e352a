import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../../../core/errors.ts'
import { type Log, messageOf } from '../../lib/log.ts'
import { UtcClient } from '../connect.ts'
import type { Cluster } from './cluster.ts'
import { isServerOf, recordedPid } from './orphan.ts'
import { spawnOptions } from './programs.ts'
import { stateLinesOf } from './state-lines.ts'

/** A server process that was started. It may not accept connections yet. */
export interface ServerProcess {
  child: ChildProcess
  /** Resolves when the process has ended, or could not be spawned. */
  ended: Promise<void>
  isEnded(): boolean
  /** The last lines of its log about its own state. */
  recentLog(): string
}

/** Starts a server in its own process group: Ctrl-C reaches only the service, which stops the server after the last request. */
export async function launch(cluster: Cluster, port: number, settings: string[]): Promise<ServerProcess> {
  const { bin, user, directory } = cluster
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    // Ends a query soon after its client has disconnected. Windows does not support this.
    ...(process.platform === 'win32' ? [] : ['client_connection_check_interval=5s']),
    ...settings,
  ].flatMap((option) => ['-c', option])
  const { env, ...rest } = spawnOptions(user)
  const child = spawn(join(bin, 'postgres'), ['-D', directory, '-p', String(port), ...options], {
    ...rest,
    env: { ...env, ...(await ignoreStalePid(directory)) },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  let isEnded = false
  child.stderr.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-8_000)
  })
  const closed = once(child, 'close').catch(() => {})
  const ended = once(child, 'exit')
    // Output may arrive after the exit, and its children can keep the pipe open.
    .then(() => Promise.race([closed, sleep(200)]))
    .catch((error: Error) => {
      output = `FATAL:  ${error.message}`
    })
    .then(() => {
      isEnded = true
    })
  return { child, ended, isEnded: () => isEnded, recentLog: () => stateLinesOf(output) }
}

/**
 * The pid in a stale lock file may belong to another process by now, and then PostgreSQL would not start. It ignores the
 * pid in this variable, and still checks for remains of the old server.
 */
async function ignoreStalePid(directory: string): Promise<Record<string, string>> {
  const pid = await recordedPid(directory)
  if (pid === undefined || (await isServerOf(pid, directory))) return {}
  return { PG_GRANDPARENT_PID: String(pid) }
}

/** Waits while the process runs: a recovery can take long. Throws `StartError` if it ends or rejects the password. */
export async function untilReady(server: ServerProcess, url: string, log: Log): Promise<void> {
  for (let loggedAt = Date.now(); !server.isEnded(); await sleep(20)) {
    const failure = await tryConnect(url)
    if (failure === undefined) return
    if (failure instanceof pg.DatabaseError && failure.code === '28P01') {
      throw new StartError('the embedded PostgreSQL has another password than the one kept beside its data')
    }
    if (Date.now() - loggedAt < 10_000) continue
    loggedAt = Date.now()
    log.info({ error: messageOf(failure), said: server.recentLog() }, 'the embedded PostgreSQL does not answer yet')
  }
  throw new StartError(`the embedded PostgreSQL does not start: ${server.recentLog()}`)
}

async function tryConnect(url: string): Promise<unknown> {
  const client = new UtcClient({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    return undefined
  } catch (error) {
    return error
  } finally {
    await client.end().catch(() => {})
  }
}

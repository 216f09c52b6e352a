import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { StartError } from '../../errors.ts'
import type { Log } from '../../lib/log.ts'
import { UtcClient } from '../connect.ts'
import type { Cluster } from './cluster.ts'
import { isServerOf, recordedPid } from './orphan.ts'
import { spawnOptions } from './programs.ts'

/** A server that was started; whether it answers yet is another matter. */
export interface ServerProcess {
  child: ChildProcess
  /** Resolves when the process has ended, or could not begin. */
  ended: Promise<void>
  isEnded(): boolean
  /** What it said last of its own state. */
  lastWords(): string
}

/** It has its own process group: Ctrl-C is for the service, which stops the server after its last request. */
export async function launch(cluster: Cluster, port: number, settings: string[]): Promise<ServerProcess> {
  const { programs, user, directory } = cluster
  const options = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'timezone=UTC',
    'log_timezone=UTC',
    // A query ends soon after its caller has given up. Windows can't tell.
    ...(process.platform === 'win32' ? [] : ['client_connection_check_interval=5s']),
    ...settings,
  ].flatMap((option) => ['-c', option])
  const { env, ...rest } = spawnOptions(user)
  const child = spawn(programs.program('postgres'), ['-D', directory, '-p', String(port), ...options], {
    ...rest,
    env: { ...env, ...(await passedOver(directory)) },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  let over = false
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-8_000)
  })
  const closed = once(child, 'close').catch(() => {})
  const ended = once(child, 'exit')
    // What it says may come after its end; its children can hold the pipe open.
    .then(() => Promise.race([closed, sleep(200)]))
    .catch((error: Error) => {
      said = `FATAL:  ${error.message}`
    })
    .then(() => {
      over = true
    })
  return { child, ended, isEnded: () => over, lastWords: () => wordsOfState(said) }
}

/**
 * The number in an old lock file may belong to another process by now, and then PostgreSQL would not start. It passes over
 * the number in this variable, and still looks whether anything of the old server is left.
 */
async function passedOver(directory: string): Promise<Record<string, string>> {
  const pid = await recordedPid(directory)
  if (pid === undefined || (await isServerOf(pid, directory))) return {}
  return { PG_GRANDPARENT_PID: String(pid) }
}

/** Of its log what it says of itself; statements and their details are other people's data. */
function wordsOfState(log: string): string {
  const ofState = /\] (LOG|FATAL|PANIC|HINT): {2}(?!the database system is)|^FATAL: {2}|^\S*postgres\S*: /
  return log
    .split('\n')
    .filter((line) => ofState.test(line))
    .slice(-4)
    .join('\n')
}

/** Waits as long as the process lives: a recovery takes its time. Throws `StartError` where it ends, or refuses us. */
export async function untilReady(server: ServerProcess, url: string, log: Log): Promise<void> {
  for (let told = Date.now(); !server.isEnded(); await sleep(20)) {
    const refusal = await knock(url)
    if (refusal === undefined) return
    if (refusal instanceof pg.DatabaseError && refusal.code === '28P01') {
      throw new StartError('the embedded PostgreSQL has another password than the one kept beside its data')
    }
    if (Date.now() - told < 10_000) continue
    told = Date.now()
    const error = refusal instanceof Error ? refusal.message : 'unknown'
    log.info({ error, said: server.lastWords() }, 'the embedded PostgreSQL does not answer yet')
  }
  throw new StartError(`the embedded PostgreSQL does not start: ${server.lastWords()}`)
}

async function knock(url: string): Promise<unknown> {
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

import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { superuser } from '../../../src/service/db/embedded/cluster.ts'
import { freePort } from './free-port.ts'
import type { Postgres } from './postgres.ts'

/** A PgBouncer in transaction mode in front of a PostgreSQL. */
export interface Pooler {
  url: string
  end(): Promise<void>
  start(): Promise<void>
  stop(): Promise<void>
}

/** The version of PgBouncer; undefined if it is not installed. */
export function poolerVersion(): string | undefined {
  const { status, stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8' })
  return status === 0 ? stdout.split('\n')[0] : undefined
}

export async function startPooler(postgres: Postgres): Promise<Pooler> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-pooler-'))
  await chmod(directory, 0o755)
  const port = await freePort()
  const users = join(directory, 'users')
  const settings = join(directory, 'pgbouncer.ini')
  await writeFile(users, `"${superuser}" "${postgres.cluster.password}"\n`, { mode: 0o644 })
  await writeFile(settings, settingsFor({ port, to: postgres.port, users }))
  const url = new URL(postgres.url)
  url.port = String(port)
  let child: ChildProcess | undefined

  async function start(): Promise<void> {
    child = spawn('pgbouncer', [settings], { ...postgres.cluster.user, cwd: '/', stdio: 'ignore' })
    for (let tries = 0; !(await respondsToQueries(url.href)); tries++) {
      if (tries === 500 || child.exitCode !== null) throw new Error('PgBouncer does not start')
      await sleep(20)
    }
  }
  async function end(): Promise<void> {
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }

  await start()
  return {
    url: url.href,
    start,
    end,
    async stop() {
      await end()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/**
 * Debian's defaults, except for the mode, a pool smaller than those of the instances together, so that they share, and a retry
 * after one second instead of 15 if PostgreSQL was unreachable.
 */
function settingsFor({ port, to, users }: { port: number; to: number; users: string }): string {
  return `[databases]
postgres = host=127.0.0.1 port=${to}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = transaction
default_pool_size = 6
server_login_retry = 1
`
}

async function respondsToQueries(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 2_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

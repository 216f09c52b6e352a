import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inject } from 'vitest'
import { type Cluster, prepareCluster, superuser } from '../../../src/service/db/embedded/cluster.ts'
import { launch, type ServerProcess, untilReady } from '../../../src/service/db/embedded/process.ts'
import { silentLog } from '../../support/log.ts'
import { copyUsedDataDirectory } from '../../support/used-data-directory.ts'
import { freePort } from './free-port.ts'

/** A PostgreSQL that the test stops, kills and pauses. Its port stays the same. */
export interface Postgres {
  cluster: Cluster
  port: number
  url: string
  /** `SIGINT` is a fast shutdown, `SIGQUIT` an immediate one, `SIGKILL` a crash. Resolves when the process has ended. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Starts it again. Resolves when it accepts queries. */
  start(): Promise<void>
  /** Pauses all its processes, like a stalled disk or machine: connections stay open, and requests wait. */
  pause(): void
  /** Resumes the processes. */
  resume(): void
  remove(): Promise<void>
}

/**
 * Commits are written when they are acknowledged, as in production. They are not synced to the disk, since tests kill
 * processes, never the machine.
 */
const always = ['fsync=off', 'max_connections=100']

export async function startPostgres(settings: string[] = []): Promise<Postgres> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-faults-'))
  await chmod(directory, 0o755)
  // The long runs have none.
  if (inject('usedDataDirectory')) await copyUsedDataDirectory(directory)
  return runOn(directory, await prepareCluster(directory, silentLog), settings)
}

/** Starts a server on existing data. */
export async function runOn(directory: string, cluster: Cluster, settings: string[]): Promise<Postgres> {
  const port = await freePort()
  const url = `postgresql://${superuser}:${cluster.password}@127.0.0.1:${port}/postgres?sslmode=disable`
  let server: ServerProcess | undefined
  let paused: number[] = []

  async function start(): Promise<void> {
    for (let tries = 1; ; tries++) {
      server = await launch(cluster, port, [...always, ...settings])
      try {
        return await untilReady(server, url, silentLog)
      } catch (error) {
        // The processes of a killed server take a moment to end.
        if (tries === 100) throw error
      }
    }
  }

  function pause(): void {
    const first = server?.child.pid
    if (first === undefined || paused.length > 0) throw new Error('PostgreSQL is not running, or paused already')
    // First the parent, so that it starts no more children.
    paused = [first]
    process.kill(first, 'SIGSTOP')
    paused.push(...childrenOf(first))
    for (const pid of paused) process.kill(pid, 'SIGSTOP')
  }

  function resume(): void {
    // The parent last: while it is paused it does not reap its children, so their ids stay valid.
    for (const pid of paused.toReversed()) process.kill(pid, 'SIGCONT')
    paused = []
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    resume()
    server?.child.kill(signal)
    await server?.ended
  }

  await start()
  return {
    cluster,
    port,
    url,
    start,
    end,
    pause,
    resume,
    async remove() {
      await end('SIGQUIT')
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

function childrenOf(parent: number): number[] {
  const processes = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n')
  const pairs = processes.map((line) => line.trim().split(/\s+/).map(Number))
  return pairs.flatMap(([ppid, pid]) => (ppid === parent && pid !== undefined ? [pid] : []))
}

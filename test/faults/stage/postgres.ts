import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, prepareCluster, superuser } from '../../../src/db/embedded/cluster.ts'
import { launch, type ServerProcess, untilReady } from '../../../src/db/embedded/process.ts'
import { silentLog } from '../../support/log.ts'
import { freePort } from './free-port.ts'

/** A PostgreSQL that the test ends as it likes, always on one port. */
export interface Postgres {
  cluster: Cluster
  port: number
  url: string
  /** `SIGINT` is a fast shutdown, `SIGQUIT` an immediate one, `SIGKILL` a crash; resolves when the process is gone. */
  end(signal: NodeJS.Signals): Promise<void>
  /** Starts it again; resolves when it answers. */
  begin(): Promise<void>
  /** Halts all its processes, as a stalled disk or a paused machine does: connections stay, and what is sent waits. */
  freeze(): void
  /** They go on with whatever was sent. */
  thaw(): void
  remove(): Promise<void>
}

/**
 * Its commits are written when they are acknowledged, as in production. They are not synced to the disk: what ends here
 * are processes, never the machine.
 */
const always = ['fsync=off', 'max_connections=100']

export async function startPostgres(settings: string[] = []): Promise<Postgres> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-faults-'))
  await chmod(directory, 0o755)
  return runOn(directory, await prepareCluster(directory, silentLog), settings)
}

/** Starts a server on data that are there. */
export async function runOn(directory: string, cluster: Cluster, settings: string[]): Promise<Postgres> {
  const port = await freePort()
  const url = `postgresql://${superuser}:${cluster.password}@127.0.0.1:${port}/postgres?sslmode=disable`
  let server: ServerProcess | undefined
  let frozen: number[] = []

  async function begin(): Promise<void> {
    for (let tries = 1; ; tries++) {
      server = await launch(cluster, port, [...always, ...settings])
      try {
        return await untilReady(server, url, silentLog)
      } catch (error) {
        // What a killed server leaves behind takes a moment to be gone.
        if (tries === 100) throw error
      }
    }
  }

  function freeze(): void {
    const first = server?.child.pid
    if (first === undefined || frozen.length > 0) throw new Error('there is nothing to freeze')
    // The one that starts the others comes first: none is missed.
    frozen = [first]
    process.kill(first, 'SIGSTOP')
    frozen.push(...childrenOf(first))
    for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  }

  function thaw(): void {
    // The first one last: halted, it keeps the processes that have ended, so that none of these numbers is gone meanwhile.
    for (const pid of frozen.toReversed()) process.kill(pid, 'SIGCONT')
    frozen = []
  }

  async function end(signal: NodeJS.Signals): Promise<void> {
    thaw()
    server?.child.kill(signal)
    await server?.ended
  }

  await begin()
  return {
    cluster,
    port,
    url,
    begin,
    end,
    freeze,
    thaw,
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

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cluster, prepareCluster, superuser } from '../../../src/db/embedded-cluster.ts'
import { launch, type ServerProcess, untilReady } from '../../../src/db/embedded-process.ts'
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

  async function end(signal: NodeJS.Signals): Promise<void> {
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
    async remove() {
      await end('SIGQUIT')
      await rm(directory, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}

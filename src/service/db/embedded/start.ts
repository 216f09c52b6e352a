import type { Log } from '../../lib/log.ts'
import { prepareCluster } from './cluster.ts'
import { asStartError, makeDataDirectory } from './directory.ts'
import { lockDataDirectory } from './lock.ts'
import { stopOrphan } from './orphan.ts'
import { runServer } from './server.ts'

export interface EmbeddedPostgres {
  /** Stays the same while the service runs, also if PostgreSQL crashes and is restarted. */
  url: string
  /** Stops PostgreSQL (a fast shutdown) and unlocks the data directory. */
  stop(): Promise<void>
}

/**
 * Runs the PostgreSQL of the npm package (docs/rules.md#embedded-postgresql). The first start creates its data. A server that
 * still runs after a `kill -9` of the service is stopped first. A server that crashes is restarted. Throws `StartError`.
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
  const dataDirectory = await makeDataDirectory(dataDir)
  const unlock = await lockDataDirectory(dataDirectory).catch((error: unknown) => {
    throw asStartError(dataDirectory, error)
  })
  try {
    const cluster = await prepareCluster(dataDirectory, log)
    await stopOrphan(cluster, log)
    const server = await runServer(cluster, { settings, log })
    return {
      url: server.url,
      async stop() {
        await server.stop()
        await unlock()
      },
    }
  } catch (error) {
    await unlock()
    throw asStartError(dataDirectory, error)
  }
}

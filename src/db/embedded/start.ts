import type { Log } from '../../lib/log.ts'
import { prepareCluster } from './cluster.ts'
import { explained, makeDataDirectory } from './directory.ts'
import { lockDataDirectory } from './lock.ts'
import { stopOrphan } from './orphan.ts'
import { runServer } from './server.ts'

export interface EmbeddedPostgres {
  /** Stays the same while the service runs, also where PostgreSQL crashes and is started again. */
  url: string
  /** Ends PostgreSQL (a fast shutdown) and lets go of the data directory. */
  stop(): Promise<void>
}

/**
 * Runs npm's PostgreSQL on its own data (docs/rules.md#embedded-postgresql): made at the first start, stopped and started
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
  const place = await makeDataDirectory(dataDir)
  const unlock = await lockDataDirectory(place).catch((error: unknown) => {
    throw explained(place, error)
  })
  try {
    const cluster = await prepareCluster(place, log)
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
    throw explained(place, error)
  }
}

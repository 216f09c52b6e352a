import { onTestFinished } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/service/db/embedded/start.ts'
import type { Log } from '../../../src/service/lib/log.ts'
import { scratch } from '../../support/scratch.ts'
import { copyUsedDataDirectory } from '../../support/used-data-directory.ts'

/** A data directory that a service has used before. */
export async function usedDirectory(): Promise<string> {
  const directory = await scratch()
  await copyUsedDataDirectory(directory)
  return directory
}

/** A log that keeps its lines, each as JSON. */
export function keptLog(): { log: Log; lines: string[] } {
  const lines: string[] = []
  const keep = (fields: object, message: string) => void lines.push(JSON.stringify({ ...fields, message }))
  return { log: { debug: keep, info: keep, warn: keep, error: keep }, lines }
}

/** An embedded PostgreSQL that the test may stop itself, and that is stopped when it does not. */
export async function startScratch(dataDir: string, log: Log = keptLog().log): Promise<EmbeddedPostgres> {
  const { url, stop } = await startEmbeddedPostgres({ dataDir, log })
  let stopped: Promise<void> | undefined
  const stopOnce = () => {
    stopped ??= stop()
    return stopped
  }
  onTestFinished(stopOnce)
  return { url, stop: stopOnce }
}

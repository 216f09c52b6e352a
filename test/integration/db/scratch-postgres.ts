import { execFile } from 'node:child_process'
import { chmod, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject, onTestFinished } from 'vitest'
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../src/db/embedded/start.ts'
import type { Log } from '../../../src/lib/log.ts'
import { scratch } from '../../support/scratch.ts'

let original: Promise<string> | undefined

/** A data directory that a service has used before: a copy of one that was made once, as making one takes a second. */
export async function usedDirectory(): Promise<string> {
  original ??= (async () => {
    const directory = await mkdtemp(join(inject('shared'), 'used-'))
    await chmod(directory, 0o755)
    await (await startEmbeddedPostgres({ dataDir: directory, log: keptLog().log })).stop()
    return directory
  })()
  const copy = await scratch()
  // It keeps the owner, which Node's own copy does not.
  await promisify(execFile)('cp', ['-a', `${await original}/.`, copy])
  return copy
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

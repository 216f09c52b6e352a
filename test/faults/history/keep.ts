import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFailed, onTestFinished } from 'vitest'
import type { History } from './check.ts'
import type { Snapshot } from './snapshot.ts'

/** All that is known of a run, so that what was red can be explained when the run is gone. */
export interface Run {
  history: History
  /** The tables at the end; absent where the run did not come so far. */
  kept?: Snapshot
  /** A line each; absent where the check is not over. */
  faults?: readonly string[]
}

/**
 * Gives how to write a run to a file, as often as more is known of it. Where the test fails, whatever fails it, that is done
 * once more, with what failed it, and the path is printed. Where it does not, the file is removed.
 */
export function keeperOf(name: string, runNow: () => Run): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'headsup-history-'))
  const path = join(directory, `${name}.json`)
  const keep = (failed: object = {}) =>
    writeFileSync(path, `${JSON.stringify({ name, ...failed, ...runNow() }, writable, 1)}\n`)
  onTestFinished(({ task }) => {
    if (task.result?.state !== 'fail') rmSync(directory, { recursive: true })
  })
  onTestFailed(({ task }) => {
    keep({ failed: task.result?.errors?.map(({ stack, message }) => stack ?? message) })
    console.log(`The whole history of what was red, and the verdict: ${path}`)
  })
  return keep
}

/** JSON would write null for the time of what was never answered. */
function writable(_: string, value: unknown): unknown {
  return value === Infinity ? 'never' : value
}

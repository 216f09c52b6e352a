import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFailed, onTestFinished } from 'vitest'
import type { History } from './check.ts'
import type { Snapshot } from './snapshot.ts'

/** All that is known about a run, so that a failure can be examined later. */
export interface Run {
  history: History
  /** The tables at the end; absent if the run ended before that. */
  snapshot?: Snapshot
  /** A line each; absent before the check is done. */
  violations?: readonly string[]
}

/**
 * Returns a function that writes the run to a file. If the test fails, the file is written once more with the errors, and its
 * path is printed. Otherwise it is removed.
 */
export function createRunWriter(name: string, runNow: () => Run): () => void {
  const directory = mkdtempSync(join(tmpdir(), 'headsup-history-'))
  const path = join(directory, `${name}.json`)
  const write = (failed: object = {}) =>
    writeFileSync(path, `${JSON.stringify({ name, ...failed, ...runNow() }, replaceInfinity, 1)}\n`)
  onTestFinished(({ task }) => {
    if (task.result?.state !== 'fail') rmSync(directory, { recursive: true })
  })
  onTestFailed(({ task }) => {
    write({ failed: task.result?.errors?.map(({ stack, message }) => stack ?? message) })
    console.log(`The whole history of the failed test, and the verdict: ${path}`)
  })
  return write
}

/** JSON would write null for the time of a missing response. */
function replaceInfinity(_: string, value: unknown): unknown {
  return value === Infinity ? 'never' : value
}

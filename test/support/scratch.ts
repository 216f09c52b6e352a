import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A new directory, for one test. */
export function scratch(): string {
  const directory = mkdtempSync(join(tmpdir(), 'headsup-scratch-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

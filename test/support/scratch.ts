import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** Registers what removes or ends something. `onTestFinished` does it after the test. */
export type CleanUp = (remove: () => void | Promise<void>) => void

/** Creates a directory. As root, PostgreSQL runs as another user, who must be able to reach it. */
export async function publicDirectory(mode = 0o755): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'headsup-scratch-'))
  await chmod(directory, mode)
  return directory
}

/** The same, by default for one test. */
export async function scratch({ mode = 0o755, cleanUp = onTestFinished as CleanUp } = {}): Promise<string> {
  const directory = await publicDirectory(mode)
  cleanUp(() => rm(directory, { recursive: true, force: true }))
  return directory
}

/** Whether a process runs. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

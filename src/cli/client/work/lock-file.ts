import { lstat, rm, writeFile } from 'node:fs/promises'

/** A lock is held for some milliseconds. An older one was left behind by a process that was killed. */
const staleMs = 10_000

/**
 * Runs work while it holds a lock file. Where the lock is not free within `patienceMs`, the work runs without it, since a
 * hook can't wait long.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, patienceMs = 100): Promise<T> {
  const isHeld = await acquire(file, performance.now() + patienceMs)
  try {
    return await work()
  } finally {
    if (isHeld) await remove(file)
  }
}

async function acquire(file: string, until: number): Promise<boolean> {
  for (;;) {
    try {
      await writeFile(file, '', { flag: 'wx' })
      return true
    } catch (error) {
      // Without the right to write, the work fails itself.
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) return false
    }
    if (await isStale(file)) await remove(file)
    if (performance.now() >= until) return false
    await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

async function isStale(file: string): Promise<boolean> {
  const found = await lstat(file).catch(() => undefined)
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > staleMs
}

/** Ignores errors: a directory with the name of the lock stays. */
async function remove(file: string): Promise<void> {
  await rm(file).catch(() => {})
}

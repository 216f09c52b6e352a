import { lstat, rm, writeFile } from 'node:fs/promises'

/** What is done under a lock takes a few milliseconds: one of another time was left behind, by whoever was ended meanwhile. */
const staleMs = 10_000

/**
 * Does the work while it holds the lock file, which others that do so wait for. A hook can't wait long: work whose lock is
 * not to be had in time (ms) is done without it.
 */
export async function withLock<T>(file: string, work: () => Promise<T>, patienceMs = 100): Promise<T> {
  const isHeld = await take(file, performance.now() + patienceMs)
  try {
    return await work()
  } finally {
    if (isHeld) await remove(file)
  }
}

async function take(file: string, until: number): Promise<boolean> {
  for (;;) {
    try {
      await writeFile(file, '', { flag: 'wx' })
      return true
    } catch (error) {
      // No right to write is what the work itself will tell of.
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

/** What can't be removed, as a directory of that name, stays. */
async function remove(file: string): Promise<void> {
  await rm(file).catch(() => {})
}

import { closeSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { HookState, StateFile } from '../state.ts'

const mostSessions = 20

export function saveHooks({ update }: StateFile, change: Partial<HookState>): void {
  update((state) => ({ ...state, hooks: { ...state.hooks, ...change } }))
}

/** The told ids with these added. */
export function withTold({ told }: HookState, session: string, ids: readonly string[]): HookState['told'] {
  const [, before = []] = told.find(([one]) => one === session) ?? []
  const others = told.filter(([one]) => one !== session)
  return [...others, [session, [...new Set([...before, ...ids])]] satisfies [string, string[]]].slice(-mostSessions)
}

const staleMs = 5_000
const retryMs = 20

/** One hook at a time: two that run at once would record twice, and tell twice. Without a directory there is nothing to guard. */
export async function withLock<Result>(
  { directory }: StateFile,
  signal: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result> {
  if (directory === undefined) return run()
  const lock = join(directory, 'hook.lock')
  while (!take(lock)) await wait(retryMs, undefined, { signal })
  try {
    return await run()
  } finally {
    rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  try {
    closeSync(openSync(lock, 'wx', 0o600))
    return true
  } catch {
    if (isStale(lock)) removeStale(lock)
    return false
  }
}

/** Whether the hook that made it was killed. */
function isStale(lock: string): boolean {
  const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
  return since !== undefined && Date.now() - since > staleMs
}

/** Of two hooks that see a stale lock the second may find the new one of the first there: it is put back. */
export function removeStale(lock: string): void {
  const own = `${lock}.${process.pid}`
  try {
    renameSync(lock, own)
    if (!isStale(own)) linkSync(own, lock)
  } catch {
    // Another hook was faster.
  }
  rmSync(own, { force: true })
}

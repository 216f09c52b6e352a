import { closeSync, openSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { StateFile } from '../state.ts'

/** What hooks keep in a work tree. */
export interface HookState {
  /** A digest of what was sent last, and when. */
  sent: { digest: string; at: number } | null
  /** Until when the service is not asked, since it was away. */
  awayUntil: number
  /** The ids of what each session was told; the newest session last. */
  told: [session: string, ids: string[]][]
}

const nothing: HookState = { sent: null, awayUntil: 0, told: [] }
const mostSessions = 20

export function readHooks({ read }: Pick<StateFile, 'read'>): HookState {
  const { hooks } = read()
  // This program alone writes it; a version of it that kept something else counts as none.
  return isHookState(hooks) ? hooks : nothing
}

export function saveHooks({ update }: Pick<StateFile, 'update'>, change: Partial<HookState>): void {
  update((state) => ({ ...state, hooks: { ...(isHookState(state.hooks) ? state.hooks : nothing), ...change } }))
}

/** The told ids with these added. */
export function withTold({ told }: HookState, session: string, ids: readonly string[]): HookState['told'] {
  const [, before = []] = told.find(([one]) => one === session) ?? []
  const others = told.filter(([one]) => one !== session)
  return [...others, [session, [...new Set([...before, ...ids])]] satisfies [string, string[]]].slice(-mostSessions)
}

function isHookState(value: unknown): value is HookState {
  if (typeof value !== 'object' || value === null) return false
  return 'sent' in value && 'awayUntil' in value && 'told' in value && Array.isArray(value.told)
}

const staleMs = 5_000
const retryMs = 20

/** One hook at a time: two that run at once would record twice, and tell twice. Without a directory there is nothing to guard. */
export async function withLock<Result>(
  { directory }: Pick<StateFile, 'directory'>,
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
    const since = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
    // The hook that made it was killed.
    if (since !== undefined && Date.now() - since > staleMs) rmSync(lock, { force: true })
    return false
  }
}

import { OtherForge } from '../client/github-host.ts'
import { Failure, ServiceAway } from '../failure.ts'
import type { Terminal } from '../terminal.ts'
import { type HookContext, isRecent } from './hook-state.ts'

/** Runs the work of a hook and reports a remote on another forge only once per work tree. */
export async function tellingOnce(hook: HookContext, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof OtherForge)) throw error
    const { message } = error
    if (hook.state.toldOtherForge === message) return
    await hook.save(() => ({ toldOtherForge: message })).catch(() => {})
    throw error
  }
}

/**
 * Runs the work of one kind of hook and reports the same failure at most once a minute. While the service is away, the work
 * is skipped for that minute, but not after a time-out that is due to this machine. Other kinds of hooks and other causes are
 * still reported.
 */
export async function withQuietFailures(
  kind: string,
  hook: HookContext,
  terminal: Pick<Terminal, 'now'>,
  work: () => Promise<void>,
): Promise<void> {
  const { failures } = hook.state
  const awayKey = `${kind}: away`
  if (isRecent(failures[awayKey] ?? 0, terminal.now())) return
  try {
    await work()
  } catch (error) {
    const key =
      error instanceof ServiceAway
        ? awayKey
        : `${kind}: ${error instanceof Failure ? error.message.slice(0, 200) : 'unexpected'}`
    await hook.save((now) => ({ failures: { ...now.failures, [key]: terminal.now() } })).catch(() => {})
    if (!isRecent(failures[key] ?? 0, terminal.now())) throw error
  }
}

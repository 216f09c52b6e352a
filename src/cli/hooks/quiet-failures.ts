import { OtherForge } from '../client/service/github-host.ts'
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

export interface QuietHook {
  /** Such as `git` or `before-edit`. */
  kind: string
  hook: HookContext
  terminal: Pick<Terminal, 'now'>
  /** The address of the service. It is asked for only shortly after a service was away. */
  addressOf(): Promise<string>
}

/**
 * Runs the work of one kind of hook and reports the same failure at most once a minute. While the service is away, the work
 * is skipped for that minute, but not after a time-out that is due to this machine. Other kinds of hooks, other services and
 * other causes are still reported.
 */
export async function withQuietFailures(
  { kind, hook, terminal, addressOf }: QuietHook,
  work: () => Promise<void>,
): Promise<void> {
  const { failures } = hook.state
  const isQuiet = (key: string) => isRecent(failures[key] ?? 0, terminal.now())
  const away = `${kind}: away: `
  const wasAway = Object.keys(failures).some((key) => key.startsWith(away) && isQuiet(key))
  if (wasAway && isQuiet(away + (await addressOf()))) return
  try {
    await work()
  } catch (error) {
    const key =
      error instanceof ServiceAway
        ? away + (await addressOf())
        : `${kind}: ${error instanceof Failure ? error.message.slice(0, 200) : 'unexpected'}`
    await hook.save((now) => ({ failures: { ...now.failures, [key]: terminal.now() } })).catch(() => {})
    if (!isQuiet(key)) throw error
  }
}

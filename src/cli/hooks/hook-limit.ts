import { couldNotAsk, exitCodes, Failure } from '../failure.ts'
import { plain } from '../plain-text.ts'
import type { Terminal } from '../terminal.ts'

/** Of a hook, from the start of the process: then git and the service are given up. What is left of a second is for its end. */
const usualLimitMs = 850

/** `HEADSUP_HOOK_LIMIT_MS`, where it is a number of milliseconds up to a minute. A hook has no fault to tell of. */
function limitOf({ env }: Terminal): number {
  const text = env.HEADSUP_HOOK_LIMIT_MS ?? ''
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return limit > 0 && limit <= 60_000 ? limit : usualLimitMs
}

/**
 * Does a hook's work within its time and fails open: whatever goes wrong is one line to `tell`, and the exit status is 0,
 * since any other would fail the `git` command or the tool call.
 */
export async function withinLimit(
  terminal: Terminal,
  work: (terminal: Terminal) => Promise<void>,
  tell: (line: string) => void,
): Promise<typeof exitCodes.fine> {
  const limitMs = limitOf(terminal)
  const signal = AbortSignal.timeout(Math.max(1, Math.round(limitMs - performance.now())))
  const over = new Promise<never>((_, reject) => {
    // For writing down that it failed.
    const graceMs = limitMs / 10
    const giveUp = () => reject(couldNotAsk('it took too long.'))
    signal.addEventListener('abort', () => setTimeout(giveUp, graceMs), { once: true })
  })
  try {
    await Promise.race([work({ ...terminal, signal }), over])
  } catch (error) {
    const why = error instanceof Failure ? error.message : 'something unforeseen happened.'
    tell(`Headsup could not check: ${plain(why)}`)
  }
  return exitCodes.fine
}

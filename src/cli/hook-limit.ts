import { couldNotAsk, exitCodes, Failure } from './failure.ts'
import { plain } from './plain-text.ts'
import type { Terminal } from './terminal.ts'

/** Of a hook, from the start of the process: then git and the service are given up. */
const limitMs = 850

/** For writing down that it failed. What is left of a second is for the end of the process. */
const graceMs = 80

/**
 * Does a hook's work within its time and fails open: whatever goes wrong is one line to `tell`, and the exit status is 0,
 * since any other would fail the `git` command or the tool call.
 */
export async function withinLimit(
  terminal: Terminal,
  work: (terminal: Terminal) => Promise<void>,
  tell: (line: string) => void,
): Promise<typeof exitCodes.fine> {
  const signal = AbortSignal.timeout(Math.max(1, Math.round(limitMs - performance.now())))
  const over = new Promise<never>((_, reject) => {
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

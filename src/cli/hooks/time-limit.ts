import { exitCodes, Failure, unavailable } from '../failure.ts'
import { plain } from '../output/plain-text.ts'
import type { Terminal } from '../terminal.ts'

/** Time for git and the service, from the start of the process. The process has the rest of a second to exit. */
const defaultLimitMs = 850
const maxLimitMs = 60_000

/** `HEADSUP_HOOK_LIMIT_MS`. An invalid value counts as absent, since a hook reports no usage errors. */
function readLimitMs({ env }: Terminal): number {
  const text = env.HEADSUP_HOOK_LIMIT_MS ?? ''
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return limit > 0 && limit <= maxLimitMs ? limit : defaultLimitMs
}

/**
 * Runs a hook within its time limit and fails open: every failure is one line to `report`, and the exit status is 0, since
 * any other status would fail the git command or the tool call.
 */
export async function runWithinLimit(
  terminal: Terminal,
  work: (terminal: Terminal) => Promise<void>,
  report: (line: string) => void,
): Promise<typeof exitCodes.ok> {
  const limitMs = readLimitMs(terminal)
  const signal = AbortSignal.timeout(Math.max(1, Math.round(limitMs - terminal.elapsedMs())))
  const timeout = new Promise<never>((_, reject) => {
    // Time to save that the hook failed.
    const graceMs = limitMs / 10
    const giveUp = () => reject(unavailable('the hook took too long.'))
    signal.addEventListener('abort', () => setTimeout(giveUp, graceMs), { once: true })
  })
  try {
    await Promise.race([work({ ...terminal, isHook: true, changesLimitMs: Math.ceil(limitMs / 5), signal }), timeout])
  } catch (error) {
    const reason = error instanceof Failure ? error.message : 'an unexpected error occurred.'
    report(`Headsup could not check: ${plain(reason)}`)
  }
  return exitCodes.ok
}

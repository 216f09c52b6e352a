import { exitCodes, Failure, unavailable } from '../failure.ts'
import { plain } from '../output/plain-text.ts'
import type { Terminal } from '../terminal.ts'

/**
 * How long a hook may take, from the start of the process, in ms. It has a tenth more to exit. Codex ends a hook at a
 * session's end after 3 s, other hooks end after the time-out in their settings, 5 s (`agents/install/hook-files.ts`).
 */
export const limitsMs = { sessionStart: 4000, sessionEnd: 2500, tool: 1500, git: 1500 } as const
const maxLimitMs = 60_000

/** `HEADSUP_HOOK_LIMIT_MS` for every hook. An invalid value counts as absent, since a hook reports no usage errors. */
export function chosenLimitMs({ env }: Terminal, defaultMs: number): number {
  const text = env.HEADSUP_HOOK_LIMIT_MS ?? ''
  const limit = /^\d{1,5}$/.test(text) ? Number(text) : 0
  return limit > 0 && limit <= maxLimitMs ? limit : defaultMs
}

/** How long git may take to read the address of the service, in ms. */
const addressMs = 1000

/** The same terminal with a time limit of its own: the address is read before the work, and also after the hook's limit has passed. */
export function afterLimit(terminal: Terminal): Terminal {
  return { ...terminal, signal: AbortSignal.timeout(addressMs) }
}

/**
 * Runs a hook within its time limit and fails open: every failure is one line to `report`, and the exit status is 0, since
 * any other status would fail the git command or the tool call.
 */
export async function runWithinLimit(
  terminal: Terminal,
  limitMs: number,
  work: (terminal: Terminal) => Promise<void>,
  report: (line: string) => void,
): Promise<typeof exitCodes.ok> {
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

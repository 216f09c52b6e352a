import type { Terminal } from '../../src/cli/terminal.ts'

/** A terminal for printers: it collects the lines of stdout and stderr, and runs nothing. */
export function printingTerminal(): { terminal: Terminal; out: string[]; err: string[] } {
  const [out, err]: [string[], string[]] = [[], []]
  const terminal: Terminal = {
    env: {},
    platform: 'linux',
    cwd: '/',
    program: [],
    isHook: false,
    changesLimitMs: 0,
    colour: false,
    isInteractive: false,
    now: () => 0,
    elapsedMs: () => 0,
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    readInput: async () => '',
    signal: AbortSignal.any([]),
    liftTimeLimit: () => {},
  }
  return { terminal, out, err }
}

import { introduced, introduction } from '../core/texts/quote.ts'

/** The process of a command: environment, time, input and output. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  cwd: string
  /** As in `process.platform`. */
  platform: string
  /** Milliseconds since 1970. */
  now(): number
  /** Milliseconds since the process started. */
  elapsedMs(): number
  /** Prints a line on stdout. */
  out(line: string): void
  /** Prints a line on stderr. */
  err(line: string): void
  /** Whether stdout may be coloured. */
  colour: boolean
  /** Whether a person reads stdout: it is a terminal, not a pipe. */
  isInteractive: boolean
  /** Reads all of stdin. */
  readInput(): Promise<string>
  /** The paths of Node and of this program. */
  program: string[]
  /** Whether git or an agent waits for this process. */
  isHook: boolean
  /** How long one call of git may take that reads changed lines. */
  changesLimitMs: number
  /** Aborts requests and child processes at the time limit. */
  signal: AbortSignal
  /** Lifts the time limit, for a command that runs until it is stopped. */
  liftTimeLimit(): void
}

/** Says before the first quotation whose words they are, for models, which read a pipe. JSON stays as it is. */
export function introducing(terminal: Terminal): Terminal {
  let isIntroduced = false
  return {
    ...terminal,
    out(line) {
      const isJson = /^[[{]/.test(line)
      if (!isIntroduced && !isJson) {
        for (const shown of introduced([line])) terminal.out(shown)
        isIntroduced = line.includes('“') || line.includes(introduction)
      } else terminal.out(line)
    },
  }
}

const codes = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const
export type Styler = (style: keyof typeof codes, text: string) => string

export function createStyler({ colour }: Pick<Terminal, 'colour'>): Styler {
  return (style, text) => (colour ? `\u001b[${codes[style]}m${text}\u001b[0m` : text)
}

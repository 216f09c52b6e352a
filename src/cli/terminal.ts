/** What a command gets of the process that it runs in. */
export interface Terminal {
  env: NodeJS.ProcessEnv
  cwd: string
  /** Milliseconds since 1970. */
  now(): number
  /** A line on stdout. */
  out(line: string): void
  /** A line on stderr. */
  err(line: string): void
  /** Whether what goes to stdout may be coloured. */
  colour: boolean
  /** All of stdin. */
  readInput(): Promise<string>
  /** The paths of Node and of this program. */
  program: string[]
  /** Ends what is still under way: a time limit. */
  signal: AbortSignal
}

const codes = { red: 31, green: 32, yellow: 33, bold: 1, dim: 2 } as const
export type Paint = (style: keyof typeof codes, text: string) => string

export function painter({ colour }: Pick<Terminal, 'colour'>): Paint {
  return (style, text) => (colour ? `\u001b[${codes[style]}m${text}\u001b[0m` : text)
}

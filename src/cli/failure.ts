/** What `headsup` ends with (docs/command-line.md). */
export const exitCodes = { fine: 0, overlap: 1, usage: 2, notAsked: 3, refused: 4 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** What a person is told in one line, and what the program ends with. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: ExitCode
  /** The status of the service's answer, where there was one. */
  readonly status: number | undefined

  constructor(exitCode: ExitCode, message: string, status?: number) {
    super(message)
    this.exitCode = exitCode
    this.status = status
  }
}

export function usageFault(message: string): Failure {
  return new Failure(exitCodes.usage, message)
}

export function couldNotAsk(message: string, status?: number): Failure {
  return new Failure(exitCodes.notAsked, message, status)
}

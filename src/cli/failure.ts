/** The exit status of `headsup` (docs/command-line.md). */
export const exitCodes = { ok: 0, overlap: 1, usage: 2, unavailable: 3, refused: 4 } as const
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]

/** An error that is shown as one line, with the exit status of the program. */
export class Failure extends Error {
  override readonly name = 'Failure'
  readonly exitCode: ExitCode
  /** The HTTP status of the service's response, where there was one. */
  readonly status: number | undefined
  /** The fields of the request that the service refused. */
  readonly fields: readonly string[]

  constructor(exitCode: ExitCode, message: string, status?: number, fields: readonly string[] = []) {
    super(message)
    this.exitCode = exitCode
    this.status = status
    this.fields = fields
  }
}

export function usageError(message: string): Failure {
  return new Failure(exitCodes.usage, message)
}

/** Collects what a command lacks, so that one message names all of it. */
export function collectFailures() {
  const failures: Failure[] = []
  return {
    /** Undefined where it failed. */
    async attempt<Found>(find: () => Found | Promise<Found>): Promise<Found | undefined> {
      try {
        return await find()
      } catch (error) {
        if (!(error instanceof Failure)) throw error
        failures.push(error)
        return undefined
      }
    },
    /** One failure for all of them, with the exit status of the first. */
    failure(): Failure {
      const message = failures.map((failure) => failure.message).join(' ')
      return new Failure(failures[0]?.exitCode ?? exitCodes.unavailable, message)
    },
  }
}

/** The service, the token or the repository is not available. */
export function unavailable(message: string, status?: number): Failure {
  return new Failure(exitCodes.unavailable, message, status)
}

/** The service did not respond, or is overloaded: the next request would have to wait too. */
export class ServiceAway extends Failure {
  /** The code of the service's error, where there was one. */
  readonly code: string | undefined

  constructor(message: string, status?: number, code?: string) {
    super(exitCodes.unavailable, message, status)
    this.code = code
  }
}

/** What a command knows of the process that it runs in. Tests give their own. */
export interface Terminal {
  /** The working directory; it may be gone. */
  cwd: string
  env: NodeJS.ProcessEnv
  /** In ms since 1970. */
  now(): number
  /** Writes a line of the answer. */
  out(line: string): void
  /** Writes a line that is no part of the answer. */
  err(line: string): void
  /** What is sent to the program; by default its stdin. */
  input?: AsyncIterable<Buffer | string>
  /** Whether people read the output. */
  isInteractive: boolean
  /** Ends requests and programs that are in progress. */
  signal: AbortSignal
  /** What the program exits with. */
  exitCode: number
}

/** 1 says that `check --exit-code` found something: nothing else may exit with it. */
export const exitCodes = { ok: 0, overlap: 1, usage: 2, failure: 3 } as const

/** What went wrong and what to do, as a sentence for the user. */
export class Failure extends Error {
  readonly exitCode: number
  /** The code of the service's error, where it answered. */
  readonly code: string | undefined
  /** The fields of the request that the service refused. */
  readonly fields: readonly string[]

  constructor(message: string, more: { exitCode?: number; code?: string; fields?: readonly string[] } = {}) {
    super(message)
    this.exitCode = more.exitCode ?? exitCodes.failure
    this.code = more.code
    this.fields = more.fields ?? []
  }
}

/** The service cannot be asked at the moment: it is away, too slow, or has no room. */
export class ServiceAway extends Failure {}

/** The command was called in a way that can't work. */
export function usageError(message: string): Failure {
  return new Failure(message, { exitCode: exitCodes.usage })
}

/** What is found; undefined where it fails in a way that is expected. */
export async function undefinedIf<Found>(
  isExpected: (failure: Failure) => boolean,
  found: Promise<Found>,
): Promise<Found | undefined> {
  return found.catch((error: unknown) => {
    if (error instanceof Failure && isExpected(error)) return undefined
    throw error
  })
}

/** Calls the function when it is first needed, and keeps what it returns. */
export function once<Result>(find: () => Result): () => Result {
  let kept: { result: Result } | undefined
  return () => {
    kept ??= { result: find() }
    return kept.result
  }
}

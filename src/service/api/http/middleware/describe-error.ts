/** The class of PostgreSQL's data exceptions. Their messages quote the invalid value. */
const quotesData = /^22/

/** Returns what may be logged of an unexpected error: never its `detail` or parameters, which hold callers' data. */
export function describeError(error: unknown): Record<string, unknown> | undefined {
  return describe(error, stackOf)
}

/** The same without the stack, for an expected error, such as an unavailable database. */
export function describeOutage(error: unknown): Record<string, unknown> | undefined {
  return describe(error, () => undefined)
}

function describe(error: unknown, stack: (error: Error) => string | undefined): Record<string, unknown> | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  return {
    name: error.name,
    code,
    message: code && quotesData.test(code) ? '(withheld: it quotes data)' : error.message.slice(0, 500),
    stack: stack(error),
    cause: error.cause === undefined ? undefined : describe(error.cause, stack),
  }
}

function stackOf(error: Error): string {
  const frames = (error.stack ?? '').split('\n').filter((frame) => /^\s+at /.test(frame))
  return frames.slice(0, 12).join('\n')
}

/** The class of PostgreSQL's data exceptions, whose messages quote the value at fault. */
const quotesData = /^22/

/** What may be logged of an unforeseen error: never its `detail` or parameters, which hold callers' data. */
export function describeError(error: unknown): Record<string, unknown> | undefined {
  if (error === undefined) return undefined
  if (!(error instanceof Error)) return { type: typeof error }
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined
  const frames = (error.stack ?? '').split('\n').filter((frame) => /^\s+at /.test(frame))
  return {
    name: error.name,
    code,
    message: code && quotesData.test(code) ? '(withheld: it quotes data)' : error.message.slice(0, 500),
    stack: frames.slice(0, 12).join('\n'),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  }
}

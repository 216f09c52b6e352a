/** GitHub did not answer: no response came, or not all of it. The message is for the log. */
export class NoAnswer extends Error {
  /** The address of the API. */
  readonly address: string
  /** That of Node.js, such as `ECONNREFUSED` or `CERT_HAS_EXPIRED`; `timeout` after the time limit; null if there is none. */
  readonly code: string | null

  constructor(address: string, error: unknown) {
    const cause = causeOf(error)
    const code = codeOf(cause)
    super(`${address}: ${messageWithCode(cause, code)}`, { cause: error })
    this.name = 'NoAnswer'
    this.address = address
    this.code = code
  }
}

/** Why GitHub did not answer a request of Octokit that failed; undefined if it did answer. */
export function noAnswerBehind(error: unknown): NoAnswer | undefined {
  return error instanceof Error && error.cause instanceof NoAnswer ? error.cause : undefined
}

/** The error that made `fetch` fail: its own says nothing. */
function causeOf(error: unknown): unknown {
  return error instanceof TypeError && error.cause !== undefined ? error.cause : error
}

function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  if (error.name === 'TimeoutError') return 'timeout'
  return 'code' in error && typeof error.code === 'string' ? error.code : null
}

function messageWithCode(error: unknown, code: string | null): string {
  // After attempts at several addresses the message is empty.
  const errors = error instanceof AggregateError ? error.errors : [error]
  const text = errors.map((one: unknown) => (one instanceof Error ? one.message : 'unknown')).join(', ')
  return code === null || code === 'timeout' || text.includes(code) ? text : `${text} (${code})`
}

/** Where and why GitHub did not answer, for callers: `at https://api.github.com: its name was not found (ENOTFOUND)`. */
export function describeNoAnswer({ address, code }: Pick<NoAnswer, 'address' | 'code'>): string {
  return code === null ? `at ${address}` : `at ${address}: ${describeCode(code)}`
}

function describeCode(code: string): string {
  if (code === 'timeout') return 'it did not answer in time'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return `its name was not found (${code})`
  if (code === 'ECONNREFUSED') return `it refuses connections (${code})`
  if (code === 'CERT_HAS_EXPIRED') return `its certificate has expired (${code})`
  if (/CERT|SELF_SIGNED|UNABLE_TO|CRL|HOSTNAME/.test(code)) return `its certificate is not trusted (${code})`
  return `it can't be reached (${code})`
}

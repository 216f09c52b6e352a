import { withoutUndefined } from '../core/without-undefined.ts'
import { type Asked, explain, type ServiceError } from './refusals.ts'
import { exitCodes, Failure, ServiceAway } from './terminal.ts'

export interface HttpRequest extends Asked {
  method: string
  signal: AbortSignal
  body?: object | undefined
  headers?: Readonly<Record<string, string>>
  /** None: the route needs no token. */
  token?: string
}

const limitMs = 20_000

/** The JSON of an answer that comes in time. Throws a `Failure` for anything else. */
export function requestJson<Answer>(given: HttpRequest): Promise<Answer> {
  return withLimit(given.signal, async (signal) => {
    const response = await request({ ...given, signal })
    try {
      // Fields are only ever added to the answers of a service.
      return (await response.json()) as Answer
    } catch (error) {
      throw away(given, error, 'does not answer as Headsup does: check the address')
    }
  })
}

/**
 * Sends one request, and waits as long as the service wants. Throws a `Failure` where there is no answer, or one that is not 2xx.
 * Follows no redirect: the token stays here.
 */
export async function request(given: HttpRequest): Promise<Response> {
  const { method, url, body, token, headers, signal } = given
  const response = await fetch(url, {
    method,
    redirect: 'error',
    signal,
    headers: withoutUndefined({
      accept: 'application/json',
      'user-agent': 'headsup-cli',
      authorization: token && `Bearer ${token}`,
      'content-type': body && 'application/json',
      ...headers,
    }),
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw away(given, error, undefined)
  })
  if (!response.ok) throw await refusalOf(response, given)
  return response
}

/** `AbortSignal.any` of Node 20 may lose a signal that nobody else holds. `watch` asks for days: no listener stays behind. */
async function withLimit<Result>(signal: AbortSignal, run: (signal: AbortSignal) => Promise<Result>): Promise<Result> {
  const limit = new AbortController()
  const abort = () => limit.abort()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  const timer = setTimeout(abort, limitMs)
  try {
    return await run(limit.signal)
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function refusalOf(response: Response, given: HttpRequest): Promise<Failure> {
  const body = (await response.json().catch(() => null)) as { error?: ServiceError } | null
  const error = body?.error ?? {}
  const { code = '', details = [] } = error
  const text = explain(response, error, given)
  const exitCode = code === 'validation_failed' ? exitCodes.usage : exitCodes.failure
  const more = { code, exitCode, fields: details.map(({ field }) => field) }
  return response.status === 429 || response.status >= 500 ? new ServiceAway(text, more) : new Failure(text, more)
}

function away({ url, signal }: HttpRequest, error: unknown, otherwise: string | undefined): ServiceAway {
  const isLate = signal.aborted || (error instanceof Error && error.name === 'AbortError')
  const text = isLate ? 'did not answer in time: try again' : (otherwise ?? describe(error))
  return new ServiceAway(`${url.origin} ${text}.`)
}

/** `fetch` tells what happened by the cause of its error. */
function describe(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (!(cause instanceof Error)) return 'can’t be reached'
  if (cause.message === 'unexpected redirect')
    return 'redirects, which is not followed with a token: give the address that it leads to'
  const code = 'code' in cause ? cause.code : cause.message
  return `can’t be reached (${code}): check that the service runs, and its address`
}

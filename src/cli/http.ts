import type { RepositoryName } from './git/remote-url.ts'
import { plain } from './print/plain.ts'
import { type ErrorBody, explain } from './refusals.ts'
import { Failure, ServiceAway } from './terminal.ts'

export interface HttpRequest {
  method: string
  url: URL
  signal: AbortSignal
  body?: object | undefined
  headers?: Readonly<Record<string, string>>
  /** None: the route needs no token. */
  token?: string
  tokenFrom?: string
  repository?: RepositoryName
  /** Whether the answer ends only when the service wants to. */
  isEndless?: boolean
}

const limitMs = 20_000

/** The JSON of an answer. Throws a `Failure` for anything else. */
export async function requestJson<Answer>(given: HttpRequest): Promise<Answer> {
  const response = await request(given)
  try {
    // Fields are only ever added to the answers of a service.
    return (await response.json()) as Answer
  } catch (error) {
    throw away(given, error, 'does not answer as Headsup does: check the address')
  }
}

/** Sends one request. Throws a `Failure` where there is no answer, or one that is not 2xx. Follows no redirect: the token stays here. */
export async function request(given: HttpRequest): Promise<Response> {
  const { method, url, body, token, headers } = given
  const signal = given.isEndless ? given.signal : withLimit(given.signal)
  const response = await fetch(url, {
    method,
    redirect: 'error',
    signal,
    headers: {
      accept: 'application/json',
      'user-agent': 'headsup-cli',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw away(given, error, undefined)
  })
  if (!response.ok) throw await refusalOf(response, given)
  return response
}

/** `AbortSignal.any` of Node 20 may lose a signal that nobody else holds. */
function withLimit(signal: AbortSignal): AbortSignal {
  const limit = new AbortController()
  const abort = () => limit.abort()
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort, { once: true })
  setTimeout(abort, limitMs).unref()
  return limit.signal
}

async function refusalOf(response: Response, { url, repository, tokenFrom }: HttpRequest): Promise<Failure> {
  const body = (await response.json().catch(() => null)) as ErrorBody | null
  const { code = '', message = '', details = [] } = body?.error ?? {}
  const text = explain({ response, code, message: plain(message), url, repository, tokenFrom })
  const more = { code, fields: details.map(({ field }) => field) }
  return response.status === 429 || response.status >= 500 ? new ServiceAway(text, more) : new Failure(text, more)
}

function away({ url, signal }: HttpRequest, error: unknown, otherwise: string | undefined): ServiceAway {
  const { code } = causeOf(error)
  const isLate = signal.aborted || (error instanceof Error && error.name === 'AbortError')
  const text = isLate ? 'did not answer in time: try again' : (otherwise ?? describe(code))
  return new ServiceAway(`${url.origin} ${text}.`)
}

/** `fetch` tells what happened by the cause of its error. */
function causeOf(error: unknown): { code: string } {
  const cause = error instanceof Error ? error.cause : undefined
  if (cause instanceof Error && 'code' in cause && typeof cause.code === 'string') return { code: cause.code }
  return { code: cause instanceof Error ? cause.message : '' }
}

function describe(code: string): string {
  if (code === 'ECONNREFUSED') return 'is not listening: check that the service runs, and its address'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'was not found: check the network and the address'
  if (/CERT|TLS|SSL|SELF_SIGNED/.test(code)) return `has an invalid certificate (${code})`
  if (code === 'unexpected redirect')
    return 'redirects, which is not followed with a token: give the address that it leads to'
  return code === '' ? 'can’t be reached' : `can’t be reached (${code})`
}

import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { ServiceAway, unavailable } from '../../failure.ts'
import { plain } from '../../output/plain-text.ts'
import { parseJson } from '../json.ts'

export interface HttpRequest {
  method: string
  url: URL
  token?: string
  /** Sent as the header `Prefer`. */
  prefer?: string
  /** Sent as JSON; undefined sends no body. */
  body?: unknown
  /** Aborts the request. */
  signal: AbortSignal
}

export interface HttpReply {
  status: number
  headers: IncomingMessage['headers']
  /** The parsed JSON; undefined where the body is not JSON. */
  body: unknown
}

/** Larger than any page of records. */
const maxResponseBytes = 16 * 1024 * 1024
/** Without a byte for so long, a request ends, in ms. */
const idleMs = 20_000

/** A request that is cut off sooner, in ms, says nothing about the service: the time went by before it. */
const fairMs = 500

/**
 * Sends one request. Throws `unavailable` where there is no response, `ServiceAway` unless that is due to this machine; any
 * status is a response. Redirects are not followed.
 */
export async function sendHttp({ method, url, token, prefer, body, signal }: HttpRequest): Promise<HttpReply> {
  const send = url.protocol === 'https:' ? (await import('node:https')).request : plainRequest
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    accept: 'application/json',
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    'user-agent': 'headsup-cli',
    ...(prefer !== undefined && { prefer }),
    ...(sent && { 'content-type': 'application/json', 'content-length': sent.length }),
  }
  const began = performance.now()
  try {
    return await sendAndRead(send(url, { method, headers, signal, agent: false }), sent)
  } catch (error) {
    if (signal.aborted && performance.now() - began < fairMs)
      throw unavailable(`no time was left for ${plain(url.origin)} to respond.`)
    throw connectionFailure(url, error, signal)
  }
}

/** The text of a page that needs no token. Throws `unavailable` unless the status is 200. */
export async function fetchText(url: URL, signal: AbortSignal): Promise<string> {
  const send = url.protocol === 'https:' ? (await import('node:https')).request : plainRequest
  const { status, text } = await sendAndReadText(send(url, { signal, agent: false }), undefined).catch(
    (error: unknown) => {
      throw unavailable(`${plain(url.origin)} ${describeError(error, signal)}.`)
    },
  )
  if (status !== 200) throw unavailable(`${plain(url.href)} responded with ${status}.`, status)
  return text
}

async function sendAndRead(request: ClientRequest, sent: Buffer | undefined): Promise<HttpReply> {
  const { text, ...reply } = await sendAndReadText(request, sent)
  return { ...reply, body: parseJson(text) }
}

type TextReply = Omit<HttpReply, 'body'> & { text: string }

function sendAndReadText(request: ClientRequest, sent: Buffer | undefined): Promise<TextReply> {
  return new Promise((resolve, reject) => {
    request.setTimeout(idleMs, () => request.destroy(Object.assign(new Error('No byte came.'), { code: 'ETIMEDOUT' })))
    request.once('error', reject)
    request.once('response', (response) => {
      const { statusCode: status = 0, headers } = response
      readResponseText(response).then((text) => resolve({ status, headers, text }), reject)
    })
    request.end(sent)
  })
}

/** The body of a response. Throws, and closes the connection, where it is larger than any response of the service. */
export async function readResponseText(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > maxResponseBytes) throw Object.assign(new Error('The response is too large.'), { code: 'EMSGSIZE' })
    chunks.push(bytes)
  }
  return Buffer.concat(chunks).toString()
}

export function connectionFailure(url: URL, error: unknown, signal: AbortSignal): ServiceAway {
  return new ServiceAway(`${plain(url.origin)} ${describeError(error, signal)}.`)
}

function describeError(error: unknown, signal: AbortSignal): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (signal.aborted || code === 'ETIMEDOUT') return 'did not respond in time'
  if (code === 'EMSGSIZE') return 'sent more than Headsup ever does: check the address'
  if (code === 'ECONNREFUSED') return 'is not listening: check that the service runs, and check the address'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'was not found: check the network and the address'
  if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED/.test(code)) return `has an invalid certificate (${code})`
  return `can't be reached (${typeof code === 'string' ? code : 'invalid response'})`
}

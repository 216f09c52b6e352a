import { type ClientRequest, type IncomingMessage, request as plainRequest } from 'node:http'
import { couldNotAsk } from '../failure.ts'
import { plain } from '../plain-text.ts'
import { parseJson } from './json.ts'

export interface HttpRequest {
  method: string
  url: URL
  token: string
  /** Sent as JSON; undefined sends nothing. */
  body?: unknown
  /** Ends the waiting. */
  signal: AbortSignal
}

export interface HttpReply {
  status: number
  headers: IncomingMessage['headers']
  /** What the JSON says; undefined where there is none. */
  body: unknown
}

/** More than the largest page of records. */
const longest = 16 * 1024 * 1024

/** One request. Fails with `notAsked` where there is no answer; any status is an answer. Redirects are not followed. */
export async function sendRequest({ method, url, token, body, signal }: HttpRequest): Promise<HttpReply> {
  const send = url.protocol === 'https:' ? (await import('node:https')).request : plainRequest
  const sent = body === undefined ? undefined : Buffer.from(JSON.stringify(body))
  const headers = {
    accept: 'application/json',
    authorization: `Bearer ${token}`,
    'user-agent': 'headsup-cli',
    ...(sent && { 'content-type': 'application/json', 'content-length': sent.length }),
  }
  try {
    return await answerTo(send(url, { method, headers, signal, agent: false }), sent)
  } catch (error) {
    throw couldNotAsk(`${plain(url.origin)} ${trouble(error, signal)}.`)
  }
}

function answerTo(request: ClientRequest, sent: Buffer | undefined): Promise<HttpReply> {
  return new Promise((resolve, reject) => {
    request.once('error', reject)
    request.once('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        length += chunk.length
        if (length > longest) request.destroy(new Error('too long'))
        else chunks.push(chunk)
      })
      response.once('error', reject)
      response.once('end', () => {
        const { statusCode: status = 0, headers } = response
        resolve({ status, headers, body: parseJson(Buffer.concat(chunks).toString()) })
      })
    })
    request.end(sent)
  })
}

function trouble(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'did not answer in time'
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'ECONNREFUSED') return 'is not listening: see that the service runs and that the address is right'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return 'was not found: see that there is a network and that the address is right'
  if (typeof code === 'string' && /CERT|TLS|SSL|SELF_SIGNED/.test(code))
    return `has a certificate that is refused (${code})`
  return `can't be reached (${typeof code === 'string' ? code : 'no sensible answer'})`
}

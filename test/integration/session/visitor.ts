import { request as httpRequest } from 'node:http'
import type { TestService } from '../../support/service.ts'

export interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  /** All `Set-Cookie` of the response. */
  cookies: string[]
  text: string
  body: unknown
}

export interface Sent {
  method?: string
  body?: unknown
  raw?: string
  headers?: Record<string, string>
}

/** Sends a request with exactly these headers, `Host` and `Sec-Fetch-*` included. Follows nothing. */
export function send(url: string, { method = 'GET', body, raw, headers = {} }: Sent = {}): Promise<Answer> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const type =
    content === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(content) }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...type, ...headers }, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json') === true
        const cookies = response.headers['set-cookie'] ?? []
        const body = isJson && text !== '' ? JSON.parse(text) : undefined
        resolve({ status: response.statusCode ?? 0, headers: response.headers, cookies, text, body })
      })
    })
    request.on('error', reject)
    request.end(content)
  })
}

export interface Visitor {
  /** The cookies that the browser holds, by name. */
  cookies: Map<string, string>
  /** A fetch of our own page. */
  fetch(path: string, sent?: Sent): Promise<Answer>
  /** A navigation, as after a click on a link of another site. */
  open(path: string, sent?: Sent): Promise<Answer>
}

/** A browser as far as the service notices: it keeps cookies, and says where a request comes from. */
export function visit(service: Pick<TestService, 'url'>, fixed: Record<string, string> = {}): Visitor {
  const cookies = new Map<string, string>()
  const ask = async (path: string, { headers, ...sent }: Sent, site: string) => {
    const held = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await send(service.url + path, {
      ...sent,
      headers: { ...(held === '' ? {} : { cookie: held }), 'sec-fetch-site': site, ...fixed, ...headers },
    })
    for (const cookie of answer.cookies) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/Max-Age=0$/.test(cookie)) cookies.delete(name)
      else cookies.set(name, value)
    }
    return answer
  }
  return {
    cookies,
    fetch: (path, sent = {}) => ask(path, sent, 'same-origin'),
    open: (path, sent = {}) => ask(path, sent, 'cross-site'),
  }
}

/** The code of an error response. */
export function codeOf({ body }: Answer): unknown {
  return (body as { error?: { code?: string } } | undefined)?.error?.code
}

/** Signs the visitor in with a token. Throws unless that works. */
export async function signIn(visitor: Visitor, token: string): Promise<void> {
  const answer = await visitor.fetch('/-/session', { method: 'POST', body: { token } })
  if (answer.status !== 200) throw new Error(`signing in: ${answer.status} ${answer.text}`)
}

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Reply } from './route.ts'

/** Reads the JSON body, or the fields of a form; undefined for an empty or invalid one. curl says form of any data. */
export async function bodyOf(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const text = Buffer.concat(chunks).toString()
  const isForm = request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
  if (isForm && !text.startsWith('{')) return Object.fromEntries(new URLSearchParams(text))
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

export function send(request: IncomingMessage, response: ServerResponse, { status, headers, body, text }: Reply): void {
  const content = text ?? (body === undefined ? undefined : JSON.stringify(body))
  const type = content === undefined ? {} : { 'content-type': 'application/json; charset=utf-8' }
  const always = { 'x-github-request-id': 'C0DE:5', 'x-github-media-type': 'github.v3; format=json' }
  response.writeHead(status, { ...type, ...always, ...headers })
  response.end(request.method === 'HEAD' ? undefined : content)
}

/** Sends half of the body and then closes the connection. */
export function cutOff(response: ServerResponse, { status, headers, body, text }: Reply): void {
  const content = Buffer.from(text ?? JSON.stringify(body ?? {}))
  response.writeHead(status, { 'content-type': 'application/json', 'content-length': content.length, ...headers })
  response.write(content.subarray(0, content.length / 2), () => response.socket?.destroy())
}

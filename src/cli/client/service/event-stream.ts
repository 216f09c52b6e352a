import { type IncomingMessage, request as plainRequest } from 'node:http'
import { createEventParser, type ServerSentEvent } from '../../../core/lib/parse-events.ts'
import { readResponseText } from './http.ts'

export interface StreamRequest {
  url: URL
  token: string
  /** The id of the last event that was read. */
  lastEventId: string | undefined
  signal: AbortSignal
  /** Without a byte for this long, a proxy holds the stream back, or the connection is dead. In ms. */
  silentMs: number
}

export type ConnectionEnd = 'ended' | 'silent'

export interface OpenStream {
  status: number
  headers: IncomingMessage['headers']
  /** The whole body, where the status is not 200. */
  text(): Promise<string>
  /**
   * Calls `receive` for each event until the stream ends, or until `receive` returns true: then the connection is closed. A
   * broken stream has ended. Throws where an event is longer than any of the service.
   */
  read(receive: (event: ServerSentEvent) => boolean): Promise<ConnectionEnd>
  /** How long to wait before the next connection, as requested by the service, in ms. */
  retryMs(): number | undefined
}

/** No header came in time: a proxy holds the whole response back, or the service hangs. */
export class NoResponse extends Error {}

/** Opens a stream of server-sent events. Throws `NoResponse`, and what the connection throws. */
export async function connectEventStream({
  url,
  token,
  lastEventId,
  signal,
  silentMs,
}: StreamRequest): Promise<OpenStream> {
  const send = url.protocol === 'https:' ? (await import('node:https')).request : plainRequest
  const headers = {
    accept: 'text/event-stream, application/json',
    authorization: `Bearer ${token}`,
    'user-agent': 'headsup-cli',
    // What is printed first should have the collisions of now.
    prefer: 'wait=1',
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { headers, signal, agent: false })
    request.setTimeout(silentMs, () => request.destroy(new NoResponse('No response came in time.')))
    request.once('error', reject)
    request.once('response', resolve)
    request.end()
  })
  const parser = createEventParser()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: () => readResponseText(response),
    retryMs: parser.retryMs,
    read: (receive) =>
      new Promise((resolve, reject) => {
        const decoder = new TextDecoder()
        let isSilent = false
        response.setTimeout(silentMs, () => {
          isSilent = true
          response.destroy()
        })
        response.on('data', (chunk: Buffer) => {
          try {
            if (!parser.parse(decoder.decode(chunk, { stream: true })).some(receive)) return
          } catch (error) {
            reject(error)
          }
          response.destroy()
        })
        response.on('error', () => {})
        response.once('close', () => resolve(isSilent ? 'silent' : 'ended'))
      }),
  }
}

import { type IncomingMessage, request as plainRequest } from 'node:http'
import { createEventParser, type ServerSentEvent } from '../../lib/parse-events.ts'

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
   * Calls `receive` for each event until the stream ends, or until `receive` returns true: then the connection is closed. Never
   * throws: a broken stream has ended.
   */
  read(receive: (event: ServerSentEvent) => boolean): Promise<ConnectionEnd>
  /** How long to wait before the next connection, as requested by the service, in ms. */
  retryMs(): number | undefined
}

/** Opens a stream of server-sent events. Throws what the connection throws. */
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
    ...(lastEventId !== undefined && { 'last-event-id': lastEventId }),
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = send(url, { headers, signal, agent: false })
    request.setTimeout(silentMs, () => request.destroy(new Error('No response came in time.')))
    request.once('error', reject)
    request.once('response', resolve)
    request.end()
  })
  const parser = createEventParser()
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    async text() {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(Buffer.from(chunk))
      return Buffer.concat(chunks).toString()
    },
    retryMs: parser.retryMs,
    read: (receive) =>
      new Promise((resolve) => {
        const decoder = new TextDecoder()
        let isSilent = false
        response.setTimeout(silentMs, () => {
          isSilent = true
          response.destroy()
        })
        response.on('data', (chunk: Buffer) => {
          for (const event of parser.parse(decoder.decode(chunk, { stream: true }))) {
            if (!receive(event)) continue
            response.destroy()
            return
          }
        })
        response.on('error', () => {})
        response.once('close', () => resolve(isSilent ? 'silent' : 'ended'))
      }),
  }
}

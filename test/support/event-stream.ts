import { setTimeout as sleep } from 'node:timers/promises'
import { createEventParser, type ServerSentEvent } from '../../src/core/lib/parse-events.ts'

export interface TestStream {
  status: number
  headers: Headers
  /** All events so far. */
  events: ServerSentEvent[]
  /** The data of the next events of this kind, from the first on. Waits until there are `count`. */
  data(event: string, count?: number): Promise<unknown[]>
  ended: Promise<void>
  close(): void
}

/** Reads a stream of server-sent events over real HTTP. Without a token the headers say whose it is. */
export async function openStream(
  url: string,
  token: string | null,
  headers: Record<string, string> = {},
): Promise<TestStream> {
  const controller = new AbortController()
  const response = await fetch(url, {
    headers: { ...(token === null ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    signal: controller.signal,
  })
  const events: ServerSentEvent[] = []
  const parser = createEventParser()
  async function read() {
    const decoder = new TextDecoder()
    if (!response.body) return
    for await (const piece of response.body) events.push(...parser.parse(decoder.decode(piece, { stream: true })))
  }
  const ended = read().catch(() => {})
  return {
    status: response.status,
    headers: response.headers,
    events,
    async data(event, count = 1) {
      const found = () => events.filter((one) => one.event === event)
      for (let waited = 0; found().length < count; waited += 20) {
        if (waited > 20_000)
          throw new Error(`No ${event} came. There were: ${events.map((one) => one.event).join(', ')}`)
        await sleep(20)
      }
      return found().map(({ data }): unknown => JSON.parse(data))
    },
    ended,
    close: () => controller.abort(),
  }
}

import { describe, expect, it } from 'vitest'
import type { OpenStream } from '../../../../src/cli/client/service/event-stream.ts'
import { followEvents } from '../../../../src/cli/client/service/follow-events.ts'
import { createEventParser } from '../../../../src/core/lib/parse-events.ts'

/** A stream that sends a text and ends. */
function streamOf(text: string): OpenStream {
  const parser = createEventParser()
  return {
    status: 200,
    headers: {},
    text: async () => text,
    retryMs: parser.retryMs,
    async read(receive) {
      for (const event of parser.parse(text)) if (receive(event)) break
      return 'ended'
    },
  }
}

/** Follows streams with these texts one after another. Returns how long it waited after each. */
async function waitsAfter(...texts: string[]): Promise<number[]> {
  const waits: number[] = []
  const ended = new AbortController()
  await followEvents({
    api: { stream: async () => streamOf(texts[waits.length] ?? '') },
    path: '/events',
    receive: () => false,
    lost: () => {},
    signal: ended.signal,
    silentMs: 1000,
    async wait(ms) {
      waits.push(ms)
      if (waits.length === texts.length) ended.abort()
    },
  })
  return waits
}

describe('after a stream has ended, the next connection', () => {
  it('waits as long as the service requested in the stream', async () => {
    expect(await waitsAfter('retry: 3000\n\ndata: {}\n\n', 'retry: 250\n\n')).toEqual([3000, 250])
  })

  it('waits a second without such a request, and at most a minute', async () => {
    expect(await waitsAfter('data: {}\n\n', 'retry: 86400000\n\n')).toEqual([1000, 60_000])
  })

  it('waits as long as the last event says', async () => {
    expect(await waitsAfter('retry: 3000\n\nevent: bye\ndata: {"retry_after":7}\n\n')).toEqual([7000])
  })
})

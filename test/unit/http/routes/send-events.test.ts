import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type Response } from 'express'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../../../src/core/errors.ts'
import { createOpenStreams } from '../../../../src/service/api/http/limits/stream-limits.ts'
import { sendEvents } from '../../../../src/service/api/http/routes/send-events.ts'
import { type SlowReaderLimits, trackSlowReaders } from '../../../../src/service/api/http/server/slow-readers.ts'
import { ignoreEvents } from '../../../../src/service/lib/service-events.ts'
import type { EventText } from '../../../../src/service/live/event-batch.ts'
import { testViewer } from '../../../support/viewer.ts'

const caller = { token: 't', accountId: undefined }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const textOf = (text: string, isSnapshot = false): EventText => ({ parts: [Buffer.from(text)], names: [], isSnapshot })
const large = (bytes: number) => `data: ${'x'.repeat(bytes)}\n\n`

/** A stream whose events a test sends, and clients of it that read only when they are resumed. */
async function streamOf(first: EventText, limits: Partial<SlowReaderLimits> = {}) {
  const sends = new Set<(text: EventText) => void>()
  const streams = createOpenStreams()
  const slowReaders = trackSlowReaders(limits)
  const app = express()
  app.get('/', (_request, response) => {
    let send = (_text: EventText) => {}
    const stream = {
      repositoryId: 1n,
      first,
      listen(receive: typeof send) {
        send = receive
        sends.add(send)
      },
      isCurrent: async () => true,
      stop: () => void sends.delete(send),
    }
    const authorize = async () => testViewer().viewerOf()
    const options = { streams, slowReaders, authorize, emit: ignoreEvents }
    sendEvents(response, stream, { ...options, caller, recheckMs: 60_000 })
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  async function connectClient() {
    const before = streams.count()
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
    closers.push(() => client.destroy())
    client.on('error', () => {})
    client.pause()
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await until(() => streams.count() === before + 1)
    let received = 0
    client.on('data', (chunk: Buffer) => {
      received += chunk.length
    })
    client.pause()
    return { client, received: () => received }
  }
  return {
    connectClient,
    send: (text: EventText) => {
      for (const send of sends) send(text)
    },
    ...{ count: streams.count, endAll: streams.endAll, unreadBytes: slowReaders.unreadBytes },
  }
}

async function until(check: () => boolean) {
  for (let waited = 0; waited < 10_000 && !check(); waited += 20) await sleep(20)
  expect(check()).toBe(true)
}

/** More than the buffers between two sockets of one machine hold. */
const tooMuch = 16 * 1024 * 1024

describe('a stream to a client that does not read', () => {
  it('is cut off, gives its place back, and holds nothing any more', async () => {
    const { connectClient, send, count, unreadBytes } = await streamOf(textOf('data: x\n\n'))
    await connectClient()
    for (let n = 0; n < 400 && count() > 0; n++) {
      send(textOf(large(100_000)))
      await sleep(1)
    }
    await until(() => count() === 0)
    expect(unreadBytes()).toBe(0)
  })

  it('is not cut off for a beginning that is larger than what a client may have unread', async () => {
    const first = textOf(large(tooMuch))
    const { connectClient, send, count } = await streamOf(first)
    const { client, received } = await connectClient()
    send(textOf('data: x\n\n'))
    await sleep(100)
    expect(count()).toBe(1)
    client.resume()
    await until(() => received() >= tooMuch)
    expect(count()).toBe(1)
  })

  it('is cut off after 20 s in which nothing of the beginning was read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    closers.push(() => vi.useRealTimers())
    const { connectClient, count } = await streamOf(textOf(large(tooMuch)))
    const connected = connectClient()
    while (count() === 0) await vi.advanceTimersByTimeAsync(20)
    await connected
    await vi.advanceTimersByTimeAsync(19_000)
    expect(count()).toBe(1)
    await vi.advanceTimersByTimeAsync(1_100)
    vi.useRealTimers()
    await until(() => count() === 0)
  })

  it('has only the last snapshot waiting, however many were sent', async () => {
    const { connectClient, send, unreadBytes, count } = await streamOf(textOf(large(tooMuch), true))
    const { client, received } = await connectClient()
    for (let n = 0; n < 20; n++) send(textOf(large(1024 * 1024), true))
    expect(unreadBytes()).toBeLessThan(tooMuch + 1.1 * 1024 * 1024)
    expect(count()).toBe(1)
    client.resume()
    await until(() => received() >= tooMuch + 1024 * 1024)
    await until(() => unreadBytes() === 0)
  })

  it('ends without a half event before the farewell', async () => {
    const { connectClient, endAll } = await streamOf(textOf(large(tooMuch)))
    const { client } = await connectClient()
    let text = ''
    client.on('data', (chunk: Buffer) => (text += chunk.toString('latin1')))
    client.pause()
    endAll()
    const closed = new Promise((resolve) => client.once('close', resolve))
    client.resume()
    await closed
    expect(text).not.toContain('bye')
  })
})

describe('streams to many clients that do not read', () => {
  it('hold a text once that all of them have unread', async () => {
    const { connectClient, unreadBytes, count } = await streamOf(textOf(large(tooMuch), true))
    for (let n = 0; n < 10; n++) await connectClient()
    expect(count()).toBe(10)
    expect(unreadBytes()).toBeLessThan(1.01 * tooMuch)
  })

  it('hold so much together: beyond that those are cut off that have read nothing for longest', async () => {
    const { connectClient, send, unreadBytes, count } = await streamOf(textOf(large(tooMuch), true), {
      bytes: 2.5 * tooMuch,
      patienceMs: 0,
    })
    const [, reading] = [await connectClient(), await connectClient()]
    reading.client.resume()
    await until(() => reading.received() >= tooMuch)
    for (let n = 0; n < 3; n++) send(textOf(large(tooMuch), true))
    await until(() => count() === 1)
    expect(unreadBytes()).toBeLessThan(2.5 * tooMuch)
    await until(() => reading.received() >= 3 * tooMuch)
  })
})

describe('a stream to a client that reads', () => {
  it('goes on where one poll brings more than a client may have unread', async () => {
    const { connectClient, send, count } = await streamOf(textOf('data: x\n\n'))
    const { client, received } = await connectClient()
    client.resume()
    for (let n = 1; n <= 5; n++) {
      send(textOf(large(1024 * 1024)))
      await until(() => received() >= n * 1024 * 1024)
    }
    expect(count()).toBe(1)
  })

  it('goes on where the next events come while a large one is still on its way', async () => {
    const { connectClient, send, count } = await streamOf(textOf('data: x\n\n'))
    const { client, received } = await connectClient()
    send(textOf(large(tooMuch)))
    for (let n = 0; n < 5; n++) send(textOf('data: x\n\n'))
    client.resume()
    await until(() => received() >= tooMuch)
    expect(count()).toBe(1)
  })
})

describe('a stream whose rights are checked again', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  /** A stream whose rights are asked for once a minute. `refusal` is the answer. */
  function openStream() {
    let send: (text: EventText) => void = () => {}
    const rights: { refusal?: AppError | undefined } = {}
    const body = new PassThrough()
    const response = Object.assign(body, {
      status: () => response,
      set: () => response,
      flushHeaders() {},
      req: { socket: body },
    }) as unknown as Response
    const stream = {
      repositoryId: 1n,
      first: textOf(''),
      listen(receive: typeof send) {
        send = receive
      },
      isCurrent: async () => true,
      stop() {},
    }
    sendEvents(response, stream, {
      emit: ignoreEvents,
      ...{ streams: createOpenStreams(), slowReaders: trackSlowReaders(), caller, recheckMs: 60_000 },
      async authorize() {
        if (rights.refusal) throw rights.refusal
        return testViewer().viewerOf()
      },
    })
    let text = ''
    body.on('data', (chunk: Buffer) => (text += chunk.toString()))
    const received = async () => {
      await vi.advanceTimersByTimeAsync(0)
      const found = text.replace(/^retry: .*\n\n|: keep-alive\n\n/gm, '')
      text = ''
      return found
    }
    return { rights, received, send: (event: string) => send(textOf(event)) }
  }

  const away = new AppError('github_unavailable', 'GitHub is away.')

  it('sends nothing while they are unknown, and then everything', async () => {
    const { rights, received, send } = openStream()
    send('1')
    expect(await received()).toBe('1')
    rights.refusal = away
    await vi.advanceTimersByTimeAsync(60_000)
    send('2')
    send('3')
    await vi.advanceTimersByTimeAsync(20_000)
    expect(await received()).toBe('')
    rights.refusal = undefined
    await vi.advanceTimersByTimeAsync(2_000)
    expect(await received()).toBe('23')
  })

  it('ends where they are unknown for 30 s, without the held events', async () => {
    const { rights, received, send } = openStream()
    rights.refusal = away
    await vi.advanceTimersByTimeAsync(60_000)
    send('1')
    await vi.advanceTimersByTimeAsync(28_000)
    expect(await received()).toBe('')
    await vi.advanceTimersByTimeAsync(4_000)
    const [, seconds] =
      /^event: bye\ndata: {"code":"unavailable","retry_after":(\d+)}\n\n$/.exec(await received()) ?? []
    expect(Number(seconds)).toBeGreaterThanOrEqual(5)
    expect(Number(seconds)).toBeLessThanOrEqual(60)
  })

  it('ends at once where they are refused', async () => {
    const { rights, received } = openStream()
    rights.refusal = new AppError('not_found', 'Not found.')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(await received()).toMatch(/^event: bye\ndata: {"code":"not_found"/)
  })
})

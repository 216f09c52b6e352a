import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import express, { type Request, type Response } from 'express'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../../../src/errors.ts'
import { createOpenStreams } from '../../../../src/http/limits/stream-limits.ts'
import { sendEvents } from '../../../../src/http/routes/send-events.ts'
import { testViewer } from '../../../support/viewer.ts'

const caller = { token: 't', accountId: undefined }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A stream whose events a test sends, and one client of it. */
async function streamOf(first: string) {
  let send: (text: string) => void = () => {}
  let isStopped = false
  const streams = createOpenStreams()
  const app = express()
  app.get('/', (request, response) => {
    const stream = {
      repositoryId: 1n,
      first,
      listen: (receive: typeof send) => {
        send = receive
      },
      isCurrent: async () => true,
      stop: () => {
        isStopped = true
      },
    }
    sendEvents(request, response, stream, {
      streams,
      caller,
      authorize: async () => testViewer().viewerOf(),
      recheckMs: 60_000,
    })
  })
  const server = createServer(app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.pause()
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await until(() => streams.count() === 1)
  return { client, send: (text: string) => send(text), isStopped: () => isStopped, count: streams.count }
}

async function until(check: () => boolean) {
  for (let waited = 0; waited < 10_000 && !check(); waited += 20) await sleep(20)
  expect(check()).toBe(true)
}

describe('a stream to a client that does not read', () => {
  it('is cut off, and gives its place back', async () => {
    const { send, isStopped, count } = await streamOf('data: x\n\n')
    for (let n = 0; n < 200 && !isStopped(); n++) {
      send(`data: ${'x'.repeat(100_000)}\n\n`)
      await sleep(1)
    }
    await until(isStopped)
    expect(count()).toBe(0)
  })

  it('is not cut off for a first event that is larger than what a client may have unread', async () => {
    const first = `data: ${'x'.repeat(20_000_000)}\n\n`
    const { client, isStopped } = await streamOf(first)
    await sleep(100)
    expect(isStopped()).toBe(false)
    let received = 0
    client.on('data', (chunk: Buffer) => (received += chunk.length))
    client.resume()
    await until(() => received >= first.length)
    expect(isStopped()).toBe(false)
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
    let send: (text: string) => void = () => {}
    const rights: { refusal?: AppError | undefined } = {}
    const body = new PassThrough()
    const response = Object.assign(body, {
      status: () => response,
      set: () => response,
      flushHeaders() {},
    }) as unknown as Response
    const stream = {
      repositoryId: 1n,
      first: '',
      listen(receive: typeof send) {
        send = receive
      },
      isCurrent: async () => true,
      stop() {},
    }
    sendEvents({} as Request, response, stream, {
      ...{ streams: createOpenStreams(), caller, recheckMs: 60_000 },
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
    return { rights, received, send: (event: string) => send(event) }
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

import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import express from 'express'
import { afterEach, describe, expect, it } from 'vitest'
import { createOpenStreams } from '../../../../src/http/limits/stream-limits.ts'
import { sendEvents } from '../../../../src/http/routes/send-events.ts'

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
      first,
      listen: (receive: typeof send) => {
        send = receive
      },
      isCurrent: async () => true,
      stop: () => {
        isStopped = true
      },
    }
    sendEvents(request, response, stream, { streams, token: 't', authorize: async () => {}, recheckMs: 60_000 })
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

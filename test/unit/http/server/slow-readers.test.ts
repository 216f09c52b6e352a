import { EventEmitter, once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import express from 'express'
import { afterEach, expect, it } from 'vitest'
import { createListener } from '../../../../src/service/api/http/server/connection-bounds.ts'
import { type SlowReaderLimits, trackSlowReaders } from '../../../../src/service/api/http/server/slow-readers.ts'

let stop = () => {}
afterEach(() => stop())

/** More than the buffers between two sockets of one machine hold. */
const large = Buffer.alloc(32 * 1024 * 1024)

async function answering(bounds: Partial<Omit<SlowReaderLimits, 'now'>>) {
  const clock = { now: 0 }
  const seen = new EventEmitter()
  const tracker = trackSlowReaders({ bytes: large.length * 1.5, patienceMs: 1_000, ...bounds, now: () => clock.now })
  const app = express()
  app.get('/:name', (request, response) => {
    response.on('close', () => seen.emit(`${request.params.name} is gone`))
    response.end(large)
    tracker.watch(response)
    seen.emit(`${request.params.name} is answered`)
  })
  const server = createListener(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sockets: Socket[] = []
  stop = () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  }
  /** Asks and, until it is resumed, reads nothing. */
  async function ask(name: string) {
    const answered = once(seen, `${name} is answered`)
    const socket = connect({ port, host: '127.0.0.1' })
    sockets.push(socket)
    socket.on('error', () => {})
    socket.pause()
    socket.write(`GET /${name} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    await answered
    return socket
  }
  /** How many bytes come until the connection ends. */
  async function read(socket: Socket) {
    let bytes = 0
    socket.on('data', (chunk: Buffer) => {
      bytes += chunk.length
    })
    const closed = once(socket, 'close')
    socket.resume()
    await closed
    return bytes
  }
  return { ask, read, seen, clock }
}

it('drops the oldest pending response beyond the limit of bytes', async () => {
  const { ask, read, seen, clock } = await answering({})
  const oldest = await ask('oldest')
  clock.now += 1_000
  const isGone = once(seen, 'oldest is gone')
  const newer = await ask('newer')
  await isGone
  expect(await read(oldest)).toBeLessThan(large.length)
  expect(await read(newer)).toBeGreaterThan(large.length)
})

it('keeps each response for the minimum time, beyond the limit too', async () => {
  const { ask, read, clock } = await answering({})
  const oldest = await ask('oldest')
  clock.now += 999
  const newer = await ask('newer')
  expect(await read(oldest)).toBeGreaterThan(large.length)
  expect(await read(newer)).toBeGreaterThan(large.length)
})

it('does not count responses that have been read', async () => {
  const { ask, read, clock } = await answering({ bytes: large.length * 2.5 })
  const slow = await ask('slow')
  expect(await read(await ask('first'))).toBeGreaterThan(large.length)
  clock.now += 5_000
  expect(await read(await ask('second'))).toBeGreaterThan(large.length)
  expect(await read(slow)).toBeGreaterThan(large.length)
})

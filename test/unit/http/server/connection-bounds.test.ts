import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { createListener, type ListenerBounds } from '../../../../src/service/api/http/server/connection-bounds.ts'
import { connectRaw, statuses } from '../../../support/raw-client.ts'

let stop = () => {}
afterEach(() => stop())

async function listening(listener: RequestListener, bounds: Partial<ListenerBounds>) {
  const server = createListener(listener, bounds)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

const request = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'

it('closes a connection whose client does not read the response', async () => {
  // More than the buffers between two sockets of one machine hold.
  const large = Buffer.alloc(64 * 1024 * 1024)
  const { server, url } = await listening((_request, response) => response.end(large), { readMs: 100 })
  const isOver = new Promise((resolve) => server.on('request', (_request, response) => response.on('close', resolve)))
  const client = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  client.on('error', () => {})
  client.pause()
  client.write(request)
  await isOver
  let read = 0
  client.on('data', (chunk) => {
    read += chunk.length
  })
  client.resume()
  await once(client, 'close')
  expect(read).toBeLessThan(large.length)
})

it('does not count the time of a slow handler as reading time', async () => {
  const { url } = await listening((_request, response) => setTimeout(() => response.end('late'), 120), { readMs: 40 })
  const connection = await connectRaw(url)
  connection.write(request)
  expect(await connection.until(/late/)).toContain('late')
})

it('closes connections beyond the limit, and idle ones to make room', async () => {
  const { url } = await listening((_request, response) => response.end('here'), { maxConnections: 2 })
  const sitting = await Promise.all([connectRaw(url), connectRaw(url)])
  for (const connection of sitting) {
    connection.write(request)
    await connection.until(/here/)
  }
  const refused = await connectRaw(url)
  expect(await refused.closed()).toBe('')
  await Promise.all(sitting.map((connection) => connection.closed()))
  const next = await connectRaw(url)
  next.write(request)
  expect(statuses(await next.until(/here/))).toEqual([200])
})

it('closes connections beyond the limit, and none with a pending request', async () => {
  let answer = () => {}
  const { url, server } = await listening(
    (_request, response) => {
      answer = () => response.end('here')
    },
    { maxConnections: 1 },
  )
  const working = await connectRaw(url)
  const hasArrived = once(server, 'request')
  working.write(request)
  await hasArrived
  const refused = await connectRaw(url)
  expect(await refused.closed()).toBe('')
  answer()
  expect(statuses(await working.until(/here/))).toEqual([200])
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { PassThrough } from 'node:stream'
import express, { type Response } from 'express'
import { afterEach, expect, it, vi } from 'vitest'
import type { Context } from '../../src/service/context.ts'
import { createStreams } from '../../src/service/live/send-versions.ts'

afterEach(() => void vi.useRealTimers())

/** A response that is read. */
function newResponse() {
  const response = Object.assign(new PassThrough(), { set() {}, flushHeaders() {} })
  return { response: response as unknown as Response, read: () => String(response.read() ?? '') }
}

const contextOf = (tokenKey: string) => ({ repository: { id: 1n }, tokenKey }) as Context

it('§11 a stream has a comment every 15 s, and ends after ten minutes', () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] })
  const { response, read } = newResponse()
  createStreams({ follow: () => () => {}, stop() {} }).send(contextOf('key'), response)
  expect(read()).toMatch(/^retry: \d+\n\n$/)
  vi.advanceTimersByTime(30_000)
  expect(read()).toBe(': keep-alive\n\n'.repeat(2))
  vi.advanceTimersByTime(600_000 - 30_001)
  expect(response.writableEnded).toBe(false)
  vi.advanceTimersByTime(1)
  expect(response.writableEnded).toBe(true)
  response.emit('close')
})

it('§11 an instance has at most 1,000 streams', () => {
  const streams = createStreams({ follow: () => () => {}, stop() {} })
  const open = Array.from({ length: 1_000 }, newResponse)
  for (const [index, { response }] of open.entries()) streams.send(contextOf(String(index)), response)
  const last = newResponse().response
  expect(() => streams.send(contextOf('another'), last)).toThrow('Too many streams')
  open[0]?.response.emit('close')
  streams.send(contextOf('another'), last)
  for (const { response } of open.slice(1)) response.emit('close')
  last.emit('close')
})

/** A request of a client that has its response open, and reads no more than the first answer. */
async function requestOf(answer: (response: Response) => void) {
  const server = createServer(express().get('/', (_request, response) => answer(response))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
  return {
    client,
    end() {
      client.destroy()
      server.close()
    },
  }
}

it('§11 a client that has left while its rights were asked for takes no place', async () => {
  const streams = createStreams({ follow: () => () => {}, stop() {} })
  const response = await new Promise<Response>((resolve) => {
    const request = requestOf((response) => {
      response.once('close', () => resolve(response))
      void request.then(({ end }) => end())
    })
  })
  streams.send(contextOf('key'), response)
  const open = Array.from({ length: 10 }, newResponse)
  for (const { response } of open) streams.send(contextOf('key'), response)
  for (const { response } of open) response.emit('close')
})

it('§11 nothing is written to a stream that has ended, though its client has not read all', async () => {
  let tell: (version: string) => void = () => {}
  const follow = (_id: bigint, told: typeof tell) => {
    tell = told
    return () => {}
  }
  const streams = createStreams({ follow, stop() {} })
  const faults: unknown[] = []
  const request = await new Promise<Awaited<ReturnType<typeof requestOf>>>((resolve) => {
    const asked = requestOf((response) => {
      response.on('error', (error) => faults.push(error))
      response.once('close', () => void asked.then(resolve))
      streams.send(contextOf('key'), response)
      streams.stop()
      tell('later')
    })
  })
  expect(faults).toEqual([])
  request.end()
})

it('§15 a stream that begins after the stop ends at once', () => {
  const streams = createStreams({ follow: () => () => {}, stop() {} })
  streams.stop()
  const { response } = newResponse()
  streams.send(contextOf('key'), response)
  expect(response.writableEnded).toBe(true)
  response.emit('close')
})

it('§11 cuts off a client that reads nothing of its stream', async () => {
  let tell: (version: string) => void = () => {}
  let sent: Response | undefined
  const follow = (_id: bigint, told: typeof tell) => {
    tell = told
    return () => {}
  }
  const streams = createStreams({ follow, stop() {} })
  const app = express().get('/events', (_request, response) => {
    sent = response
    streams.send({ repository: { id: 1n }, tokenKey: 'key' } as Context, response)
  })
  const server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.on('error', () => {})
  client.write('GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await once(client, 'data')
  client.pause()

  // The operating system takes some MB by itself.
  let told = 0
  while (!sent?.destroyed && told < 5_000) {
    tell('x'.repeat(10_000))
    told += 1
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(sent?.destroyed).toBe(true)
  client.destroy()
  server.close()
})

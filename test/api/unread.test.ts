import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import express, { type Response } from 'express'
import { expect, it } from 'vitest'
import type { Context } from '../../src/service/context.ts'
import { createStreams } from '../../src/service/live/send-versions.ts'

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

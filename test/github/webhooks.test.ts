import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import express from 'express'
import { pino } from 'pino'
import { afterEach, describe, expect, it } from 'vitest'
import { handleErrors } from '../../src/service/api/errors.ts'
import { createProbot } from '../../src/service/github/app/probot.ts'
import { startWebhookProxy } from '../../src/service/github/app/webhook-proxy.ts'
import { boundedText, webhookHandlers } from '../../src/service/github/app/webhooks.ts'
import { githubApiUrl } from '../support/github.ts'
import { appEnvironment } from '../support/github-app.ts'

const log = pino({ level: 'silent' })
const open: Server[] = []
afterEach(() => {
  for (const server of open.splice(0)) {
    server.close()
    server.closeAllConnections()
  }
})

async function listening(server: Server): Promise<number> {
  open.push(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return (server.address() as AddressInfo).port
}

describe('§10 bodies before their signature is checked', () => {
  /** Takes bodies within these limits. */
  async function startBounded(ms = 60_000) {
    const app = express()
    app.post('/', boundedText({ body: 10, together: 25, ms }), (_request, response) => void response.end())
    app.use(handleErrors(log))
    const server = createServer(app)
    return { server, port: await listening(server) }
  }

  /** Begins a request, whose body goes on where it says a length that it does not have yet. */
  function post(port: number, headers: Record<string, string | number>, body: string | Buffer) {
    const asked = request({
      ...{ port, host: '127.0.0.1', method: 'POST', agent: false },
      headers: { 'content-type': 'application/json', ...headers },
    })
    const answered = once(asked, 'response') as Promise<[IncomingMessage]>
    asked.write(body)
    if (body.length === (headers['content-length'] ?? body.length)) asked.end()
    return { asked, status: answered.then(([{ statusCode }]) => statusCode), answered }
  }

  it('are refused where they are larger than what GitHub sends, whatever length they say', async () => {
    const { port } = await startBounded()
    expect(await post(port, { 'content-length': 10 }, '0123456789').status).toBe(200)
    expect(await post(port, { 'content-length': 11 }, '01234567890').status).toBe(413)
    expect(await post(port, { 'transfer-encoding': 'chunked' }, '01234567890').status).toBe(413)
    const compressed = gzipSync('0')
    const encoded = { 'content-encoding': 'gzip', 'transfer-encoding': 'chunked' }
    expect(await post(port, encoded, compressed).status).toBe(400)
  })

  it('are 503 beyond a sum of all at once, until one of them is read', async () => {
    const { server, port } = await startBounded()
    const whole = { 'content-length': 10 }
    const first = post(port, whole, '0')
    await once(server, 'request')
    const second = post(port, whole, '0')
    await once(server, 'request')
    expect(await post(port, whole, '0123456789').status).toBe(503)
    first.asked.end('123456789')
    expect(await first.status).toBe(200)
    expect(await post(port, whole, '0123456789').status).toBe(200)
    second.asked.end('123456789')
    expect(await second.status).toBe(200)
  })

  it('are 503 where they come too slowly, and their connection ends', async () => {
    const { port } = await startBounded(50)
    const [{ statusCode, headers }] = await post(port, { 'content-length': 10 }, '0').answered
    expect([statusCode, headers.connection]).toEqual([503, 'close'])
  })
})

it('§15 a delivery comes through the channel of WEBHOOK_PROXY_URL with its signature', async () => {
  const { WEBHOOK_SECRET: webhookSecret, PRIVATE_KEY: privateKey } = appEnvironment
  const probot = createProbot({ id: 1, privateKey, webhookSecret, webhookProxyUrl: null }, githubApiUrl)
  await probot.ready()
  const received = new Promise((resolve) => probot.on('star.created', ({ payload }) => resolve(payload)))
  const service = createServer(express().use(webhookHandlers(probot)))
  const payload = { action: 'created', note: '“a” <b> \u0000 é' }
  const signature = createHmac('sha256', webhookSecret).update(JSON.stringify(payload)).digest('hex')
  const delivery = { 'x-github-event': 'star', 'x-github-delivery': '1', 'x-hub-signature-256': `sha256=${signature}` }
  const channel = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('event: ready\ndata: {}\n\n')
    response.write(`data: ${JSON.stringify({ ...delivery, host: 'smee.io', body: payload, query: {} })}\n\n`)
  })
  const stop = await startWebhookProxy(
    `http://127.0.0.1:${await listening(channel)}/abc`,
    await listening(service),
    log,
  )
  expect(await received).toEqual(payload)
  await stop()
})

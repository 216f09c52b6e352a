import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Log } from '../../../src/service/lib/log.ts'
import { connectModel } from '../../support/mcp.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
let logged: { level: string; fields: object; message: string }[] = []

const at = (level: string) => (fields: object, message: string) => void logged.push({ level, fields, message })
const log: Log = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }

beforeAll(async () => {
  service = await startTestService({ log })
  repository = service.newRepository()
})
afterAll(() => service.stop())
beforeEach(() => {
  logged = []
})

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

async function send({ method = 'POST', headers = {}, body = JSON.stringify(ping) }: Sent = {}) {
  const response = await fetch(`${service.url}/mcp`, {
    method,
    headers: {
      authorization: `Bearer ${repository.writer}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'GET' || method === 'HEAD' ? {} : { body }),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const codeOf = ({ status, text }: { status: number; text: string }) => [status, JSON.parse(text).error.data.code]

/** The log lines of requests. */
const requestLines = () => logged.filter(({ message }) => message === 'request')

describe('the endpoint /mcp', () => {
  it.each(['', 'Basic abc', 'Bearer', 'Bearer '])('requires a Bearer token, not %j', async (authorization) => {
    const answer = await send({ headers: { authorization } })
    expect(codeOf(answer)).toEqual([401, 'unauthenticated'])
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('takes a token as Octokit sends personal ones', async () => {
    expect((await send({ headers: { authorization: `token ${repository.writer}` } })).status).toBe(200)
  })

  it.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])('only allows POST, not %s', async (method) => {
    const answer = await send({ method })
    expect(codeOf(answer)).toEqual([405, 'method_not_allowed'])
    expect(answer.headers.get('allow')).toBe('POST')
  })

  it('has only this path, which is case-sensitive', async () => {
    expect((await fetch(`${service.url}/MCP`, { method: 'POST' })).status).toBe(404)
    expect((await fetch(`${service.url}/mcp/x`, { method: 'POST' })).status).toBe(404)
  })

  it.each([
    'https://evil.example',
    'null',
    'nonsense',
    'http://127.0.0.1',
    'http://127.0.0.1:1',
    'http://127.0.0.1.evil.example',
  ])('refuses web pages of another origin: %s', async (origin) => {
    for (const method of ['POST', 'GET', 'OPTIONS']) {
      const answer = await send({ method, headers: { origin } })
      expect(codeOf(answer)).toEqual([403, 'forbidden'])
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('accepts its own origin, with the scheme of a proxy too', async () => {
    const { host } = new URL(service.url)
    expect((await send({ headers: { origin: service.url } })).status).toBe(200)
    expect((await send({ headers: { origin: `https://${host}` } })).status).toBe(200)
  })

  it.each([
    ['no body', { body: '' }, 400, 'invalid_json'],
    ['no JSON', { body: '{' }, 400, 'invalid_json'],
    ['another type', { headers: { 'content-type': 'text/plain' } }, 415, 'unsupported_media_type'],
    ['too much', { body: JSON.stringify({ ...ping, x: 'x'.repeat(262_144) }) }, 413, 'payload_too_large'],
  ])('returns the errors of every route: %s', async (_what, sent, status, code) => {
    expect(codeOf(await send(sent))).toEqual([status, code])
  })

  it.each([[{}], ['text'], [7], [null], [{ ...ping, jsonrpc: '1.0' }]])(
    'is 400 for a body that is not a message of the protocol: %#',
    async (message) => {
      expect((await send({ body: JSON.stringify(message) })).status).toBe(400)
    },
  )

  it('refuses batches, because limits count requests', async () => {
    for (const batch of [[ping], [ping, ping], []]) {
      expect(codeOf(await send({ body: JSON.stringify(batch) }))).toEqual([400, 'validation_failed'])
    }
  })

  it('refuses subscriptions', async () => {
    const version = '2026-07-28'
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': version,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    }
    const method = 'subscriptions/listen'
    const params = { _meta, notifications: { toolsListChanged: true } }
    const answer = await send({
      headers: { 'mcp-protocol-version': version, 'mcp-method': method },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    expect(answer.status).toBe(404)
    expect(JSON.parse(answer.text)).toMatchObject({
      id: 1,
      error: { code: -32601, data: { code: 'validation_failed' } },
    })
  })

  it('sends the headers of every response', async () => {
    const { headers } = await send({ headers: { 'x-request-id': 'mine' } })
    expect(headers.get('x-request-id')).toBe('mine')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('vary')).toContain('Authorization')
    expect(headers.get('cache-control')).toMatch(/no-cache|no-store/)
  })
})

describe('the log', () => {
  it('has one line per request with the path and the repository, and nothing that the caller sent', async () => {
    const model = await connectModel(service.url, repository.writer)
    const where = { repository: `${repository.owner}/${repository.name}` }
    logged = []
    await model.done('start_activity', {
      ...where,
      title: 'secret-title',
      summary: 'secret-text',
      actor: 'secret-actor',
    })
    await model.refused('start_activity', { ...where, 'secret-field': 'secret-value', idempotency_key: 'secret-key' })
    await model.refused('get_activity', { ...where, activity_id: 'secret-id' })
    await expect(model.call('secret-tool', { secret: 'secret' })).rejects.toThrow()
    await send({ body: '{"secret":"secret"}' })
    await model.close()
    await expect.poll(() => requestLines().at(-1)?.fields).toMatchObject({ route: '/mcp', status: 400 })
    expect(requestLines().map(({ fields }) => fields)).toContainEqual({
      request_id: expect.any(String),
      method: 'POST',
      route: '/mcp',
      repository_id: String(repository.id),
      status: 200,
      ms: expect.any(Number),
    })
    expect(logged.every(({ level }) => level === 'info')).toBe(true)
    const everything = JSON.stringify(logged)
    expect(everything).not.toContain('secret')
    expect(everything).not.toContain(repository.writer)
    expect(everything).not.toContain(repository.name)
  })
})

import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { call, errorOf, refusal } from '../../support/client.ts'
import { secret, sign } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let named: TestService
let open: TestService
let repository: TestRepository

beforeAll(async () => {
  service = await startTestService({ webhookSecret: secret, allowedHosts: [] })
  const others = { sharedWith: service, webhookSecret: secret }
  named = await startTestService({
    ...others,
    publicUrl: 'https://headsup.example',
    allowedHosts: ['intern.example'],
    listenOn: '0.0.0.0',
  })
  open = await startTestService({ ...others, allowedHosts: [], listenOn: '0.0.0.0' })
  repository = service.newRepository()
})
afterAll(async () => {
  await open.stop()
  await named.stop()
  await service.stop()
})

/** Sends a request with any headers, `Host` too. */
function send(to: TestService, path: string, headers: Record<string, string>, method = 'GET', body = '') {
  const { port } = new URL(to.url)
  return new Promise<{ status: number; body: string }>((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path, method, headers }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body: text }))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

const authorization = () => `Bearer ${repository.writer}`
const status = async (to: TestService, path: string, headers: Record<string, string>) =>
  (await send(to, path, headers)).status

const pages = ['/docs', '/llms.txt', '/api/v1/openapi.json', '/api/v1', '/nowhere', '/']

describe('Host, on a loopback address', () => {
  it.each([...pages, '/api/v1/repos/a/b/activity', '/mcp'])('of another name is 421 at %s', async (path) => {
    const answer = await send(service, path, { host: 'rebound.example:80', authorization: authorization() })
    expect(answer.status).toBe(421)
    const { error } = JSON.parse(answer.body)
    expect(path === '/mcp' ? error.data : error).toMatchObject({ code: 'unknown_host' })
    expect(error.message).toContain('"rebound.example:80"')
    expect(error.message).toContain('HEADSUP_ALLOWED_HOSTS')
  })

  it.each(['localhost.example', '127.0.0.1.example', 'a.localhost.example', 'xlocalhost', 'a', '%'])(
    'of another name is 421: %j',
    async (host) => {
      expect(await status(service, '/docs', { host })).toBe(421)
    },
  )

  it.each([
    ...['localhost', 'LOCALHOST:3000', 'localhost.', 'app.localhost:1', '127.0.0.1', '127.9.9.9:80', '[::1]:3000'],
    ...['192.168.7.7:3000', '[fe80::1]', '10.0.0.1'],
  ])('may be a loopback name or an IP address: %s', async (host) => {
    expect(await status(service, '/docs', { host })).toBe(200)
  })

  it('is checked before the token and the repository', async () => {
    const path = `/api/v1${repository.path}/activity`
    expect(await status(service, path, { host: 'rebound.example' })).toBe(421)
    expect(await status(service, path, { host: 'localhost', authorization: authorization() })).toBe(200)
  })

  it('is not checked for probes and signed webhooks', async () => {
    const host = 'rebound.example'
    const origin = 'https://rebound.example'
    expect(await status(service, '/healthz', { host, origin })).toBe(200)
    expect(await status(service, '/readyz', { host, origin })).toBe(200)
    const body = '{"zen":"z"}'
    const headers = {
      'content-type': 'application/json',
      'x-github-event': 'ping',
      'x-github-delivery': 'guid-of-hosts',
    }
    const signed = { ...headers, host, origin, 'x-hub-signature-256': sign(body) }
    const answer = await send(service, '/api/github/webhooks', signed, 'POST', body)
    expect(answer).toMatchObject({ status: 200 })
  })
})

describe('Host, on another address', () => {
  it('is checked where HEADSUP_PUBLIC_URL or HEADSUP_ALLOWED_HOSTS is set, and may be one of these', async () => {
    expect(await status(named, '/docs', { host: 'rebound.example' })).toBe(421)
    for (const host of ['headsup.example', 'HEADSUP.example:8443', 'intern.example:3000', 'localhost', '10.0.0.1']) {
      expect([host, await status(named, '/docs', { host })]).toEqual([host, 200])
    }
  })

  it('may be anything where neither is set', async () => {
    expect(await status(open, '/docs', { host: 'whatever.example' })).toBe(200)
  })
})

describe('Origin', () => {
  const foreign = ['https://evil.example', 'null', 'nonsense', 'http://127.0.0.1:1', 'file://']

  it.each(foreign)('of another page is 403 on every route: %s', async (origin) => {
    for (const path of [...pages, `/api/v1${repository.path}/activity`]) {
      for (const to of [service, open, named]) {
        const answer = await send(to, path, { origin, authorization: authorization() })
        expect([path, answer.status, JSON.parse(answer.body).error.code]).toEqual([path, 403, 'forbidden'])
      }
    }
  })

  it('is our own where its host is that of Host, without HEADSUP_PUBLIC_URL', async () => {
    const { host } = new URL(service.url)
    expect(await status(service, '/docs', { host, origin: `http://${host}` })).toBe(200)
    expect(await status(open, '/docs', { host: 'a.example', origin: 'https://a.example' })).toBe(200)
  })

  it('is our own where its host is that of HEADSUP_PUBLIC_URL, and then nowhere else', async () => {
    expect(await status(named, '/docs', { origin: 'https://headsup.example' })).toBe(200)
    expect(await status(named, '/docs', { host: 'intern.example', origin: 'http://intern.example' })).toBe(403)
  })

  it('changes nothing when it is foreign', async () => {
    const body = { title: 'T', summary: 'S', actor: 'A' }
    const answer = await repository.post('/activity', body, { headers: { origin: 'https://evil.example' } })
    expect(refusal(answer)).toEqual({ status: 403, code: 'forbidden' })
    expect((await repository.page('/activity')).items).toEqual([])
  })
})

describe('the addresses that the service hands out', () => {
  const info = (to: TestService) => call(`${to.url}/api/v1`)

  it('GET /api/v1 names the service, its GitHub server and its address, without a token', async () => {
    expect(await info(service)).toMatchObject({
      status: 200,
      body: {
        name: 'headsup',
        version: expect.stringMatching(/^\d+\.\d+\.\d+/),
        github_server_url: 'https://github.com',
        public_url: service.url,
      },
    })
    expect((await call(`${service.url}/api/v1/`)).status).toBe(200)
    expect(refusal(await call(`${service.url}/api/v1`, { method: 'POST' }))).toMatchObject({ status: 405 })
  })

  it('come from HEADSUP_PUBLIC_URL, else from the loopback address and port, never from Host', async () => {
    const { port } = new URL(open.url)
    const { body } = await send(open, '/api/v1', { host: 'whatever.example' })
    expect(JSON.parse(body).public_url).toBe(`http://127.0.0.1:${port}`)
    expect((await info(named)).body).toMatchObject({ public_url: 'https://headsup.example' })
    const documentation = async (to: TestService) => errorOf(await call(`${to.url}/nowhere`)).documentation_url
    expect(await documentation(service)).toBe(`${service.url}/docs#error-not_found`)
    expect(await documentation(named)).toBe('https://headsup.example/docs#error-not_found')
    const mcp = await send(
      named,
      '/mcp',
      { 'content-type': 'application/json', authorization: authorization() },
      'POST',
      '{',
    )
    expect(JSON.parse(mcp.body).error.data.documentation_url).toBe('https://headsup.example/docs#error-invalid_json')
  })
})

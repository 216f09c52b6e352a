import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { hour, second } from '../../support/clock.ts'
import { openStream } from '../../support/event-stream.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { codeOf, send, signIn, type Visitor, visit } from './visitor.ts'

let service: TestService
let repository: TestRepository
let port: string
let list: string
const lines: string[] = []
const keep = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`)

beforeAll(async () => {
  service = await startTestService({
    log: { debug: keep, info: keep, warn: keep, error: keep },
    live: { pollMs: 30 },
    permissionCacheMs: 200,
  })
  repository = service.newRepository()
  port = new URL(service.url).port
  list = `/api/v1${repository.path}/activity`
})
afterAll(() => service.stop())

const state = { ways: ['token'] }
const signedOut = { ...state, login: null, ends_at: null }

async function signedIn() {
  const visitor = visit(service)
  await signIn(visitor, repository.writer)
  return visitor
}

function cookieOf(visitor: Visitor): string {
  return `headsup-${port}=${visitor.cookies.get(`headsup-${port}`)}`
}

describe('a session', () => {
  it('begins with a pasted token, and its cookie on plain HTTP has exactly these attributes', async () => {
    const visitor = visit(service)
    const answer = await visitor.fetch('/-/session', { method: 'POST', body: { token: repository.writer } })
    const ends_at = new Date(Math.floor(service.clock.now().getTime() / 1000) * 1000 + 8 * hour).toISOString()
    expect(answer).toMatchObject({ status: 200, body: { ...state, login: `writer${repository.id}`, ends_at } })
    expect(answer.headers['cache-control']).toBe('no-store')
    const [cookie, ...others] = answer.cookies
    expect(others).toEqual([])
    expect(cookie).toMatch(new RegExp(`^headsup-${port}=[\\w.-]+; HttpOnly; SameSite=Strict; Path=/; Max-Age=28800$`))
    expect(answer.text + cookie).not.toContain(repository.writer)
  })

  it('counts as its token in the API, for reading and for writing', async () => {
    const visitor = await signedIn()
    expect(await visitor.fetch(list)).toMatchObject({ status: 200 })
    const body = { title: 'T', summary: 'S', actor: 'Alice' }
    expect(await visitor.fetch(list, { method: 'POST', body })).toMatchObject({ status: 201 })
  })

  it('says who is signed in, and nothing to another site', async () => {
    const visitor = await signedIn()
    expect(await visitor.fetch('/-/session')).toMatchObject({ status: 200, body: { login: `writer${repository.id}` } })
    expect(await visitor.open('/-/session')).toMatchObject({ status: 200, body: signedOut })
    expect(await visit(service).fetch('/-/session')).toMatchObject({ status: 200, body: signedOut })
  })

  it('is over after 8 hours', async () => {
    const visitor = await signedIn()
    service.clock.advance(8 * hour - 2 * second)
    expect(await visitor.fetch(list)).toMatchObject({ status: 200 })
    service.clock.advance(2 * second)
    expect(await visitor.fetch(list)).toMatchObject({ status: 401 })
    expect(await visitor.fetch('/-/session')).toMatchObject({ body: signedOut })
  })

  it('ends when the person signs out', async () => {
    const visitor = await signedIn()
    const answer = await visitor.fetch('/-/session/end', { method: 'POST' })
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.cookies).toEqual([`headsup-${port}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0`])
    expect(await visitor.fetch(list)).toMatchObject({ status: 401 })
  })

  it('is over for a copy of its cookie after the person signed out, on another instance within 10 s', async () => {
    const other = await startTestService({ sharedWith: service })
    onTestFinished(() => other.stop())
    const [visitor, here, elsewhere] = [await signedIn(), visit(service), visit(other)]
    const value = visitor.cookies.get(`headsup-${port}`) ?? ''
    here.cookies.set(`headsup-${port}`, value)
    elsewhere.cookies.set(`headsup-${new URL(other.url).port}`, value)
    const create = { method: 'POST', body: { title: 'T', summary: 'S', actor: 'Alice' } }
    for (const copy of [here, elsewhere]) expect(await copy.fetch(list)).toMatchObject({ status: 200 })
    await visitor.fetch('/-/session/end', { method: 'POST' })
    expect(await here.fetch(list)).toMatchObject({ status: 401 })
    expect(await here.fetch(list, create)).toMatchObject({ status: 401 })
    service.clock.advance(10 * second)
    expect(await elsewhere.fetch(list)).toMatchObject({ status: 401 })
    expect(await elsewhere.fetch(list, create)).toMatchObject({ status: 401 })
    expect(await elsewhere.fetch('/-/session')).toMatchObject({ body: signedOut })
  })

  it('does not begin with a token that GitHub rejects, or of no account', async () => {
    const visitor = visit(service)
    const paste = (token: unknown) => visitor.fetch('/-/session', { method: 'POST', body: { token } })
    for (const token of ['ghp_unknown', 'with space', '', `ghp_${'x'.repeat(2_100)}`]) {
      expect(await paste(token), token).toMatchObject({ status: 401, cookies: [] })
    }
    const installed = service.github.addInstallationToken(service.github.install('acme'))
    const answer = await paste(installed)
    expect([answer.status, codeOf(answer)]).toEqual([401, 'invalid_token'])
    expect(codeOf(await paste(7))).toBe('validation_failed')
    expect(visitor.cookies.size).toBe(0)
  })

  it('is said to be possible on every answer: caches keep the answers of two people apart', async () => {
    for (const path of ['/', '/healthz', list, '/-/session']) {
      expect((await send(service.url + path)).headers.vary).toMatch(/^Authorization, Cookie(, Accept)?$/)
    }
  })
})

describe('the cookie of a session counts only for requests of our own page:', () => {
  it.each<[string, Record<string, string>, number]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 401],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }, 401],
    ['an address that somebody typed', { 'sec-fetch-site': 'none' }, 401],
    ['two of the header', { 'sec-fetch-site': 'same-origin, cross-site' }, 401],
    ['the page', { 'sec-fetch-site': 'same-origin' }, 200],
    ['a program', {}, 401],
    ['an older browser on our page', { origin: 'own' }, 200],
    ['an older browser on another port', { origin: 'http://127.0.0.1:1' }, 403],
    ['a sandboxed frame', { origin: 'null' }, 403],
  ])('%s', async (_title, { origin, ...headers }, status) => {
    const cookie = cookieOf(await signedIn())
    const from = origin === undefined ? {} : { origin: origin === 'own' ? service.url : origin }
    const answer = await send(service.url + list, { headers: { cookie, ...headers, ...from } })
    expect(answer.status).toBe(status)
  })

  it('never at /mcp and for webhooks, and not beside Authorization', async () => {
    const cookie = cookieOf(await signedIn())
    const own = { cookie, 'sec-fetch-site': 'same-origin' }
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
    expect(await send(`${service.url}/mcp`, { method: 'POST', body, headers: own })).toMatchObject({ status: 401 })
    for (const authorization of ['Bearer ghp_unknown', 'Basic x', '']) {
      expect(await send(service.url + list, { headers: { ...own, authorization } })).toMatchObject({ status: 401 })
    }
  })

  it('not if it was changed, is of another key, is too long or is there twice', async () => {
    const cookie = cookieOf(await signedIn())
    const [name = '', value = ''] = cookie.split('=')
    const parts = value.split('.')
    const other = parts[3]?.startsWith('A') ? 'B' : 'A'
    const changed = [...parts.slice(0, 3), `${other}${parts[3]?.slice(1)}`, parts[4]].join('.')
    const none = { alg: 'none' }
    const plain = `${Buffer.from(JSON.stringify(none)).toString('base64url')}.${parts[3]}.`
    for (const sent of [changed, plain, 'x', '', value.slice(0, -1), 'a'.repeat(10_000), `${value}; ${cookie}`]) {
      const answer = await send(service.url + list, {
        headers: { cookie: `${name}=${sent}`, 'sec-fetch-site': 'same-origin' },
      })
      expect(answer.status, sent.slice(0, 40)).toBe(401)
    }
    const asked = await send(`${service.url}/-/session`, {
      headers: { cookie: `${name}=${changed}`, 'sec-fetch-site': 'same-origin' },
    })
    expect(asked).toMatchObject({ status: 200, body: signedOut })
  })
})

describe('a stream of a session', () => {
  async function openAs(visitor: Visitor) {
    const headers = { cookie: cookieOf(visitor), 'sec-fetch-site': 'same-origin' }
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, null, headers)
    await stream.data('snapshot')
    return stream
  }

  it('ends when the person signs out, and no other one does', async () => {
    const [visitor, other] = [await signedIn(), await signedIn()]
    const [stream, kept] = [await openAs(visitor), await openAs(other)]
    await visitor.fetch('/-/session/end', { method: 'POST' })
    expect(await stream.data('bye')).toMatchObject([{ code: 'invalid_token' }])
    await stream.ended
    expect(kept.events.map(({ event }) => event)).toEqual(['snapshot'])
    kept.close()
  })

  it('opens no more after the person signed out, also for a tab that still has the cookie', async () => {
    const visitor = await signedIn()
    const headers = { cookie: cookieOf(visitor), 'sec-fetch-site': 'same-origin' }
    await visitor.fetch('/-/session/end', { method: 'POST' })
    const { status } = await send(`${service.url}/api/v1${repository.path}/events`, { headers })
    expect(status).toBe(401)
  })

  it('ends when the person signs out on another instance', async () => {
    const other = await startTestService({ sharedWith: service })
    onTestFinished(() => other.stop())
    const visitor = await signedIn()
    const stream = await openAs(visitor)
    const value = visitor.cookies.get(`headsup-${port}`) ?? ''
    const elsewhere = visit(other)
    elsewhere.cookies.set(`headsup-${new URL(other.url).port}`, value)
    expect(await elsewhere.fetch('/-/session/end', { method: 'POST' })).toMatchObject({ status: 204 })
    service.clock.advance(10 * second)
    expect(await stream.data('bye')).toMatchObject([{ code: 'invalid_token' }])
  })

  it('ends with the session', async () => {
    const stream = await openAs(await signedIn())
    service.clock.advance(8 * hour)
    expect(await stream.data('bye')).toMatchObject([{ code: 'invalid_token' }])
    await stream.ended
  })
})

it('requests with the cookie and with the token itself count against one rate limit', async () => {
  const limited = await startTestService({ sharedWith: service, requestsPerMinute: 2 })
  onTestFinished(() => limited.stop())
  const visitor = visit(limited)
  await signIn(visitor, repository.writer)
  const headers = { authorization: `Bearer ${repository.writer}` }
  expect(await visitor.fetch(list)).toMatchObject({ status: 200 })
  expect(await send(limited.url + list, { headers })).toMatchObject({ status: 200 })
  for (const answer of [await visitor.fetch(list), await send(limited.url + list, { headers })]) {
    expect([answer.status, codeOf(answer)]).toEqual([429, 'rate_limited'])
  }
})

describe('nobody but our page signs a person in or out:', () => {
  const form = { 'content-type': 'application/x-www-form-urlencoded' }

  it.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another port of this host', { 'sec-fetch-site': 'same-site' }],
    ['a form on another site', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', ...form }],
    ['a program', {}],
    ['an older browser on another site', { origin: 'https://evil.example' }],
  ])('%s', async (_title, headers) => {
    const visitor = await signedIn()
    const cookie = cookieOf(visitor)
    for (const path of ['/-/session', '/-/session/end']) {
      const answer = await send(service.url + path, {
        method: 'POST',
        raw: JSON.stringify({ token: repository.writer }),
        headers: { cookie, ...headers },
      })
      expect(answer).toMatchObject({ status: 403, cookies: [] })
    }
    expect(await visitor.fetch('/-/session')).toMatchObject({ body: { login: `writer${repository.id}` } })
  })

  it('a form of our own origin does, and is answered with the page to show; no other page’s form is', async () => {
    const sent = { method: 'POST', raw: `token=${repository.writer}&to=/acme/shop?q=1` }
    // A page without a referrer sends this origin.
    const own = { ...form, origin: 'null' }
    const answer = await visit(service).fetch('/-/session', { ...sent, headers: own })
    expect(answer).toMatchObject({ status: 303, headers: { location: '/acme/shop?q=1' } })
    expect(answer.cookies).toHaveLength(1)
    const away = { ...sent, raw: `token=${repository.writer}&to=//evil.example/x` }
    expect(await visit(service).fetch('/-/session', { ...away, headers: own })).toMatchObject({
      ...{ status: 303, headers: { location: '/' } },
    })
    for (const site of ['cross-site', 'same-site', 'none']) {
      const foreign = await visit(service, { 'sec-fetch-site': site }).fetch('/-/session', { ...sent, headers: own })
      expect(foreign, site).toMatchObject({ status: 403, cookies: [] })
    }
  })

  it('a form with a token that GitHub rejects gets a page that says so', async () => {
    const sent = { method: 'POST', raw: 'token=ghp_nobody' }
    const answer = await visit(service).fetch('/-/session', { ...sent, headers: { ...form, accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 401, cookies: [] })
    expect(answer.text).toContain('Signing in did not work')
  })
})

it('no log line and no answer has the token', () => {
  expect(lines.length).toBeGreaterThan(20)
  expect(lines.filter((line) => line.includes(repository.writer))).toEqual([])
})

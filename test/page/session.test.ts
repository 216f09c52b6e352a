import { randomBytes } from 'node:crypto'
import nock from 'nock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSeal, loadSessionKey } from '../../src/service/api/sign-in/seal.ts'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { refusedRequests } from '../../src/service/metrics.ts'
import { githubApiUrl, githubServerUrl } from '../support/github.ts'
import { sendAsHost } from '../support/send-as-host.ts'
import { clientOf, startTestService, type TestService } from '../support/service.ts'

const sameOrigin = { 'sec-fetch-site': 'same-origin' }
const publicUrl = 'https://headsup.example'
let service: TestService
beforeAll(async () => {
  service = await startTestService({
    ...{ HEADSUP_PUBLIC_URL: publicUrl, GITHUB_CLIENT_ID: 'Iv1.a', GITHUB_CLIENT_SECRET: 'secret' },
    HEADSUP_TRUSTED_PROXIES: '127.0.0.1',
  })
})
afterAll(() => service.stop())

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: unknown
}

let addresses = 0
/** Each request is of another address, since attempts to sign in are counted. */
const newAddress = () => `192.0.2.${(addresses++ % 250) + 1}`

async function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const response = await fetch(service.url + path, {
    ...{ method, redirect: 'manual' },
    // A body is JSON without a Content-Type that says so.
    headers: { 'x-forwarded-for': newAddress(), ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const [cookie = ''] = response.headers.getSetCookie()
  const [pair = ''] = cookie.split(';')
  const text = await response.text()
  return { status: response.status, headers: response.headers, cookie, pair, text }
}

const tls = { 'x-forwarded-proto': 'https', host: 'headsup.example' }

/** A person who is signed in by a pasted token, over loopback. */
async function signedIn(options: Parameters<typeof clientOf>[1] = {}) {
  const client = clientOf(service, options)
  const answer = await send('/-/session', {
    method: 'POST',
    headers: sameOrigin,
    body: { token: ` ${client.token}\n` },
  })
  const list = `/api/v1/repos/${client.repository.owner}/${client.repository.name}/activity`
  return { client, list, ...answer }
}

it('§12 a pasted token: the cookie is strict and HttpOnly, over loopback named by its port, and holds no readable token', async () => {
  const { client, cookie, status, text } = await signedIn()
  expect(status).toBe(200)
  expect(JSON.parse(text)).toMatchObject({ signed_in: true, login: 'alice', ways: ['github', 'token'] })
  const { port } = new URL(service.url)
  expect(cookie).toMatch(
    new RegExp(`^headsup-${port}=[\\w.-]+; Max-Age=28800; Path=/; Expires=[^;]+; HttpOnly; SameSite=Strict$`),
  )
  expect(Buffer.from(cookie, 'base64').toString()).not.toContain(client.token)
  expect(cookie).not.toContain(client.token)
})

it('§12 over TLS the cookie has the prefix of its host, and is Secure', async () => {
  const { token } = clientOf(service)
  const headers = { ...sameOrigin, 'x-forwarded-proto': 'https' }
  const { cookie } = await send('/-/session', { method: 'POST', headers, body: { token } })
  expect(cookie).toMatch(
    /^__Host-headsup=[\w.-]+; Max-Age=28800; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
  )
})

it('§12 the cookie counts for the API, from our own page alone, and never beside a token', async () => {
  const { pair, list } = await signedIn()
  expect((await send(list, { headers: { ...sameOrigin, cookie: pair } })).status).toBe(200)
  for (const site of ['same-site', 'cross-site', 'none', ''])
    expect((await send(list, { headers: { 'sec-fetch-site': site, cookie: pair } })).status, site).toBe(401)
  expect((await send(list, { headers: { cookie: pair } })).status).toBe(401)
  nock(githubApiUrl)
    .get(/^\/repos/)
    .reply(401)
  const beside = await send(list, { headers: { ...sameOrigin, cookie: pair, authorization: 'Bearer ghp_other' } })
  expect(JSON.parse(beside.text).error.code).toBe('invalid_token')
})

it('§12 the cookie is none for MCP', async () => {
  const { pair } = await signedIn()
  const answer = await send('/mcp', { method: 'POST', headers: { ...sameOrigin, cookie: pair }, body: {} })
  expect(answer.status).toBe(401)
})

it('§12 a cookie that was changed, is there twice, or has another purpose opens nothing', async () => {
  const { pair, list } = await signedIn()
  const [name = '', value = ''] = pair.split('=')
  const changed = `${name}=${value.slice(0, -2)}${value.endsWith('AA') ? 'BB' : 'AA'}`
  const begun = await begin('/')
  const other = `${name}=${pairOf(begun.cookies[0]).split('=')[1]}`
  for (const cookie of [changed, `${pair}; ${pair}`, other, `${name}=x`, `${name}=`])
    expect((await send(list, { headers: { ...sameOrigin, cookie } })).status, cookie).toBe(401)
})

it('§12 signing in and out is for our own page alone', async () => {
  const { token } = clientOf(service)
  for (const site of ['same-site', 'cross-site', 'none']) {
    const headers = { 'sec-fetch-site': site }
    const begun = await send('/-/session', { method: 'POST', headers, body: { token } })
    expect([begun.status, begun.cookie]).toEqual([403, ''])
    const ended = await send('/-/session', { method: 'DELETE', headers })
    expect([ended.status, ended.cookie]).toEqual([403, ''])
  }
})

it('§12 over plain HTTP elsewhere there is no cookie', async () => {
  const { token } = clientOf(service)
  const { request } = await import('node:http')
  const { port } = new URL(service.url)
  const answer = await new Promise<{ status?: number | undefined; text: string; cookie: unknown }>(
    (resolve, reject) => {
      const headers = { ...sameOrigin, host: 'headsup.lan' }
      const asked = request({ host: '127.0.0.1', port, path: '/-/session', method: 'POST', headers }, (response) => {
        let text = ''
        response.on('data', (part) => (text += part))
        response.on('end', () => {
          resolve({ status: response.statusCode, text, cookie: response.headers['set-cookie'] })
        })
      })
      asked.once('error', reject).end(JSON.stringify({ token }))
    },
  )
  expect(answer).toMatchObject({ status: 403, cookie: undefined })
  expect(JSON.parse(answer.text).error.code).toBe('insecure')
})

it('§12 a token that GitHub refuses begins no session; one without an account does', async () => {
  nock(githubApiUrl).get('/user').reply(401)
  const refused = await send('/-/session', { method: 'POST', headers: sameOrigin, body: { token: 'ghp_wrong' } })
  expect([refused.status, refused.cookie]).toEqual([401, ''])
  nock(githubApiUrl).get('/user').reply(403, { message: 'Resource not accessible by integration' })
  const installed = await send('/-/session', { method: 'POST', headers: sameOrigin, body: { token: 'ghs_robot' } })
  expect(JSON.parse(installed.text)).toMatchObject({ signed_in: true, login: null })
  for (const body of [{}, { token: 7 }, { token: 'a b' }, { token: 'x'.repeat(3_000) }, { token: 'x', to: '/' }])
    expect((await send('/-/session', { method: 'POST', headers: sameOrigin, body })).cookie).toBe('')
})

it('§12 a copied cookie opens nothing after its end, and none of another key', async () => {
  const { client, list } = await signedIn()
  const { prisma } = openDatabase(service.databaseUrl)
  const [ours, another] = [createSeal(await loadSessionKey(prisma)), createSeal(randomBytes(32))]
  await prisma.$disconnect()
  const claims = { token: client.token, login: 'alice', is_ours: false }
  const statusOf = async (seal: typeof ours, ms: number) => {
    const cookie = `headsup-${new URL(service.url).port}=${await seal.seal('session', claims, ms)}`
    return (await send(list, { headers: { ...sameOrigin, cookie } })).status
  }
  expect(await statusOf(ours, 60_000)).toBe(200)
  expect(await statusOf(ours, -2_000)).toBe(401)
  expect(await statusOf(another, 60_000)).toBe(401)
})

it('§12 signing out clears the cookie, and keeps a pasted token at GitHub', async () => {
  const { pair } = await signedIn()
  const { cookie, text } = await send('/-/session', { method: 'DELETE', headers: { ...sameOrigin, cookie: pair } })
  expect(cookie).toMatch(/^headsup-\d+=; Max-Age=0;/)
  expect(JSON.parse(text)).toMatchObject({ signed_in: false, login: null })
})

/** Begins at the public address, as a proxy hands it on. */
async function begin(to: string) {
  const begun = await sendAsPublic(`/-/sign-in?to=${encodeURIComponent(to)}`)
  const address = new URL(begun.location ?? '')
  return { ...begun, address, state: address.searchParams.get('state') ?? '' }
}

function sendAsPublic(path: string, headers: Record<string, string> = {}, method = 'GET', url = service.url) {
  return sendAsHost(url + path, method, { ...tls, 'x-forwarded-for': newAddress(), ...headers })
}

const pairOf = (cookie = '') => cookie.split(';')[0] ?? ''

it('§12 GitHub’s web flow: state and PKCE, the code once, a session, and its token is revoked in the end', async () => {
  const { address, state, cookies } = await begin('/acme/shop')
  expect(address.origin + address.pathname).toBe(`${githubServerUrl}/login/oauth/authorize`)
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    ...{ client_id: 'Iv1.a', redirect_uri: `${publicUrl}/-/callback`, code_challenge_method: 'S256' },
    code_challenge: expect.stringMatching(/^[\w-]{43}$/),
  })
  expect(cookies[0]).toMatch(/^__Host-headsup-sign-in=[\w.-]+; Max-Age=600; .*HttpOnly; Secure; SameSite=Lax$/)
  const exchange = nock(githubServerUrl)
    .post('/login/oauth/access_token', ({ code, code_verifier, client_secret, redirect_uri }) => {
      return code === 'c0de' && code_verifier.length === 43 && client_secret === 'secret' && redirect_uri !== ''
    })
    .reply(200, { access_token: 'ghu_new', expires_in: 3_600 })
  nock(githubApiUrl).get('/user').reply(200, { login: 'carla' })
  const back = await sendAsPublic(`/-/callback?code=c0de&state=${state}`, { cookie: pairOf(cookies[0]) })
  expect([back.status, back.location]).toEqual([302, '/acme/shop'])
  expect(exchange.isDone()).toBe(true)
  const session = back.cookies.find((cookie) => cookie.startsWith('__Host-headsup='))
  expect(session).toMatch(/Max-Age=3600;.*Secure; SameSite=Strict$/)
  const revoked = nock(githubApiUrl)
    .delete('/applications/Iv1.a/token', { access_token: 'ghu_new' })
    .basicAuth({ user: 'Iv1.a', pass: 'secret' })
    .reply(204)
  const ended = await sendAsPublic('/-/session', { ...sameOrigin, cookie: pairOf(session) }, 'DELETE')
  expect(ended.status).toBe(200)
  expect(revoked.isDone()).toBe(true)
})

it('§12 GitHub’s web flow over loopback: the cookies are those of the port, without Secure', async () => {
  const [host, origin] = ['localhost:3000', 'http://localhost:3000']
  const client = { HEADSUP_PUBLIC_URL: origin, GITHUB_CLIENT_ID: 'Iv1.a', GITHUB_CLIENT_SECRET: 'secret' }
  const local = await startTestService({ ...client, DATABASE_URL: service.databaseUrl })
  const plain = (path: string, cookie = '') =>
    sendAsPublic(path, { host, 'x-forwarded-proto': 'http', cookie }, 'GET', local.url)
  const begun = await plain('/-/sign-in?to=/acme/shop')
  const asked = new URL(begun.location ?? '').searchParams
  expect(asked.get('redirect_uri')).toBe(`${origin}/-/callback`)
  expect(begun.cookies[0]).toMatch(/^headsup-3000-sign-in=[\w.-]+; Max-Age=600; .*HttpOnly; SameSite=Lax$/)
  nock(githubServerUrl).post('/login/oauth/access_token').reply(200, { access_token: 'ghu_local' })
  nock(githubApiUrl).get('/user').reply(200, { login: 'carla' })
  const back = await plain(`/-/callback?code=c0de&state=${asked.get('state')}`, pairOf(begun.cookies[0]))
  expect([back.status, back.location]).toEqual([302, '/acme/shop'])
  const session = back.cookies.find((cookie) => cookie.startsWith('headsup-3000='))
  expect(session).toMatch(/HttpOnly; SameSite=Strict$/)
  expect(session).not.toContain('Secure')
  await local.stop()
})

it('§12 a forged state, a missing cookie or another sign-in’s is no sign-in, and no code is spent', async () => {
  const [mine, other] = [await begin('/'), await begin('/')]
  const code = '/-/callback?code=c0de&state='
  for (const [state, cookie] of [
    ['forged', pairOf(mine.cookies[0])],
    [mine.state, ''],
    [mine.state, pairOf(other.cookies[0])],
    [`${mine.state}&state=${mine.state}`, pairOf(mine.cookies[0])],
  ]) {
    const back = await sendAsPublic(code + state, { cookie: cookie ?? '' })
    expect(back.status).toBe(400)
    expect(back.cookies.some((one) => one.startsWith('__Host-headsup='))).toBe(false)
  }
  expect((await sendAsPublic(code + mine.state, { cookie: pairOf(mine.cookies[0]) }, 'HEAD')).status).toBe(405)
})

it.each([
  'https://evil.example/x',
  '//evil.example/x',
  '/\\evil.example',
  '/a/b/c',
  '/a/b?x=//y',
  'javascript:1',
  '/-/../x',
])('§12 nobody is led to another site: %s', async (to) => {
  const { state, cookies } = await begin(to)
  nock(githubServerUrl).post('/login/oauth/access_token').reply(200, { access_token: 'ghu_x' })
  nock(githubApiUrl).get('/user').reply(200, { login: 'carla' })
  const back = await sendAsPublic(`/-/callback?code=c0de&state=${state}`, { cookie: pairOf(cookies[0]) })
  expect([back.status, back.location]).toEqual([302, '/'])
})

it('§12 the sign-in begins at the public address, whatever Host says', async () => {
  const begun = await send('/-/sign-in?to=/acme/shop')
  expect(begun.headers.get('location')).toBe(`${publicUrl}/-/sign-in?to=%2Facme%2Fshop`)
  expect(begun.cookie).toBe('')
})

it('§12 an instance that starts later reads the sessions of the first', async () => {
  const { pair, list } = await signedIn()
  const { port } = new URL(service.url)
  const second = await startTestService({ DATABASE_URL: service.databaseUrl })
  const there = pair.replace(port, new URL(second.url).port)
  expect((await fetch(second.url + list, { headers: { ...sameOrigin, cookie: there } })).status).toBe(200)
  await second.stop()
})

it('§12 attempts to sign in are counted by address', async () => {
  nock(githubApiUrl).persist().get('/user').matchHeader('authorization', 'token ghp_guess').reply(401)
  const guess = {
    method: 'POST',
    headers: { ...sameOrigin, 'x-forwarded-for': '198.51.100.1' },
    body: { token: 'ghp_guess' },
  }
  const answers = []
  for (let index = 0; index < 31; index++) answers.push((await send('/-/session', guess)).status)
  expect(answers.slice(0, 30).every((status) => status === 401)).toBe(true)
  expect(answers[30]).toBe(429)
  const counted = { labels: { what: 'attempts to sign in' }, value: expect.any(Number) }
  expect((await refusedRequests.get()).values).toContainEqual(counted)
})

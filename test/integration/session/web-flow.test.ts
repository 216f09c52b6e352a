import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hour, minute } from '../../support/clock.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { type Answer, codeOf, send, type Visitor, visit } from './visitor.ts'

const publicUrl = 'https://headsup.example'
const lines: string[] = []
const keep = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`)

let service: TestService
let repository: TestRepository
let login: string
let list: string

beforeAll(async () => {
  service = await startTestService({
    publicUrl,
    githubClient: 'own',
    log: { debug: keep, info: keep, warn: keep, error: keep },
  })
  repository = service.newRepository()
  login = `writer${repository.id}`
  list = `/api/v1${repository.path}/activity`
})
beforeEach(() => service.github.signInAs(login))
afterEach(() => service.github.heal())
afterAll(() => service.stop())

/** A browser at the public address, which a TLS proxy serves without a word about it. */
const browser = () => visit(service, { host: 'headsup.example' })

const location = ({ headers }: Answer): string => String(headers.location)
const pathOf = (url: string) => url.replace(publicUrl, '')

/** The address that GitHub's redirect leads the browser to. */
async function agree(atGithub: string): Promise<string> {
  return location(await send(atGithub))
}

/** Goes to GitHub, and to where GitHub leads from there. */
async function goToGithub(visitor: Visitor, to = '/'): Promise<string> {
  const begun = await visitor.open(`/-/sign-in?${new URLSearchParams({ to })}`)
  expect(begun.status).toBe(302)
  return pathOf(await agree(location(begun)))
}

async function signedIn(): Promise<Visitor> {
  const visitor = browser()
  expect(await visitor.open(await goToGithub(visitor))).toMatchObject({ status: 302 })
  return visitor
}

const nobody = { body: { login: null, ends_at: null, ways: ['github', 'token'] } }

async function expectNobody(visitor: Visitor) {
  expect(await visitor.fetch('/-/session')).toMatchObject(nobody)
}

describe('signing in with GitHub', () => {
  it('goes to GitHub with state and PKCE, and back to the public address', async () => {
    const visitor = browser()
    const begun = await visitor.open('/-/sign-in?to=/acme/shop')
    const { origin, pathname, searchParams } = new URL(location(begun))
    expect(origin + pathname).toBe(`${service.github.url}/login/oauth/authorize`)
    expect(Object.fromEntries(searchParams)).toEqual({
      client_id: service.github.client.id,
      redirect_uri: `${publicUrl}/-/callback`,
      state: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      code_challenge_method: 'S256',
    })
    expect(begun.cookies).toEqual([
      expect.stringMatching(/^__Host-headsup-sign-in=[\w.-]+; HttpOnly; Secure; SameSite=Lax; Path=\/; Max-Age=600$/),
    ])
  })

  it('sets the cookie of the session with exactly these attributes, and shows the requested page', async () => {
    const visitor = browser()
    const to = `/${repository.owner}/${repository.name}?path=src/a%20b.ts`
    const answer = await visitor.open(await goToGithub(visitor, to))
    expect([answer.status, location(answer)]).toEqual([302, to])
    expect(answer.cookies).toEqual([
      '__Host-headsup-sign-in=; HttpOnly; Secure; SameSite=Lax; Path=/; Max-Age=0',
      expect.stringMatching(/^__Host-headsup=[\w.-]+; HttpOnly; Secure; SameSite=Strict; Path=\/; Max-Age=28800$/),
    ])
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    expect(await visitor.fetch('/-/session')).toMatchObject({ body: { login, ways: ['github', 'token'] } })
    service.github.install(repository.owner)
    expect(await visitor.fetch(list)).toMatchObject({ status: 200 })
  })

  it('takes the way back from HEADSUP_PUBLIC_URL, whatever Host says', async () => {
    for (const host of ['127.0.0.1', 'localhost:1', 'headsup.example']) {
      const begun = await visit(service, { host }).open('/-/sign-in')
      expect(new URL(location(begun)).searchParams.get('redirect_uri')).toBe(`${publicUrl}/-/callback`)
    }
    const evil = await visit(service, { host: 'evil.example' }).open('/-/sign-in')
    expect([evil.status, codeOf(evil)]).toEqual([421, 'unknown_host'])
    const forwarded = { host: 'headsup.example', 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
    expect(location(await visit(service, forwarded).open('/-/sign-in'))).not.toContain('evil')
  })

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/%5Cevil.example',
    '%2F%2Fevil.example',
    'https://evil.example/a/b',
    '/a/b\\@evil.example',
    '/a/b?x=\r\nset-cookie:a=b',
    '/a/b/../../../evil',
    '/-/sign-in?to=/a/b',
    '/-/session',
    'javascript:alert(1)',
    '',
  ])('leads to the start page instead of %j', async (to) => {
    const visitor = browser()
    const answer = await visitor.open(await goToGithub(visitor, to))
    expect([answer.status, location(answer)]).toEqual([302, '/'])
    expect(await visitor.fetch('/-/session')).toMatchObject({ body: { login } })
  })

  it('leads to the start page instead of an address that would not fit into a cookie', async () => {
    for (const to of [`/a/b?${'x'.repeat(1_000)}`, `/a/b?${'\u20ac'.repeat(990)}`]) {
      const visitor = browser()
      expect(location(await visitor.open(await goToGithub(visitor, to)))).toBe('/')
    }
    const visitor = browser()
    const longest = `/a/b?${'x'.repeat(995)}`
    expect(location(await visitor.open(await goToGithub(visitor, longest)))).toBe(longest)
  })

  it('ends with the token that GitHub issued', async () => {
    const visitor = await signedIn()
    service.clock.advance(8 * hour)
    await expectNobody(visitor)
  })
})

describe('the callback', () => {
  it('begins again without the cookie of a sign-in, and for the state of another, but only once', async () => {
    const attacker = browser()
    const stolen = await goToGithub(attacker)
    const without = browser()
    const answer = await without.open(stolen)
    expect([answer.status, location(answer)]).toEqual([302, '/-/sign-in?to=%2F&again=1'])
    const victim = browser()
    await goToGithub(victim, '/acme/shop')
    const other = await victim.open(stolen)
    expect([other.status, location(other)]).toEqual([302, '/-/sign-in?to=%2Facme%2Fshop&again=1'])
    await expectNobody(victim)
    const second = await without.open(location(answer))
    without.cookies.clear()
    const failed = await without.open(pathOf(await agree(location(second))), { headers: { accept: 'text/html' } })
    expect(failed).toMatchObject({ status: 400 })
    expect(failed.text).toContain('Allow cookies')
    await expectNobody(without)
  })

  it('works once', async () => {
    const visitor = browser()
    const callback = await goToGithub(visitor)
    const held = new Map(visitor.cookies)
    await visitor.open(callback)
    const replayed = browser()
    for (const [name, value] of held) replayed.cookies.set(name, value)
    const answer = await replayed.open(callback)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'sign_in_failed'])
    await expectNobody(replayed)
  })

  it('needs the verifier of its own sign-in: a code of another one is refused', async () => {
    const attacker = new URL(await goToGithub(browser()), publicUrl).searchParams.get('code') ?? ''
    const visitor = browser()
    const callback = new URL(await goToGithub(visitor), publicUrl)
    callback.searchParams.set('code', attacker)
    const answer = await visitor.open(callback.pathname + callback.search)
    expect([answer.status, codeOf(answer)]).toEqual([400, 'sign_in_failed'])
    await expectNobody(visitor)
  })

  it('has to come within 10 minutes', async () => {
    const visitor = browser()
    const callback = await goToGithub(visitor)
    service.clock.advance(10 * minute)
    expect(location(await visitor.open(callback))).toMatch(/^\/-\/sign-in\?/)
    await expectNobody(visitor)
  })

  it('takes no parameter twice, and no HEAD', async () => {
    const visitor = browser()
    const callback = await goToGithub(visitor)
    expect(await visitor.open(callback, { method: 'HEAD' })).toMatchObject({ status: 405, cookies: [] })
    const twice = await visitor.open(`${callback}&state=x`)
    expect(location(twice)).toMatch(/^\/-\/sign-in\?/)
    await expectNobody(visitor)
  })

  it('says that the person did not agree', async () => {
    service.github.signInAs(null)
    const visitor = browser()
    const answer = await visitor.open(await goToGithub(visitor), { headers: { accept: 'text/html' } })
    expect(answer).toMatchObject({ status: 400 })
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'")
    expect(answer.text).toContain('You did not agree at GitHub.')
    await expectNobody(visitor)
  })

  it.each([
    ['the token endpoint is down', { path: '/login/oauth/access_token' }, faults.unicorn()],
    ['the token endpoint breaks off', { path: '/login/oauth/access_token' }, faults.cutOff()],
    ['the account can not be read', { path: '/user' }, faults.unicorn(500)],
  ])('signs nobody in while %s, and says so', async (_title, where, fault) => {
    const visitor = browser()
    const callback = await goToGithub(visitor)
    service.github.fail(fault, where)
    const answer = await visitor.open(callback)
    expect([answer.status, codeOf(answer)]).toEqual([503, 'github_unavailable'])
    expect(answer.cookies).toEqual([expect.stringContaining('__Host-headsup-sign-in=;')])
    await expectNobody(visitor)
  })
})

describe('signing out', () => {
  const revokes = () => service.github.log.filter(({ method }) => method === 'DELETE')

  it('revokes the token that GitHub issued for the session', async () => {
    const visitor = await signedIn()
    const before = service.github.data.tokens.size
    expect(await visitor.fetch('/-/session/end', { method: 'POST' })).toMatchObject({
      status: 204,
      cookies: ['__Host-headsup=; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=0'],
    })
    expect(service.github.data.tokens.size).toBe(before - 1)
    expect(revokes().at(-1)).toMatchObject({ status: 204 })
    await expectNobody(visitor)
  })

  it('clears the cookie while GitHub is unreachable, and logs that the token stays valid', async () => {
    const visitor = await signedIn()
    service.github.fail(faults.unicorn(503), { method: 'DELETE' })
    const answer = await visitor.fetch('/-/session/end', { method: 'POST' })
    expect(answer).toMatchObject({ status: 204, cookies: [expect.stringContaining('Max-Age=0')] })
    expect(lines.at(-2)).toBe('{"status":503} GitHub did not revoke the token of a session')
  })

  it('does not revoke the token of a person', async () => {
    const visitor = browser()
    await visitor.fetch('/-/session', { method: 'POST', body: { token: repository.writer } })
    const before = revokes().length
    expect(await visitor.fetch('/-/session/end', { method: 'POST' })).toMatchObject({ status: 204 })
    expect(revokes()).toHaveLength(before)
    expect(service.github.data.tokens.has(repository.writer)).toBe(true)
  })
})

it('no log line has a token, a code of GitHub or a state', async () => {
  const visitor = browser()
  const callback = await goToGithub(visitor)
  await visitor.open(callback)
  const { code, state } = Object.fromEntries(new URL(callback, publicUrl).searchParams)
  const all = lines.join('\n')
  expect(all).toContain('/-/callback')
  for (const secret of [code, state, 'ghu_', repository.writer, service.github.client.secret]) {
    expect(all).not.toContain(secret)
  }
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { type Answer, codeOf, signIn, visit } from './visitor.ts'

/** Behind no known proxy, behind a trusted one, and without any address. */
let undeclared: TestService
let trusting: TestService
let plain: TestService
let repository: TestRepository

beforeAll(async () => {
  plain = await startTestService({ githubClient: 'own', publicUrl: 'http://headsup.example' })
  const shared = { sharedWith: plain, githubClient: 'own' } as const
  undeclared = await startTestService({ ...shared, publicUrl: 'https://headsup.example' })
  trusting = await startTestService({ ...shared, publicUrl: 'https://headsup.example', trustedProxies: ['loopback'] })
  repository = plain.newRepository()
})
afterAll(async () => {
  await undeclared.stop()
  await trusting.stop()
  await plain.stop()
})

const own = { host: 'headsup.example' }
const paths = ['/-/session', '/-/session/handover', '/-/session/enter', '/-/session/end', '/-/session/unknown']

const paste = (service: TestService, headers: Record<string, string>): Promise<Answer> =>
  visit(service, headers).fetch('/-/session', { method: 'POST', body: { token: repository.writer } })

describe('over plain HTTP on an address of the network', () => {
  const lan = { host: '192.168.1.7:3000' }

  it.each(paths)('%s is 403 insecure, and sets no cookie', async (path) => {
    for (const [service, headers] of [
      [plain, lan],
      [plain, own],
      [undeclared, lan],
      [trusting, { ...own, 'x-forwarded-proto': 'http' }],
    ] as const) {
      for (const method of ['GET', 'POST']) {
        const answer = await visit(service, headers).fetch(path, { method, ...(method === 'POST' ? { body: {} } : {}) })
        expect([answer.status, codeOf(answer), answer.cookies]).toEqual([403, 'insecure', []])
      }
    }
  })

  it('signing in with GitHub is refused too', async () => {
    for (const path of ['/-/sign-in', '/-/callback?code=x&state=y']) {
      const answer = await visit(plain, own).open(path)
      expect([answer.status, codeOf(answer), answer.cookies]).toEqual([403, 'insecure', []])
    }
  })

  it('no cookie counts', async () => {
    const visitor = visit(plain)
    await signIn(visitor, repository.writer)
    const list = `/api/v1${repository.path}/activity`
    expect(await visitor.fetch(list)).toMatchObject({ status: 200 })
    const port = new URL(plain.url).port
    expect(await visitor.fetch(list, { headers: { host: `192.168.1.7:${port}` } })).toMatchObject({ status: 401 })
  })
})

describe('a connection counts as TLS', () => {
  const tls = [expect.stringMatching(/^__Host-headsup=[\w.-]+; HttpOnly; Secure; SameSite=Strict;/)]

  it.each<[string, () => TestService, Record<string, string>]>([
    ['where a trusted proxy says so', () => trusting, { ...own, 'x-forwarded-proto': 'https' }],
    ['whatever Host a trusted proxy sends', () => trusting, { host: '127.0.0.1', 'x-forwarded-proto': 'https' }],
    ['at exactly the public address, where no proxy says anything', () => undeclared, own],
    ['and the page is of that address', () => undeclared, { ...own, origin: 'https://headsup.example' }],
    ['where an unknown proxy agrees', () => undeclared, { ...own, 'x-forwarded-proto': 'https' }],
  ])('%s', async (_title, service, headers) => {
    expect(await paste(service(), headers)).toMatchObject({ status: 200, cookies: tls })
  })

  it.each<[string, () => TestService, Record<string, string>]>([
    ['where anybody says so', () => plain, { ...own, 'x-forwarded-proto': 'https' }],
    ['where a trusted proxy says http', () => trusting, { ...own, 'x-forwarded-proto': 'http' }],
    ['where an unknown proxy says http', () => undeclared, { ...own, 'x-forwarded-proto': 'http' }],
    ['for a page over plain HTTP', () => undeclared, { ...own, origin: 'http://headsup.example' }],
    ['at another port', () => undeclared, { host: 'headsup.example:3000' }],
    ['at a subdomain', () => undeclared, { host: 'localhost.headsup.example' }],
  ])('but not %s', async (_title, service, headers) => {
    const answer = await paste(service(), headers)
    expect(answer.cookies).toEqual([])
    expect([403, 421]).toContain(answer.status)
  })
})

describe('over plain HTTP within the machine', () => {
  it.each(['127.0.0.1:8080', 'localhost:8080', '127.9.9.9:8080', '[::1]:8080', 'headsup.localhost:8080'])(
    'people sign in at %s, and the cookie has the name of that port',
    async (host) => {
      const answer = await paste(plain, { host })
      expect(answer).toMatchObject({
        status: 200,
        cookies: [expect.stringMatching(/^headsup-8080=[\w.-]+; HttpOnly; Same/)],
      })
    },
  )

  it.each(['127.0.0.1.evil.example', 'localhost.evil.example', '0.0.0.0', '[::]', '169.254.0.1'])(
    'not at %s',
    async (host) => {
      const answer = await paste(plain, { host })
      expect(answer.cookies).toEqual([])
      expect([403, 421]).toContain(answer.status)
    },
  )

  it('the cookie of another port is not read', async () => {
    const visitor = visit(plain)
    await signIn(visitor, repository.writer)
    const { host } = new URL(plain.url)
    expect(await visitor.fetch('/-/session')).toMatchObject({ body: { login: `writer${repository.id}` } })
    expect(await visitor.fetch('/-/session', { headers: { host: host.replace(/\d+$/, '1') } })).toMatchObject({
      body: { login: null },
    })
  })
})

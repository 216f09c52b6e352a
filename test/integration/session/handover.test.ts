import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { loadSealKey } from '../../../src/service/api/session/seal-key-store.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day, second } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { codeOf, send, visit } from './visitor.ts'

let service: TestService
let other: TestService
let withClient: TestService
let repository: TestRepository
const lines: string[] = []
const keep = (fields: object, message: string) => void lines.push(`${JSON.stringify(fields)} ${message}`)
const log = { debug: keep, info: keep, warn: keep, error: keep }

beforeAll(async () => {
  service = await startTestService({ log })
  other = await startTestService({ sharedWith: service, log })
  withClient = await startTestService({ sharedWith: service, log, githubClient: { id: 'Iv1', secret: 'a secret' } })
  repository = service.newRepository()
})
afterAll(async () => {
  await other.stop()
  await withClient.stop()
  await service.stop()
})

const Code = z.object({ code: z.string(), expires_in: z.literal(30) })

async function codeFrom({ url }: TestService = service): Promise<string> {
  const headers = { authorization: `Bearer ${repository.writer}` }
  const answer = await send(`${url}/-/session/handover`, { method: 'POST', headers })
  return Code.parse(answer.body).code
}

const enter = (code: string, { at = service, peek = false } = {}) =>
  visit(at).fetch('/-/session/enter', { method: 'POST', body: { code, ...(peek ? { peek } : {}) } })

const refused = { status: 401, cookies: [], body: { error: { code: 'invalid_code' } } }

describe('a code of the command line', () => {
  it('begins a session of the login that it names', async () => {
    const visitor = visit(service)
    const code = await codeFrom()
    expect(code).not.toContain(repository.writer)
    const ask = (body: object) => visitor.fetch('/-/session/enter', { method: 'POST', body })
    const peeked = await ask({ code, peek: true })
    expect(peeked).toMatchObject({ status: 200, body: { login: `writer${repository.id}` }, cookies: [] })
    expect(await ask({ code })).toMatchObject({
      status: 200,
      body: { login: `writer${repository.id}`, ways: ['token'] },
    })
    expect(await visitor.fetch(`/api/v1${repository.path}/activity`)).toMatchObject({ status: 200 })
  })

  it('works once, on all instances', async () => {
    const code = await codeFrom()
    // Reads pass and inserts wait, so that all four are at the same point.
    const client = await service.db.pool.connect()
    await client.query('begin')
    await client.query('lock table spent_seals in share row exclusive mode')
    const entering = [service, other, service, other].map((at) => enter(code, { at }))
    await vi.waitFor(async () => {
      const { rows } = await client.query(
        "select from pg_locks where relation = 'spent_seals'::regclass and not granted",
      )
      expect(rows).toHaveLength(4)
    }, 20_000)
    await client.query('rollback')
    client.release()
    const answers = await Promise.all(entering)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401])
    expect(await enter(code, { at: other })).toMatchObject(refused)
    expect(await enter(code, { peek: true })).toMatchObject(refused)
  })

  it('works once in whatever spelling', async () => {
    const code = await codeFrom()
    await enter(code)
    const last = code.at(-1) ?? ''
    // The last character of a part holds fewer than 6 bits, so that others stand for the same bytes.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const spellings = [...alphabet].filter((one) => one !== last).map((one) => code.slice(0, -1) + one)
    const answers = await Promise.all([...spellings, `${code}=`, ` ${code}`].map((spelling) => enter(spelling)))
    expect(answers.filter(({ status }) => status !== 401)).toEqual([])
  })

  it('is too old after 30 seconds', async () => {
    const [early, late] = [await codeFrom(), await codeFrom()]
    service.clock.advance(29 * second)
    expect(await enter(early)).toMatchObject({ status: 200 })
    service.clock.advance(second)
    expect(await enter(late)).toMatchObject(refused)
    expect(await enter(late, { peek: true })).toMatchObject(refused)
  })

  it('is no session, and a session is no code', async () => {
    const visitor = visit(service)
    const code = await codeFrom()
    await visitor.fetch('/-/session/enter', { method: 'POST', body: { code } })
    const [[name = '', value = ''] = []] = [...visitor.cookies]
    const headers = { cookie: `${name}=${await codeFrom()}`, 'sec-fetch-site': 'same-origin' }
    expect(await send(`${service.url}/-/session`, { headers })).toMatchObject({ body: { login: null } })
    expect(await enter(value)).toMatchObject(refused)
    expect(await enter('x')).toMatchObject(refused)
    expect(await enter('')).toMatchObject(refused)
  })

  it('is given only to a bearer token, never to a cookie', async () => {
    const visitor = visit(service)
    await visitor.fetch('/-/session/enter', { method: 'POST', body: { code: await codeFrom() } })
    const answer = await visitor.fetch('/-/session/handover', { method: 'POST' })
    expect([answer.status, codeOf(answer)]).toEqual([401, 'unauthenticated'])
    const headers = { authorization: 'Bearer ghp_unknown' }
    const rejected = await send(`${service.url}/-/session/handover`, { method: 'POST', headers })
    expect([rejected.status, codeOf(rejected)]).toEqual([401, 'invalid_token'])
  })

  it('stolen by another page does nothing there', async () => {
    const code = await codeFrom()
    for (const site of ['cross-site', 'same-site', 'none']) {
      const headers = { 'sec-fetch-site': site }
      const answer = await send(`${service.url}/-/session/enter`, { method: 'POST', body: { code }, headers })
      expect(answer).toMatchObject({ status: 403, cookies: [] })
    }
    expect(await enter(code)).toMatchObject({ status: 200 })
  })

  it('leaves a hash in the database, which the sweeper deletes', async () => {
    const code = await codeFrom()
    await enter(code)
    const used = async () => {
      const seals = await service.db.prisma.spentSeal.findMany({ where: { what: 'used-code' } })
      return seals.map(({ hash }) => hash)
    }
    expect(await used()).toContainEqual(expect.stringMatching(/^[\w-]{43}$/))
    service.clock.advance(day)
    await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
    expect(await used()).toEqual([])
  })

  it('is in no log line, and neither is the token', async () => {
    const code = await codeFrom()
    await enter(code)
    const all = lines.join('\n')
    expect(all).toContain('/-/session/enter')
    expect(all).not.toContain(repository.writer)
    expect(all).not.toContain(code)
  })
})

describe('the key of sessions', () => {
  it('is the same on all instances, and another one signs everybody out', async () => {
    const visitor = visit(service)
    await visitor.fetch('/-/session/enter', { method: 'POST', body: { code: await codeFrom() } })
    const value = visitor.cookies.get(`headsup-${new URL(service.url).port}`)
    const at = async ({ url }: TestService) => {
      const cookie = `headsup-${new URL(url).port}=${value}`
      return (await send(`${url}/-/session`, { headers: { cookie, 'sec-fetch-site': 'same-origin' } })).body
    }
    expect(await at(other)).toMatchObject({ login: `writer${repository.id}` })
    expect(await at(withClient)).toMatchObject({ login: null })
    expect(await enter(await codeFrom(), { at: withClient })).toMatchObject(refused)
  })

  it('follows from the client secret, else from a secret that is made once for the database', async () => {
    const keys = await Promise.all([1, 2, 3].map(() => loadSealKey(service.db, undefined)))
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
    const derived = await loadSealKey(service.db, 'a secret')
    expect(derived).toEqual(await loadSealKey(service.db, 'a secret'))
    expect(derived).not.toEqual(keys[0])
    expect(derived.byteLength).toBe(32)
  })
})

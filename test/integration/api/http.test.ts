import { request as httpRequest } from 'node:http'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  defaultIgnoredAuthors,
  defaultIgnoredBranches,
  defaultIgnoredPaths,
} from '../../../src/core/changes/ignored.ts'
import { newId } from '../../../src/service/lib/ids.ts'
import { codePoint } from '../../support/arbitrary/code-point.ts'
import { errorOf, refusal } from '../../support/client.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice' }

describe('every response', () => {
  it('has a request id, the caller’s own if that is valid', async () => {
    const repository = service.newRepository()
    for (const path of ['/activity', '/nowhere']) {
      const own = await repository.get(path, { headers: { 'x-request-id': 'abc-1.2_Z' } })
      expect(own.headers.get('x-request-id')).toBe('abc-1.2_Z')
      for (const bad of ['', 'a b', 'x'.repeat(129), '<script>']) {
        const made = await repository.get(path, { headers: { 'x-request-id': bad } })
        expect(made.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
      }
    }
  })

  it('has the request id and a link to the documentation in an error', async () => {
    const answer = await service.newRepository().get('/nowhere')
    expect(errorOf(answer)).toEqual({
      code: 'not_found',
      message: expect.any(String),
      documentation_url: expect.stringContaining('/docs'),
      request_id: answer.headers.get('x-request-id'),
    })
  })

  it('forbids caches to show it to another caller, also for probes and errors', async () => {
    const repository = service.newRepository()
    const answers = [
      await service.call('GET', '/healthz'),
      await service.call('GET', '/readyz'),
      await service.call('GET', '/nowhere'),
      await repository.get('/activity'),
      await repository.get('/activity', { token: null }),
    ]
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).toBe('private, no-cache')
      // An unknown path is a page in a browser.
      expect(headers.get('vary')).toMatch(/^Authorization, Cookie(, Accept)?$/)
      expect(headers.get('x-powered-by')).toBeNull()
      expect(headers.get('access-control-allow-origin')).toBeNull()
    }
  })

  it('ends with a line break where it is JSON, for terminals, and has the length and the ETag of what is sent', async () => {
    const repository = service.newRepository()
    await repository.created('/activity', { ...work, title: 'Prüfung 🚦' })
    const authorization = `Bearer ${repository.writer}`
    const root = `/api/v1/repos/${repository.owner}/${repository.name}`
    const paths = ['/healthz', '/readyz', '/nowhere', '/api/v1', '/api/v1/openapi.json', `${root}/activity`]
    for (const path of paths) {
      const response = await fetch(service.url + path, { headers: { authorization } })
      const text = await response.text()
      expect(text).toMatch(/[^\n]\n$/)
      expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text))
      const again = await fetch(service.url + path, { headers: { authorization } })
      const etag = again.headers.get('etag') ?? ''
      if (!response.ok) continue
      expect(etag).toBe(response.headers.get('etag'))
      const cached = await fetch(service.url + path, { headers: { authorization, 'if-none-match': etag } })
      expect({ status: cached.status, body: await cached.text() }).toEqual({ status: 304, body: '' })
    }
  })

  it('has the length of what is sent and no ETag where it answers a write', async () => {
    const repository = service.newRepository()
    const response = await fetch(`${service.url}/api/v1/repos/${repository.owner}/${repository.name}/activity`, {
      method: 'POST',
      headers: { authorization: `Bearer ${repository.writer}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...work, title: 'Prüfung 🚦' }),
    })
    const text = await response.text()
    expect(text).toContain('Prüfung 🚦')
    expect(text).toMatch(/[^\n]\n$/)
    expect(Number(response.headers.get('content-length'))).toBe(Buffer.byteLength(text))
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(response.headers.get('etag')).toBeNull()
  })
})

describe('the probes', () => {
  it('are 200 without a token', async () => {
    expect(await service.call('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await service.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
    for (const path of ['/healthz', '/readyz']) {
      const answer = await service.call('POST', path)
      expect(refusal(answer)).toEqual({ status: 405, code: 'method_not_allowed' })
      expect(answer.headers.get('allow')).toBe('GET, HEAD')
    }
  })
})

describe('routes', () => {
  it.each([
    '/',
    '/api',
    '/api/v1/repos/a',
    '/api/v1/repos/a/b',
    '/api/v1/repos/a/b/Activity',
    '/api/v2/x',
    '//',
    '/api/v1/repos//b/activity',
    '/%',
    '/api/v1/repos/a/b/activity/%zz',
  ])('404 for %s, also without a token', async (path) => {
    expect(refusal(await service.call('GET', path))).toEqual({ status: 404, code: 'not_found' })
  })

  it.each(['/', '/nowhere', '/api/v1/repos/a/b/activities'])(
    '404 for %s says where the paths are listed',
    async (path) => {
      const { message } = errorOf(await service.call('GET', path))
      const named = [...message.matchAll(/\/[\w./]*\w/g)].map(([page]) => page)
      expect(named).toEqual(['/docs', '/llms.txt', '/api/v1/openapi.json'])
      for (const page of named) expect((await fetch(service.url + page)).status).toBe(200)
    },
  )

  it.each([
    ['DELETE', '/activity', 'GET, HEAD, POST'],
    ['PUT', '/activity/x', 'GET, HEAD, PATCH'],
    ['GET', '/activity/x/heartbeat', 'POST'],
    ['OPTIONS', '/notables', 'GET, HEAD, POST'],
    ['POST', '/settings', 'GET, HEAD'],
    ['PATCH', '/activity/check', 'POST'],
  ])('405 for %s of %s, with Allow: %s', async (method, path, allow) => {
    const answer = await service.newRepository().call(method, path, { token: null })
    expect(refusal(answer)).toEqual({ status: 405, code: 'method_not_allowed' })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  it('accept a trailing slash', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    expect((await repository.get('/activity/')).status).toBe(200)
    expect((await repository.get(`/activity/${activity.id}/`)).status).toBe(200)
    expect((await repository.post('/activity/check/', {})).status).toBe(200)
  })

  it('compare owner and name without regard to case', async () => {
    const repository = service.newRepository()
    const path = `/api/v1/repos/${repository.owner.toUpperCase()}/${repository.name.toUpperCase()}/activity`
    expect((await service.call('GET', path, { token: repository.writer })).status).toBe(200)
  })

  it.each(['..', '.', '%2e%2e', 'a%2Fb', 'a b', 'ä', 'x'.repeat(101), '%00', 'a%0d%0aHost:x'])(
    '404 for a repository called %s, without asking GitHub',
    async (name) => {
      const { writer, owner } = service.newRepository()
      const asked = service.github.requests.length
      const answer = await raw(`/api/v1/repos/${owner}/${encodeURI(name).replaceAll('%25', '%')}/activity`, writer)
      expect(answer).toMatchObject({ status: 404 })
      expect(service.github.requests).toHaveLength(asked)
    },
  )

  it('return the settings in force', async () => {
    const answer = await service.newRepository().get('/settings')
    expect(answer).toMatchObject({
      status: 200,
      body: {
        settings: {
          activity_ttl_ms: 86_400_000,
          max_activity_ttl_ms: null,
          notable_ttl_ms: 604_800_000,
          disabled_notable_categories: [],
          pr_reminder_after_ms: 14_400_000,
          areas: {},
          enabled: true,
          observe: ['pull_requests'],
          pull_request_ttl_ms: 2_592_000_000,
          branch_ttl_ms: 259_200_000,
          max_files: 100,
          pull_request_report: 'check',
          pull_request_report_notables: true,
          ignored_paths: defaultIgnoredPaths,
          ignored_branches: defaultIgnoredBranches,
          ignored_authors: defaultIgnoredAuthors,
        },
        sources: { activity_ttl_ms: 'default', areas: 'default', enabled: 'default', ignored_authors: 'default' },
        file: null,
        problems: [],
      },
    })
  })
})

describe('the order of refusals', () => {
  it('is: token, repository, permission, query, key, size, type, JSON, body, record, conflict', async () => {
    const repository = service.newRepository()
    const missing = `/activity/${newId('act')}`
    const all = { raw: `{${'x'.repeat(262_144)}`, headers: { 'content-type': 'text/plain', 'idempotency-key': 'a b' } }
    const steps: [() => Promise<unknown>, string][] = [
      [() => repository.call('POST', '/activity?x=1', { ...all, token: null }), 'unauthenticated'],
      [() => repository.call('POST', '/activity?x=1', { ...all, token: 'ghp_nobody' }), 'invalid_token'],
      [() => repository.call('POST', '/activity?x=1', { ...all, token: repository.stranger }), 'not_found'],
      [() => repository.call('POST', '/activity?x=1', { ...all, token: repository.reader }), 'forbidden'],
      [() => repository.call('POST', '/activity?x=1', all), 'validation_failed: x'],
      [() => repository.call('POST', '/activity', all), 'validation_failed: Idempotency-Key'],
      [() => repository.call('PATCH', missing, all), 'payload_too_large'],
      [() => repository.call('PATCH', missing, { ...all, raw: '{' }), 'unsupported_media_type'],
      [() => repository.call('PATCH', missing, { raw: '{' }), 'invalid_json'],
      [() => repository.call('PATCH', missing, { raw: '{"x": 1}' }), 'validation_failed: x'],
      [() => repository.call('PATCH', missing, { raw: '{"status": "expired"}' }), 'not_found'],
    ]
    for (const [ask, expected] of steps) {
      const { code, details } = refusal((await ask()) as Parameters<typeof refusal>[0])
      expect(details ? `${code}: ${details[0]?.split(' ')[0]}` : code).toBe(expected)
    }
  })
})

describe('the Authorization header', () => {
  it.each([
    [undefined, 'unauthenticated'],
    ['', 'unauthenticated'],
    ['Bearer', 'unauthenticated'],
    ['Bearer ', 'unauthenticated'],
    ['Basic abc', 'unauthenticated'],
    ['token ghp_x', 'invalid_token'],
    ['TOKEN ghp_x', 'invalid_token'],
    ['token', 'unauthenticated'],
    ['Bearer a b', 'invalid_token'],
    [`Bearer ${'x'.repeat(9000)}`, 'invalid_token'],
  ])('%j is %s', async (authorization, code) => {
    const headers = authorization === undefined ? {} : { authorization }
    const answer = await service.newRepository().get('/activity', { token: null, headers })
    expect(refusal(answer)).toEqual({ status: 401, code })
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  it('accepts the word Bearer in any case', async () => {
    const repository = service.newRepository()
    const headers = { authorization: `bearer ${repository.writer}` }
    expect((await repository.get('/activity', { token: null, headers })).status).toBe(200)
  })
})

describe('hostile input', () => {
  it('never causes a 500, with any JSON on any route', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    const raised = await repository.raised()
    const key = fc.constantFrom(
      'title',
      'scope',
      'paths',
      'areas',
      'branch',
      'tags',
      'status',
      'supersedes',
      'applies_until',
      'pr_url',
      'decision_url',
      'heartbeat',
      '__proto__',
      'constructor',
    )
    const text = fc.oneof(
      fc.string({ unit: codePoint }),
      fc.constantFrom('\0', '\ud800', '{'.repeat(300), '\u202e', 'refs/heads/'),
    )
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        { maxDepth: 4 },
        text,
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.array(tie('any'), { maxLength: 4 }),
        fc.dictionary(key, tie('any'), { maxKeys: 5 }),
      ),
    })).any
    const route = fc.constantFrom<[string, string]>(
      ['POST', '/activity'],
      ['POST', '/activity/check'],
      ['PATCH', `/activity/${activity.id}`],
      ['POST', `/activity/${activity.id}/heartbeat`],
      ['POST', '/notables'],
      ['PATCH', `/notables/${raised.id}`],
      ['POST', `/notables/${raised.id}/archive`],
    )
    await fc.assert(
      fc.asyncProperty(route, fc.oneof(value, fc.dictionary(key, value)), async ([method, path], body) => {
        const answer = await repository.call(method, path, { body })
        expect(answer.status, JSON.stringify({ method, path, body, answer: answer.body })).toBeLessThan(500)
      }),
      { numRuns: 400 },
    )
  })

  it('never causes a 500, with any query', async () => {
    const repository = service.newRepository()
    const name = fc.constantFrom('status', 'cursor', 'limit', 'actor', 'branch', 'area', 'x', '__proto__', '')
    const part = fc.tuple(
      name,
      fc.oneof(
        fc.string({ unit: codePoint }).map((v) => encodeURIComponent(v.toWellFormed())),
        fc.constantFrom('%', '%00', '%ff', '%F0%9F', '+'),
      ),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('/activity', '/notables'),
        fc.array(part, { maxLength: 4 }),
        async (path, parts) => {
          const query = parts.map(([key, value]) => `${key}=${value}`).join('&')
          const answer = await repository.get(`${path}?${query}`)
          expect(answer.status, query).toBeLessThan(500)
        },
      ),
      { numRuns: 200 },
    )
  })

  it('is refused if it is deeply nested, or too large after decompression', async () => {
    const repository = service.newRepository()
    const deep = '['.repeat(100_000) + ']'.repeat(100_000)
    expect(refusal(await repository.call('POST', '/activity', { raw: deep }))).toMatchObject({ status: 400 })
    const bomb = new Uint8Array(gzipSync(Buffer.alloc(10_000_000, 0x20)))
    const inflated = await repository.call('POST', '/activity', { raw: bomb, headers: { 'content-encoding': 'gzip' } })
    expect(refusal(inflated)).toEqual({ status: 413, code: 'payload_too_large' })
    const broken = await repository.call('POST', '/activity', { raw: 'x', headers: { 'content-encoding': 'gzip' } })
    expect(refusal(broken)).toMatchObject({ status: 400, code: 'invalid_json' })
    const unknown = await repository.call('POST', '/activity', { raw: 'x', headers: { 'content-encoding': 'zip' } })
    expect(refusal(unknown)).toMatchObject({ status: 415 })
  })

  it('with 100 globs of 10 alternatives is accepted, and with more than 1,000 alternatives refused', async () => {
    const repository = service.newRepository()
    const glob = (n: number) => `src/${n}/{${Array.from({ length: 10 }, (_, i) => `f${i}`).join(',')}}/*.ts`
    const paths = Array.from({ length: 100 }, (_, n) => glob(n))
    expect((await repository.post('/activity', { ...work, scope: { paths } })).status).toBe(201)
    const more = [...paths.slice(1), `src/{${'a,'.repeat(10)}b}/x.ts`]
    const answer = await repository.post('/activity', { ...work, scope: { paths: more } })
    expect(refusal(answer)).toMatchObject({ status: 400, details: ['scope.paths too_many'] })
  })
})

/** A request whose path no client library has cleaned. */
function raw(path: string, token: string): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}` }
    const request = httpRequest(service.url, { path, headers }, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0 })
    })
    request.on('error', reject)
    request.end()
  })
}

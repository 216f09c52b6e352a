import nock from 'nock'
import { describe, expect, it, vi } from 'vitest'
import type { AppError } from '../../src/core/errors.ts'
import {
  at,
  caller,
  github,
  later,
  newToken,
  ofRepository,
  ofServer,
  permitted,
  read,
  refusalOf,
  repository,
  stopClocks,
  useCallers,
  write,
} from '../support/callers.ts'
import { githubApiUrl, newRepository } from '../support/github.ts'

useCallers()

describe('§7 what GitHub answers', () => {
  it('is asked with the token of the caller and the version of the API', async () => {
    const headers = { authorization: 'token ghp_mine', 'x-github-api-version': '2022-11-28' }
    nock(githubApiUrl, { reqheaders: headers })
      .get(ofRepository())
      .reply(200, permitted({ pull: true }))
    const { id, owner, name, defaultBranch, isPublic, parent } = await read(caller('ghp_mine'))
    expect({ id, owner, name, defaultBranch }).toEqual({
      ...{ id: BigInt(repository.id), owner: at.owner, name: at.repo, defaultBranch: 'main' },
    })
    expect([isPublic, parent]).toEqual([true, null])
  })

  const inAMinute = () => String(Math.ceil(Date.now() / 1_000) + 60)
  const sso = { 'x-github-sso': 'required; url=https://github.com/orgs/acme/sso' }
  it.each<[string, number, object | string, () => Record<string, string>, string]>([
    ['a wrong token', 401, { message: 'Bad credentials' }, () => ({}), 'invalid_token'],
    [
      'a spent limit',
      403,
      {},
      () => ({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': inAMinute() }),
      'rate_limited',
    ],
    ['a secondary limit', 403, { message: 'You have exceeded a secondary rate limit' }, () => ({}), 'rate_limited'],
    ['a limit with its end', 403, {}, () => ({ 'retry-after': '60' }), 'rate_limited'],
    ['a limit before sign-on', 403, {}, () => ({ 'retry-after': '60', ...sso }), 'rate_limited'],
    ['login attempts', 403, { message: 'Maximum number of login attempts exceeded.' }, () => ({}), 'rate_limited'],
    ['429', 429, {}, () => ({}), 'rate_limited'],
    ['single sign-on', 403, {}, () => sso, 'sso_required'],
    ['another 403', 403, { message: 'Resource not accessible' }, () => ({}), 'not_found'],
    ['404', 404, { message: 'Not Found' }, () => ({}), 'not_found'],
    ['451', 451, {}, () => ({}), 'not_found'],
    ['500', 500, {}, () => ({}), 'github_unavailable'],
    ['502 with a page', 502, '<html>', () => ({ 'content-type': 'text/html' }), 'github_unavailable'],
    ['an empty object', 200, {}, () => ({}), 'github_unavailable'],
    ['a page', 200, '<html>', () => ({ 'content-type': 'text/html' }), 'github_unavailable'],
    ['half a JSON', 200, '{"id": 7', () => ({ 'content-type': 'application/json' }), 'github_unavailable'],
    ['nothing', 204, '', () => ({}), 'github_unavailable'],
    ['a redirect to nowhere', 302, '', () => ({}), 'github_unavailable'],
  ])('%s: status %i', async (_name, status, body, headers, code) => {
    github().get(ofRepository()).reply(status, body, headers())
    const refusal = await refusalOf(read())
    expect(refusal.code).toBe(code)
    if (code === 'sso_required') expect(refusal.options.headers).toEqual({ 'X-GitHub-SSO': sso['x-github-sso'] })
    if (code === 'rate_limited') {
      const waitMs = (refusal.options.retryAt ?? 0) - Date.now()
      expect(waitMs).toBeGreaterThan(55_000)
      expect(waitMs).toBeLessThan(62_000)
    }
  })

  it('is unavailable where no answer comes', async () => {
    github().get(ofRepository()).replyWithError('ECONNRESET')
    expect((await refusalOf(read())).code).toBe('github_unavailable')
  })

  it('is unavailable where a body breaks off, of a refusal too', async () => {
    for (const status of [200, 401]) {
      const close = await ofServer((_request, response) => {
        response.writeHead(status, { 'content-type': 'application/json', 'content-length': '1000' })
        response.write(JSON.stringify(permitted({ push: true })), () => response.destroy())
      })
      expect((await refusalOf(read())).code, String(status)).toBe('github_unavailable')
      await close()
    }
  })

  it('is unavailable where headers or a body take longer than 5 s', async () => {
    const { timeout } = AbortSignal
    const limit = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout.call(AbortSignal, 50))
    for (const begins of [false, true]) {
      const open: { destroy(): void }[] = []
      const close = await ofServer((_request, response) => {
        open.push(response)
        if (begins) response.writeHead(200, { 'content-type': 'application/json' }).write('{"id": ')
      })
      expect((await refusalOf(read())).code).toBe('github_unavailable')
      for (const response of open) response.destroy()
      await close()
    }
    expect(limit.mock.calls).toEqual([[5_000], [5_000]])
  })

  it('follows a renamed repository, and asks under its new name from then on', async () => {
    const moved = { name: 'shop-2', owner: { login: 'acme-2' } }
    github()
      .get(ofRepository())
      .reply(301, '', { location: `${githubApiUrl}/repositories/${repository.id}` })
    github()
      .get(`/repositories/${repository.id}`)
      .reply(200, permitted({ push: true }, moved))
    github().post('/repos/acme-2/shop-2/releases/generate-notes').reply(200, {})
    const found = await write(caller('ghs_moved'))
    expect([found.id, found.owner, found.name]).toEqual([BigInt(repository.id), 'acme-2', 'shop-2'])
  })

  it('is not asked for names and tokens that could ask something else', async () => {
    for (const place of [
      { repo: '..' },
      { repo: '.' },
      { owner: '..' },
      { repo: 'a/b' },
      { repo: 'a?b' },
      { owner: '' },
    ])
      expect((await refusalOf(read(caller(), place))).code, JSON.stringify(place)).toBe('not_found')
    for (const token of ['a b', 'é', 'a\r\nb', ''])
      expect((await refusalOf(read(caller(token)))).code, JSON.stringify(token)).toBe('invalid_token')
  })
})

describe('§7 writing', () => {
  it.each([
    [{ push: true }, 'yes'],
    [{ maintain: true }, 'yes'],
    [{ admin: true }, 'yes'],
    [{ pull: true, triage: true, push: false }, 'forbidden'],
    [undefined, 'forbidden'],
  ])('goes by the permissions %j: %s', async (permissions, expected) => {
    github()
      .get(ofRepository())
      .reply(200, permitted(permissions as object))
    const who = caller()
    const answer = await write(who).then(
      () => 'yes',
      (error: AppError) => error.code,
    )
    expect(answer).toBe(expected)
    expect((await read(who)).id).toBe(BigInt(repository.id))
  })

  it.each(['ghs_', 'github_pat_'])('with %s tokens goes by a question, whatever role GitHub shows', async (prefix) => {
    const notes = `${ofRepository()}/releases/generate-notes`
    for (const [status, expected] of [
      [200, 'yes'],
      [403, 'forbidden'],
      [404, 'forbidden'],
      [422, 'forbidden'],
      [401, 'invalid_token'],
      [429, 'rate_limited'],
      [502, 'github_unavailable'],
    ] as const) {
      const who = caller(prefix + newToken())
      github()
        .get(ofRepository())
        .reply(200, permitted({ push: status !== 200, pull: true }))
      const asked = github().post(notes, { tag_name: 'headsup-check', target_commitish: 'main' }).reply(status, {})
      const answer = await write(who).then(
        () => 'yes',
        (error: AppError) => error.code,
      )
      expect([status, answer, asked.isDone()]).toEqual([status, expected, true])
    }
  })

  it('asks that once in 60 s, again 10 s after a no, and at once after a failure', async () => {
    stopClocks()
    const notes = `${ofRepository()}/releases/generate-notes`
    const who = caller('ghs_asks')
    github().get(ofRepository()).times(3).reply(200, permitted({}))
    github().post(notes).reply(502).post(notes).reply(403, {}).post(notes).reply(200, {}).post(notes).reply(403, {})
    expect((await refusalOf(write(who))).code).toBe('github_unavailable')
    expect((await refusalOf(write(who))).code).toBe('forbidden')
    await later(9_900)
    expect((await refusalOf(write(who))).code).toBe('forbidden')
    await later(200)
    await write(who)
    await later(59_000)
    await write(who)
    await later(2_000)
    expect((await refusalOf(write(who))).code).toBe('forbidden')
  })
})

describe('§7 what is kept', () => {
  it('asks once for a thousand equal questions at once', async () => {
    const one = github()
      .get(ofRepository())
      .reply(200, permitted({ push: true }))
    const who = caller()
    const all = await Promise.all(Array.from({ length: 1_000 }, () => write(who)))
    expect([new Set(all.map(({ id }) => id)).size, one.isDone()]).toEqual([1, true])
  })

  it('holds an answer for 60 s, by token and repository, whatever the case of its name', async () => {
    stopClocks()
    const who = caller()
    github().get(ofRepository()).reply(200, permitted({}))
    await read(who)
    await later(59_900)
    await read(who, { owner: at.owner.toUpperCase() })
    await later(200)
    github().get(ofRepository()).reply(404)
    expect((await refusalOf(read(who))).code).toBe('not_found')
    github().get(ofRepository()).reply(200, permitted({}))
    await read(caller())
  })

  it('holds a refusal for 10 s', async () => {
    stopClocks()
    const who = caller()
    github().get(ofRepository()).reply(404).get(ofRepository()).reply(200, permitted({}))
    await refusalOf(read(who))
    await later(9_900)
    expect((await refusalOf(read(who))).code).toBe('not_found')
    await later(200)
    await read(who)
  })

  it('holds a wrong token for 60 s, in every repository', async () => {
    stopClocks()
    const who = caller()
    const other = { repo: newRepository().name }
    github().get(`/repos/acme/${other.repo}`).reply(200, permitted({}))
    await read(who, other)
    github().get(ofRepository()).reply(401, {}).get(ofRepository()).reply(200, permitted({}))
    await refusalOf(read(who))
    await later(30_000)
    for (const place of [{}, other, { repo: '..' }])
      expect((await refusalOf(read(who, place))).code).toBe('invalid_token')
    await later(30_100)
    await read(who)
  })

  it('holds a spent limit until it ends, in every repository that is not known', async () => {
    stopClocks()
    const who = caller()
    const other = { repo: newRepository().name }
    github().get(ofRepository()).reply(200, permitted({}))
    await read(who)
    github().get(`/repos/acme/${other.repo}`).reply(403, {}, { 'retry-after': '30' })
    for (const place of [other, { repo: 'third' }])
      expect((await refusalOf(read(who, place))).code).toBe('rate_limited')
    await read(who)
    await later(30_100)
    github().get(`/repos/acme/${other.repo}`).reply(200, permitted({}))
    await read(who, other)
  })

  it('keeps no failure', async () => {
    const who = caller()
    github().get(ofRepository()).reply(502).get(ofRepository()).reply(200, permitted({}))
    expect((await refusalOf(read(who))).code).toBe('github_unavailable')
    await read(who)
  })
})

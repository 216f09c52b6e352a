import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  parseRepositoryResponse,
  parseWriteResponse,
  type Visible,
} from '../../../../src/service/github/access/parse-access-response.ts'
import type { GithubResponse } from '../../../../src/service/github/github-response.ts'

const now = Date.UTC(2026, 10, 20, 9, 30)
const nowSeconds = now / 1000
const repository = {
  id: 42,
  full_name: 'OctoCat/Hello-World',
  default_branch: 'trunk',
  permissions: { pull: true, push: true },
}

function response(status: number, headers: Record<string, string> = {}, body: unknown = {}): GithubResponse {
  return { kind: 'response', status, headers, body }
}

const read = (reply: GithubResponse, known: Visible | null = null) => parseRepositoryResponse(reply, known, now)
const write = (reply: GithubResponse) => parseWriteResponse(reply, now)
const limited = (retryAfterSeconds: number) => ({ kind: 'rate_limited', retryAfterSeconds })

describe('a 200 response', () => {
  it('gives the repository, with GitHub’s spelling of its names', () => {
    expect(read(response(200, { etag: 'W/"abc"' }, repository))).toEqual({
      kind: 'visible',
      repository: {
        ...{ id: 42n, owner: 'OctoCat', name: 'Hello-World', defaultBranch: 'trunk' },
        ...{ isPublic: false, parent: null },
      },
      push: true,
      etag: 'W/"abc"',
    })
  })

  it('keeps an id beyond the safe integers', () => {
    const result = read(response(200, {}, { ...repository, id: 2n ** 60n + 1n }))
    expect(result).toMatchObject({ kind: 'visible', repository: { id: 2n ** 60n + 1n } })
  })

  it.each([
    ['push', { push: true }, true],
    ['maintain', { push: false, maintain: true }, true],
    ['admin', { push: false, admin: true }, true],
    ['triage', { pull: true, triage: true, push: false }, false],
    ['all false', { pull: false, push: false, admin: false }, false],
    ['an empty object', {}, false],
    ['missing', undefined, null],
    ['null', null, null],
    ['of another shape', 'admin', null],
    ['with a push that is not true', { push: 'false' }, null],
    ['with a push of 1', { push: 1 }, null],
  ])('whose permissions are %s', (_, permissions, push) => {
    expect(read(response(200, {}, { ...repository, permissions }))).toMatchObject({ kind: 'visible', push })
  })

  it.each([
    ['no id', { ...repository, id: undefined }],
    ['an id that is a string', { ...repository, id: '42' }],
    ['an id that is no integer', { ...repository, id: 4.2 }],
    ['an id of 0', { ...repository, id: 0 }],
    ['a negative id', { ...repository, id: -1 }],
    ['an id beyond 64 bits', { ...repository, id: 2n ** 63n }],
    ['an id that has lost digits', { ...repository, id: 2 ** 60 }],
    ['no full_name', { ...repository, full_name: undefined }],
    ['a full_name without an owner', { ...repository, full_name: 'Hello-World' }],
    ['a full_name of three parts', { ...repository, full_name: 'a/b/c' }],
    ['a full_name with ..', { ...repository, full_name: 'octocat/..' }],
    ['a list', [repository]],
    ['text', '<html>'],
    ['nothing', ''],
    ['null', null],
    ['a user', { id: 1, login: 'octocat' }],
  ])('with %s is unavailable', (_, body) => {
    expect(read(response(200, {}, body))).toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    [{ private: false, visibility: 'public' }, true],
    [{ private: false }, true],
    [{ private: true, visibility: 'private' }, false],
    [{ private: true, visibility: 'internal' }, false],
    [{ private: false, visibility: 'internal' }, false],
    [{ private: false, visibility: 7 }, false],
    [{ private: 'false' }, false],
    [{}, false],
  ])('with %j is public: %j', (facts, isPublic) => {
    expect(read(response(200, {}, { ...repository, ...facts }))).toMatchObject({ repository: { isPublic } })
  })

  it.each([
    [{ full_name: 'Upstream/Hello' }, 'Upstream/Hello'],
    [{ full_name: 'Upstream/..' }, null],
    ['Upstream/Hello', null],
    [null, null],
    [undefined, null],
  ])('with the parent %j is a fork of %j', (parent, expected) => {
    expect(read(response(200, {}, { ...repository, parent }))).toMatchObject({ repository: { parent: expected } })
  })

  it('without default_branch has the default branch main', () => {
    const result = read(response(200, {}, { id: 1, full_name: 'a/b' }))
    expect(result).toMatchObject({ kind: 'visible', repository: { defaultBranch: 'main' }, push: null })
  })
})

describe('a 304, 401 or 404 response', () => {
  it('a 304 gives the known result if an ETag was sent', () => {
    const result = read(response(200, { etag: '"1"' }, repository))
    if (result.kind !== 'visible') throw new Error(result.kind)
    expect(read(response(304), result)).toBe(result)
    expect(read(response(304))).toMatchObject({ kind: 'unavailable' })
  })

  it('a 401 rejects the token, whatever its headers and message', () => {
    const reply = response(401, { 'x-ratelimit-remaining': '0', 'retry-after': '9' }, { message: 'Bad credentials' })
    expect(read(reply)).toEqual({ kind: 'rejected' })
    expect(write(reply)).toEqual({ kind: 'rejected' })
  })

  it('a 404 is invisible, without a message for the log', () => {
    const reply = response(404, { 'x-ratelimit-remaining': '0' }, { message: 'Not Found' })
    expect(read(reply)).toEqual({ kind: 'invisible', message: null })
  })
})

describe('a 403 or 429 response', () => {
  const sso = { 'x-github-sso': 'required; url=https://github.com/orgs/o/sso?authorization_request=A' }
  const reset = (seconds: number) => ({ 'x-ratelimit-reset': String(nowSeconds + seconds) })

  it.each<[string, number, Record<string, string>, unknown, number]>([
    ['nothing remaining: until the reset', 403, { 'x-ratelimit-remaining': '0', ...reset(900) }, {}, 900],
    ['nothing remaining, no reset: 60', 403, { 'x-ratelimit-remaining': '0' }, {}, 60],
    ['nothing remaining, a reset in the past: 60', 403, { 'x-ratelimit-remaining': '0', ...reset(-5) }, {}, 60],
    [
      'nothing remaining, an unreadable reset: 60',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '?' },
      {},
      60,
    ],
    [
      'a reset in the wrong unit: 60',
      403,
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now + 1e6}` },
      {},
      60,
    ],
    ['a retry-after of years: 60', 403, { 'retry-after': '999999999' }, {}, 60],
    ['a retry-after in the past: 60', 403, { 'retry-after': new Date(now - 90_000).toUTCString() }, {}, 60],
    ['a negative retry-after: 60', 403, { 'retry-after': '-1' }, {}, 60],
    [
      'retry-after rather than the reset',
      403,
      { 'x-ratelimit-remaining': '0', 'retry-after': '30', ...reset(900) },
      {},
      30,
    ],
    ['a retry-after alone', 403, { 'retry-after': '120' }, {}, 120],
    ['a retry-after of 0: no sooner than in a second', 403, { 'retry-after': '0' }, {}, 1],
    ['a retry-after that is a date', 403, { 'retry-after': new Date(now + 90_000).toUTCString() }, {}, 90],
    ['an unreadable retry-after: 60', 403, { 'retry-after': 'soon' }, {}, 60],
    ['a secondary limit, by its message', 403, {}, { message: 'You have exceeded a secondary rate limit.' }, 60],
    ['a message in capitals', 403, {}, { message: 'API Rate Limit exceeded for user ID 1.' }, 60],
    ['login attempts', 403, {}, { message: 'Maximum number of login attempts exceeded. Please try again later.' }, 60],
    ['the old name', 403, {}, { message: 'You have triggered an abuse detection mechanism.' }, 60],
    ['a message that is plain text', 403, {}, 'rate limit exceeded', 60],
    [
      "calls remaining: not until the other limit's reset",
      403,
      { 'x-ratelimit-remaining': '4000', ...reset(1800) },
      { message: 'You have exceeded a secondary rate limit.' },
      60,
    ],
    ['a bare 429', 429, {}, '', 60],
    ['a 429 with calls remaining', 429, { 'x-ratelimit-remaining': '12' }, { message: 'Slow down' }, 60],
    ['a 429 with a reset alone', 429, reset(77), {}, 77],
    ['a 429 that mentions single sign-on', 429, sso, {}, 60],
    ['a rate limit before single sign-on', 403, { ...sso, 'x-ratelimit-remaining': '0' }, {}, 60],
    ['a retry-after before single sign-on', 403, { ...sso, 'retry-after': '5' }, {}, 5],
  ])('%s', (_, status, headers, body, seconds) => {
    expect(read(response(status, headers, body))).toEqual(limited(seconds))
    expect(write(response(status, headers, body))).toEqual(limited(seconds))
  })

  it('single sign-on passes its header on unchanged', () => {
    expect(read(response(403, sso, { message: 'Resource protected by organization SAML enforcement.' }))).toEqual({
      kind: 'sso_required',
      sso: sso['x-github-sso'],
    })
  })

  it('partial results because of single sign-on are invisible', () => {
    const reply = response(403, { 'x-github-sso': 'partial-results; organizations=1' }, { message: 'No' })
    expect(read(reply)).toEqual({ kind: 'invisible', message: 'No' })
  })

  it.each([
    [403, { message: 'the `o` organization has an IP allow list enabled' }, /IP allow list/],
    [403, { message: 'forbids access via a fine-grained personal access token' }, /fine-grained/],
    [403, '<html>', /<html>/],
    [403, null, /403/],
    [451, { message: 'Repository access blocked' }, /blocked/],
    [451, { message: 'rate limit' }, /rate limit/],
  ])('any other %i is invisible, with a message for the log', (status, body, message) => {
    const result = read(response(status, { 'x-ratelimit-remaining': '4999', ...reset(60) }, body))
    expect(result).toEqual({ kind: 'invisible', message: expect.stringMatching(message) })
  })
})

describe('any other response', () => {
  it.each([100, 201, 202, 204, 206, 301, 302, 307, 400, 402, 405, 406, 409, 410, 418, 422, 500, 502, 503, 504, 599])(
    'a %i is unavailable, whatever its headers and body',
    (status) => {
      const reply = response(status, { 'x-ratelimit-remaining': '0', 'retry-after': '1' }, repository)
      expect(read(reply)).toMatchObject({ kind: 'unavailable' })
    },
  )

  it('a failed request is unavailable', () => {
    expect(read({ kind: 'failure', reason: 'reset' })).toEqual({ kind: 'unavailable', reason: 'reset' })
    expect(write({ kind: 'failure', reason: 'reset' })).toEqual({ kind: 'unavailable', reason: 'reset' })
  })

  it('only a 200 ever gives a repository', () => {
    const headers = fc.dictionary(
      fc.constantFrom('x-ratelimit-remaining', 'retry-after', 'x-github-sso', 'x-ratelimit-reset', 'etag'),
      fc.oneof(fc.constantFrom('0', 'required; url=x', '60'), fc.string()),
    )
    const body = fc.oneof(fc.constant(repository), fc.json(), fc.anything())
    const cases = fc.tuple(fc.integer({ min: 100, max: 599 }), headers, body)
    fc.assert(
      fc.property(cases, ([status, some, any]) => {
        const result = read(response(status, some, any))
        if (result.kind === 'visible') expect(status).toBe(200)
        if (result.kind === 'rate_limited') expect(result.retryAfterSeconds).toBeGreaterThanOrEqual(1)
        if (write(response(status, some, any)).kind === 'may_write') expect(status).toBe(200)
      }),
    )
  })
})

describe('the write probe', () => {
  it('a 200 means that the token may write', () => {
    expect(write(response(200, {}, { name: 'x', body: 'y' }))).toEqual({ kind: 'may_write' })
  })

  it.each([500, 502, 503, 504])('a %i is unavailable', (status) => {
    expect(write(response(status))).toMatchObject({ kind: 'unavailable' })
  })

  it.each([
    [403, {}, { message: 'Resource not accessible by integration' }],
    [403, { 'x-github-sso': 'required; url=x' }, {}],
    [404, {}, { message: 'Not Found' }],
    [422, {}, { message: 'Validation Failed' }],
    [451, {}, {}],
    [201, {}, {}],
    [204, {}, ''],
    [304, {}, ''],
    [301, {}, ''],
    [400, {}, { message: 'rate limit' }],
  ])('a %i means that the token may not write', (status, headers, body) => {
    expect(write(response(status, headers, body))).toEqual({ kind: 'may_not_write' })
  })
})

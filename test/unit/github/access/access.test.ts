import { describe, expect, it } from 'vitest'
import { createGithubAccess } from '../../../../src/github/access/access.ts'
import { accessWorld, noPush, refused, seen, unseen } from './access-setup.ts'
import { closedUrl } from './serve.ts'

const ssoUrl = 'https://github.com/orgs/acme/sso?authorization_request=SECRET'
const sso = { status: 403, headers: { 'X-GitHub-SSO': `required; url=${ssoUrl}` }, body: { message: `See ${ssoUrl}` } }

describe('a token that GitHub lets in', () => {
  it('may read what it sees, by one question', async () => {
    const { authorize, answers, github } = await accessWorld()
    answers(seen({ id: 7, full_name: 'OctoCat/Hello', permissions: noPush }))
    expect(await authorize()).toEqual({ id: 7n, owner: 'OctoCat', name: 'Hello', defaultBranch: 'main' })
    expect(github.asked).toEqual(['GET /repos/octocat/hello'])
  })

  it.each(['ghp_a', 'gho_a', 'ghu_a', 'github_pat_a', 'ghs_a', 'anything'])(
    'may write where permissions.push is true, without another question: %s',
    async (token) => {
      const { authorize, github } = await accessWorld()
      expect(await authorize({ token, need: 'write' })).toMatchObject({ id: 42n })
      expect(github.asked).toHaveLength(1)
    },
  )

  it.each(['ghp_a', 'gho_a', 'ghu_a', 'anything'])('may not write where push is false: %s', async (token) => {
    const { outcome, answers, github } = await accessWorld()
    answers(seen({ permissions: noPush }))
    expect(await outcome({ token, need: 'write' })).toBe('forbidden')
    expect(github.asked).toHaveLength(1)
  })

  it.each([['ghp_a'], ['ghs_a'], ['github_pat_a']])(
    'may not write where permissions are missing: %s',
    async (token) => {
      const { outcome, answers, github } = await accessWorld()
      answers(seen({ permissions: undefined }))
      expect(await outcome({ token, need: 'write' })).toBe('forbidden')
      expect(await outcome({ token, need: 'read' })).toBe('ok')
      expect(github.asked).toHaveLength(1)
    },
  )

  it('is shown the repository that a rename moved, under the name of today', async () => {
    const { authorize, answers, github } = await accessWorld()
    answers(({ url }) =>
      url === '/repositories/7'
        ? seen({ id: 7, full_name: 'octocat/new-name' })
        : { status: 301, headers: { Location: '/repositories/7' }, body: {} },
    )
    expect(await authorize()).toMatchObject({ id: 7n, owner: 'octocat', name: 'new-name' })
    expect(github.asked).toEqual(['GET /repos/octocat/hello', 'GET /repositories/7'])
  })
})

describe('installation and fine-grained tokens, which GitHub shows no permissions', () => {
  it.each(['ghs_a', 'github_pat_a'])('%s reads without a write question', async (token) => {
    const { outcome, answers, github } = await accessWorld()
    answers(seen({ permissions: noPush }), 'GET')
    expect(await outcome({ token, need: 'read' })).toBe('ok')
    expect(github.asked).toEqual(['GET /repos/octocat/hello'])
  })

  it.each(['ghs_a', 'github_pat_a'])('%s writes if GitHub makes release notes for it', async (token) => {
    const { outcome, answers, github } = await accessWorld()
    answers(seen({ permissions: noPush, full_name: 'OctoCat/Renamed' }), 'GET')
    expect(await outcome({ token, need: 'write' })).toBe('ok')
    expect(github.asked).toEqual(['GET /repos/octocat/hello', 'POST /repos/OctoCat/Renamed/releases/generate-notes'])
  })

  it.each([
    [{ status: 403, body: { message: 'Resource not accessible by integration' } }, 'forbidden'],
    [{ status: 404, body: {} }, 'forbidden'],
    [{ status: 422, body: {} }, 'forbidden'],
    [sso, 'forbidden'],
    [refused, 'invalid_token'],
    [{ status: 403, headers: { 'X-RateLimit-Remaining': '0' }, body: {} }, 'github_rate_limited'],
    [{ status: 429, body: {} }, 'github_rate_limited'],
    [{ status: 500, body: {} }, 'github_unavailable'],
    [{ status: 503, body: {} }, 'github_unavailable'],
    ['never' as const, 'github_unavailable'],
  ])('asked to write, GitHub says %j: %s', async (reply, code) => {
    const { outcome, answers } = await accessWorld({ limits: { questionMs: 100 } })
    answers(seen({ permissions: noPush }), 'GET')
    answers(reply, 'POST')
    expect(await outcome({ token: 'ghs_a', need: 'write' })).toBe(code)
  })

  it('are not asked to write in what they do not see', async () => {
    const { outcome, answers, github } = await accessWorld()
    answers(unseen, 'GET')
    expect(await outcome({ token: 'ghs_a', need: 'write' })).toBe('not_found')
    expect(github.asked).toHaveLength(1)
  })
})

describe('a token that GitHub does not let in', () => {
  it.each([
    [refused, 'invalid_token'],
    [unseen, 'not_found'],
    [sso, 'sso_required'],
    [{ status: 403, body: { message: 'IP allow list' } }, 'not_found'],
    [{ status: 451, body: { message: 'DMCA' } }, 'not_found'],
    [{ status: 403, body: { message: 'secondary rate limit' } }, 'github_rate_limited'],
    [{ status: 429, body: {} }, 'github_rate_limited'],
    [{ status: 500, body: {} }, 'github_unavailable'],
    [{ status: 418, body: {} }, 'github_unavailable'],
    [{ status: 304 }, 'github_unavailable'],
    [{ status: 200, body: { message: 'hello' } }, 'github_unavailable'],
    [{ status: 301, headers: { Location: 'https://elsewhere.invalid/' }, body: {} }, 'github_unavailable'],
    ['never' as const, 'github_unavailable'],
  ])('%j: %s', async (reply, code) => {
    const { outcome, answers } = await accessWorld({ limits: { questionMs: 100 } })
    answers(reply)
    expect(await outcome({ need: 'read' })).toBe(code)
  })

  it('gets the same for an invisible repository as for an impossible name', async () => {
    const { refusal, answers } = await accessWorld()
    answers(unseen)
    const [invisible, impossible] = [await refusal(), await refusal({ repo: '..' })]
    expect([invisible.message, invisible.headers]).toEqual([impossible.message, impossible.headers])
  })

  it("gets GitHub's single sign-on header", async () => {
    const { refusal, answers } = await accessWorld()
    answers(sso)
    expect((await refusal()).headers).toEqual({ 'X-GitHub-SSO': `required; url=${ssoUrl}` })
  })

  it.each([
    [{ status: 503, body: {} }, 10],
    [{ status: 403, headers: { 'Retry-After': '17' }, body: {} }, 17],
    [{ status: 429, body: {} }, 60],
  ])('is told when to come back after %j', async (reply, seconds) => {
    const { refusal, answers } = await accessWorld()
    answers(reply)
    expect((await refusal()).retryAfterSeconds).toBe(seconds)
  })

  it('is told when to come back where GitHub is not there', async () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const access = createGithubAccess({ apiUrl: await closedUrl(), permissionCacheMs: 0, log })
    const asking = access.authorize({ token: 't', owner: 'a', repo: 'b', need: 'read', clientAddress: '::1' })
    await expect(asking).rejects.toMatchObject({ code: 'github_unavailable', retryAfterSeconds: 10 })
  })
})

describe('GitHub is not asked', () => {
  it.each([
    ['octocat', '..'],
    ['octocat', '.'],
    ['..', 'user'],
    ['octocat', 'a/../../user'],
    ['octocat', 'a%2f..'],
    ['octocat', ''],
    ['', 'hello'],
    ['octo.cat', 'hello'],
    ['octocat', 'x'.repeat(101)],
  ])('for the impossible name %j/%j', async (owner, repo) => {
    const { outcome, lookUp, github } = await accessWorld()
    expect(await outcome({ owner, repo })).toBe('not_found')
    expect(await outcome({ owner, repo, need: 'write' })).toBe('not_found')
    expect(await lookUp({ owner, repo })).toBeNull()
    expect(github.asked).toEqual([])
  })

  it.each(['', 'a b', 'a\r\nX-Injected: 1', 'a\0b', 'tökén', '\u{1f511}', 'a\ud800', 'x'.repeat(10_240)])(
    'with %j for a token',
    async (token) => {
      const { outcome, github } = await accessWorld()
      expect(await outcome({ token })).toBe('invalid_token')
      expect(github.asked).toEqual([])
    },
  )

  it('an impossible token is refused before an impossible name, and counts for no address', async () => {
    const { outcome } = await accessWorld({ limits: { refusedTokensPerMinute: 1 } })
    expect(await outcome({ token: 'a b', repo: '..' })).toBe('invalid_token')
    expect(await outcome()).toBe('ok')
  })
})

describe('looking up a repository for a link', () => {
  it('gives its id if the token sees it', async () => {
    const { lookUp, answers } = await accessWorld()
    answers(seen({ id: 9, permissions: noPush }))
    expect(await lookUp()).toEqual({ id: 9n })
  })

  it.each([unseen, sso, { status: 403, body: { message: 'IP allow list' } }, { status: 451, body: {} }])(
    'gives nothing if not: %j',
    async (reply) => {
      const { lookUp, answers } = await accessWorld()
      answers(reply)
      expect(await lookUp()).toBeNull()
    },
  )

  it.each([
    [{ status: 500, body: {} }, 'github_unavailable'],
    [{ status: 200, body: {} }, 'github_unavailable'],
    [{ status: 429, body: {} }, 'github_rate_limited'],
    [refused, 'invalid_token'],
  ])('throws where GitHub does not say: %j', async (reply, code) => {
    const { lookUp, answers } = await accessWorld()
    answers(reply)
    await expect(lookUp()).rejects.toMatchObject({ code })
  })
})

describe('the log', () => {
  it.each([
    refused,
    sso,
    { status: 403, body: { message: `IP allow list of ghp_secret\n${ssoUrl}` } },
    { status: 500, body: { message: 'ghp_secret' } },
    { status: 429, body: {} },
    { status: 200, body: {} },
    'never' as const,
  ])('tells neither a token nor a single sign-on URL: %j', async (reply) => {
    const { refusal, answers, log } = await accessWorld({ limits: { questionMs: 100 } })
    answers(reply)
    const error = await refusal()
    const told = JSON.stringify([log, String(error.cause), error.message])
    expect(told).not.toMatch(/secret/i)
    expect(told).not.toContain('authorization_request')
  })

  it("has GitHub's message of an odd 403, with the names and the request", async () => {
    const { outcome, answers, log } = await accessWorld()
    answers({ status: 403, body: { message: 'the `o` organization has an\n\x1b[31mIP allow list' } })
    await outcome()
    expect(log).toEqual([
      {
        level: 'warn',
        fields: {
          owner: 'octocat',
          repo: 'hello',
          request_id: 'req-1',
          github_message: 'the `o` organization has an [31mIP allow list',
        },
        message: expect.stringContaining('invisible'),
      },
    ])
  })

  it('says why GitHub is unavailable', async () => {
    const { outcome, answers, log } = await accessWorld()
    answers({ status: 502, body: {} })
    await outcome()
    expect(log).toMatchObject([{ level: 'warn', fields: { reason: 'status 502', request_id: 'req-1' } }])
  })

  it('says that GitHub was slow, which is over 5 s', async () => {
    const { outcome, answers, log } = await accessWorld()
    answers('never')
    expect(await outcome()).toBe('github_unavailable')
    expect(log).toMatchObject([{ fields: { reason: 'no answer within 5000 ms' } }])
  }, 10_000)

  it('says nothing of a plain 404, and of what goes well', async () => {
    const { outcome, answers, log } = await accessWorld()
    await outcome()
    answers(unseen)
    await outcome({ repo: 'other' })
    expect(log).toEqual([])
  })
})

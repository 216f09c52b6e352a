import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGithubAccess } from '../../../../src/service/github/access/access.ts'
import { invisible, noPush, rejected, setUpAccess, visible } from './access-setup.ts'
import { closedUrl } from './serve.ts'

const ssoUrl = 'https://github.com/orgs/acme/sso?authorization_request=SECRET'
const sso = { status: 403, headers: { 'X-GitHub-SSO': `required; url=${ssoUrl}` }, body: { message: `See ${ssoUrl}` } }

describe('an accepted token', () => {
  it('may read what it sees, with one request', async () => {
    const { authorize, respond, github } = await setUpAccess()
    respond(visible({ id: 7, full_name: 'OctoCat/Hello', permissions: noPush }))
    const hello = { id: 7n, owner: 'OctoCat', name: 'Hello', defaultBranch: 'main', isPublic: false, parent: null }
    expect(await authorize()).toEqual(hello)
    expect(github.received).toEqual(['GET /repos/octocat/hello'])
  })

  it.each(['ghp_a', 'gho_a', 'ghu_a', 'github_pat_a', 'ghs_a', 'anything'])(
    'may write if permissions.push is true, without another request: %s',
    async (token) => {
      const { authorize, github } = await setUpAccess()
      expect(await authorize({ token, need: 'write' })).toMatchObject({ id: 42n })
      expect(github.received).toHaveLength(1)
    },
  )

  it.each(['ghp_a', 'gho_a', 'ghu_a', 'anything'])('may not write if push is false: %s', async (token) => {
    const { outcome, respond, github } = await setUpAccess()
    respond(visible({ permissions: noPush }))
    expect(await outcome({ token, need: 'write' })).toBe('forbidden')
    expect(github.received).toHaveLength(1)
  })

  it.each([['ghp_a'], ['ghs_a'], ['github_pat_a']])('may not write if permissions are missing: %s', async (token) => {
    const { outcome, respond, github } = await setUpAccess()
    respond(visible({ permissions: undefined }))
    expect(await outcome({ token, need: 'write' })).toBe('forbidden')
    expect(await outcome({ token, need: 'read' })).toBe('ok')
    expect(github.received).toHaveLength(1)
  })

  it('finds a renamed repository, under its current name', async () => {
    const { authorize, respond, github } = await setUpAccess()
    respond(({ url }) =>
      url === '/repositories/7'
        ? visible({ id: 7, full_name: 'octocat/new-name' })
        : { status: 301, headers: { Location: '/repositories/7' }, body: {} },
    )
    expect(await authorize()).toMatchObject({ id: 7n, owner: 'octocat', name: 'new-name' })
    expect(github.received).toEqual(['GET /repos/octocat/hello', 'GET /repositories/7'])
  })
})

describe('installation and fine-grained tokens', () => {
  it.each(['ghs_a', 'github_pat_a'])('%s reads without a write probe', async (token) => {
    const { outcome, respond, github } = await setUpAccess()
    respond(visible({ permissions: noPush }), 'GET')
    expect(await outcome({ token, need: 'read' })).toBe('ok')
    expect(github.received).toEqual(['GET /repos/octocat/hello'])
  })

  it.each(['ghs_a', 'github_pat_a'])('%s writes if GitHub generates release notes for it', async (token) => {
    const { outcome, respond, github } = await setUpAccess()
    respond(visible({ permissions: noPush, full_name: 'OctoCat/Renamed' }), 'GET')
    expect(await outcome({ token, need: 'write' })).toBe('ok')
    expect(github.received).toEqual(['GET /repos/octocat/hello', 'POST /repos/OctoCat/Renamed/releases/generate-notes'])
  })

  it.each([
    [{ status: 403, body: { message: 'Resource not accessible by integration' } }, 'forbidden'],
    [{ status: 404, body: {} }, 'forbidden'],
    [{ status: 422, body: {} }, 'forbidden'],
    [sso, 'forbidden'],
    [rejected, 'invalid_token'],
    [{ status: 403, headers: { 'X-RateLimit-Remaining': '0' }, body: {} }, 'github_rate_limited'],
    [{ status: 429, body: {} }, 'github_rate_limited'],
    [{ status: 500, body: {} }, 'github_unavailable'],
    [{ status: 503, body: {} }, 'github_unavailable'],
    ['never' as const, 'github_unavailable'],
  ])('give, if the write probe gets %j: %s', async (reply, code) => {
    const { outcome, respond } = await setUpAccess({ limits: { requestMs: reply === 'never' ? 100 : 5_000 } })
    respond(visible({ permissions: noPush }), 'GET')
    respond(reply, 'POST')
    expect(await outcome({ token: 'ghs_a', need: 'write' })).toBe(code)
  })

  it('send no write probe for an invisible repository', async () => {
    const { outcome, respond, github } = await setUpAccess()
    respond(invisible, 'GET')
    expect(await outcome({ token: 'ghs_a', need: 'write' })).toBe('not_found')
    expect(github.received).toHaveLength(1)
  })
})

describe('a token without access', () => {
  it.each([
    [rejected, 'invalid_token'],
    [invisible, 'not_found'],
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
    const { outcome, respond } = await setUpAccess({ limits: { requestMs: reply === 'never' ? 100 : 5_000 } })
    respond(reply)
    expect(await outcome({ need: 'read' })).toBe(code)
  })

  it('gets the same error for an invisible repository as for an impossible name', async () => {
    const { failure, respond } = await setUpAccess()
    respond(invisible)
    const [unseen, impossible] = [await failure(), await failure({ repo: '..' })]
    expect([unseen.message, unseen.headers]).toEqual([impossible.message, impossible.headers])
  })

  it("gets GitHub's single sign-on header", async () => {
    const { failure, respond } = await setUpAccess()
    respond(sso)
    expect((await failure()).headers).toEqual({ 'X-GitHub-SSO': `required; url=${ssoUrl}` })
  })

  it.each([
    [{ status: 503, body: {} }, 10],
    [{ status: 403, headers: { 'Retry-After': '17' }, body: {} }, 17],
    [{ status: 429, body: {} }, 60],
  ])('gets a Retry-After for %j', async (reply, seconds) => {
    const { failure, respond } = await setUpAccess()
    respond(reply)
    expect((await failure()).retryAfterSeconds).toBe(seconds)
  })

  it('gets a Retry-After if GitHub is down', async () => {
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const access = createGithubAccess({ apiUrl: await closedUrl(), permissionCacheMs: 0, authorLogin: true, log })
    const authorized = access.authorize({ token: 't', owner: 'a', repo: 'b', need: 'read', clientAddress: '::1' })
    await expect(authorized).rejects.toMatchObject({ code: 'github_unavailable', retryAfterSeconds: 10 })
  })
})

describe('no request is sent to GitHub', () => {
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
    const { outcome, lookUp, github } = await setUpAccess()
    expect(await outcome({ owner, repo })).toBe('not_found')
    expect(await outcome({ owner, repo, need: 'write' })).toBe('not_found')
    expect(await lookUp({ owner, repo })).toBeNull()
    expect(github.received).toEqual([])
  })

  it.each(['', 'a b', 'a\r\nX-Injected: 1', 'a\0b', 'tökén', '\u{1f511}', 'a\ud800', 'x'.repeat(10_240)])(
    'for the impossible token %j',
    async (token) => {
      const { outcome, github } = await setUpAccess()
      expect(await outcome({ token })).toBe('invalid_token')
      expect(github.received).toEqual([])
    },
  )

  it('an impossible token is reported before an impossible name, and does not count against the address', async () => {
    const { outcome } = await setUpAccess({ limits: { rejectedTokensPerMinute: 1 } })
    expect(await outcome({ token: 'a b', repo: '..' })).toBe('invalid_token')
    expect(await outcome()).toBe('ok')
  })
})

describe('looking up a repository for a link', () => {
  it('returns its id if the token sees it', async () => {
    const { lookUp, respond } = await setUpAccess()
    respond(visible({ id: 9, permissions: noPush }))
    expect(await lookUp()).toEqual({ id: 9n })
  })

  it.each([invisible, sso, { status: 403, body: { message: 'IP allow list' } }, { status: 451, body: {} }])(
    'returns null for %j',
    async (reply) => {
      const { lookUp, respond } = await setUpAccess()
      respond(reply)
      expect(await lookUp()).toBeNull()
    },
  )

  it.each([
    [{ status: 500, body: {} }, 'github_unavailable'],
    [{ status: 200, body: {} }, 'github_unavailable'],
    [{ status: 429, body: {} }, 'github_rate_limited'],
    [rejected, 'invalid_token'],
  ])('throws if GitHub gives no result: %j', async (reply, code) => {
    const { lookUp, respond } = await setUpAccess()
    respond(reply)
    await expect(lookUp()).rejects.toMatchObject({ code })
  })
})

describe('the log', () => {
  it.each([
    rejected,
    sso,
    { status: 403, body: { message: `IP allow list of ghp_secret\n${ssoUrl}` } },
    { status: 500, body: { message: 'ghp_secret' } },
    { status: 429, body: {} },
    { status: 200, body: {} },
    'never' as const,
  ])('holds neither a token nor a single sign-on URL: %j', async (reply) => {
    const { failure, respond, log } = await setUpAccess({ limits: { requestMs: reply === 'never' ? 100 : 5_000 } })
    respond(reply)
    const error = await failure()
    const written = JSON.stringify([log, String(error.cause), error.message])
    expect(written).not.toMatch(/secret/i)
    expect(written).not.toContain('authorization_request')
  })

  it("holds GitHub's message of an unexpected 403, with the names and the request id", async () => {
    const { outcome, respond, log } = await setUpAccess()
    respond({ status: 403, body: { message: 'the `o` organization has an\n\x1b[31mIP allow list' } })
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

  it('holds why GitHub is unavailable', async () => {
    const { outcome, respond, log } = await setUpAccess()
    respond({ status: 502, body: {} })
    await outcome()
    expect(log).toMatchObject([{ level: 'warn', fields: { reason: 'status 502', request_id: 'req-1' } }])
  })

  it('reports a response that takes over 5 s', async () => {
    const { outcome, respond, log } = await setUpAccess()
    const asked = new Promise<void>((resolve) => {
      respond(() => {
        resolve()
        return 'never'
      })
    })
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const given = outcome()
    await asked
    await vi.advanceTimersByTimeAsync(4_999)
    expect(log).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(await given).toBe('github_unavailable')
    expect(log).toMatchObject([{ fields: { reason: expect.stringMatching(/^http:.*: no answer within 5000 ms$/) } }])
  }, 10_000)

  it('holds nothing for a 404 or a success', async () => {
    const { outcome, respond, log } = await setUpAccess()
    await outcome()
    respond(invisible)
    await outcome({ repo: 'other' })
    expect(log).toEqual([])
  })
})

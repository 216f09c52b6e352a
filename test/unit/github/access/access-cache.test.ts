import { describe, expect, it } from 'vitest'
import { invisible, noPush, rejected, setUpAccess, visible } from './access-setup.ts'

describe('a response of GitHub', () => {
  it('is cached for 60 s', async () => {
    const { authorize, respond, github, clock, outcome } = await setUpAccess()
    await authorize()
    respond(invisible)
    clock.now += 59_999
    expect(await outcome()).toBe('ok')
    expect(github.received).toHaveLength(1)
    clock.now += 1
    expect(await outcome()).toBe('not_found')
    expect(github.received).toHaveLength(2)
  })

  it('is cached for as long as the operator sets', async () => {
    const { outcome, respond, clock } = await setUpAccess({ permissionCacheMs: 5_000 })
    await outcome()
    respond(invisible)
    clock.now += 4_999
    expect(await outcome()).toBe('ok')
    clock.now += 1
    expect(await outcome()).toBe('not_found')
  })

  it('is not cached if the operator sets 0', async () => {
    const { outcome, respond, github } = await setUpAccess({ permissionCacheMs: 0 })
    expect(await outcome()).toBe('ok')
    respond(invisible)
    expect(await outcome()).toBe('not_found')
    respond(visible())
    expect(await outcome()).toBe('ok')
    expect(github.received).toHaveLength(3)
  })

  it('is cached from the time of its request', async () => {
    const { outcome, respond, clock, github } = await setUpAccess()
    respond(() => {
      clock.now += 4_000
      return visible()
    })
    await outcome()
    clock.now += 56_000
    await outcome()
    expect(github.received).toHaveLength(2)
  })

  it('serves reads and writes, in any case of the name', async () => {
    const { outcome, github } = await setUpAccess()
    await outcome({ need: 'write' })
    expect(await outcome({ need: 'read', owner: 'OCTOCAT', repo: 'Hello' })).toBe('ok')
    expect(github.received).toHaveLength(1)
  })

  it('serves no other token and no other repository', async () => {
    const { outcome, github } = await setUpAccess()
    await outcome()
    await outcome({ token: 'ghp_other' })
    await outcome({ repo: 'other' })
    await outcome({ owner: 'other' })
    expect(github.received).toHaveLength(4)
  })

  it.each([
    ['404', invisible, 'not_found'],
    ['403', { status: 403, body: { message: 'IP allow list' } }, 'not_found'],
    [
      '403 of single sign-on',
      { status: 403, headers: { 'X-GitHub-SSO': 'required; url=x' }, body: {} },
      'sso_required',
    ],
  ])('with a %s is cached for 10 s', async (_, reply, code) => {
    const { outcome, respond, clock } = await setUpAccess()
    respond(reply)
    await outcome()
    respond(visible())
    clock.now += 9_999
    expect(await outcome()).toBe(code)
    clock.now += 1
    expect(await outcome()).toBe('ok')
  })

  it('that is a 404 is cached no longer than the operator sets', async () => {
    const { respond, outcome, clock } = await setUpAccess({ permissionCacheMs: 2_000 })
    respond(invisible)
    expect(await outcome()).toBe('not_found')
    respond(visible())
    clock.now += 1_999
    expect(await outcome()).toBe('not_found')
    clock.now += 1
    expect(await outcome()).toBe('ok')
  })

  it.each([500, 200])('that is not usable (a %i) is not cached', async (status) => {
    const { outcome, respond } = await setUpAccess()
    respond({ status, body: {} })
    expect(await outcome()).toBe('github_unavailable')
    respond(visible())
    expect(await outcome()).toBe('ok')
  })

  it('that is stale grants no access if GitHub fails', async () => {
    const { outcome, respond, clock } = await setUpAccess()
    await outcome()
    clock.now += 60_000
    respond({ status: 500, body: {} })
    expect(await outcome()).toBe('github_unavailable')
    respond({ status: 429, body: {} })
    expect(await outcome()).toBe('github_rate_limited')
    expect(await outcome()).toBe('github_rate_limited')
  })
})

describe('a revalidation', () => {
  it('sends the ETag, and a 304 extends the cached result by 60 s', async () => {
    const { authorize, respond, github, clock } = await setUpAccess()
    respond(visible({ id: 7 }, { ETag: 'W/"1"' }))
    const first = await authorize()
    respond(({ headers }) => (headers['if-none-match'] === 'W/"1"' ? { status: 304 } : invisible))
    clock.now += 60_000
    expect(await authorize()).toEqual(first)
    clock.now += 59_999
    expect(await authorize()).toEqual(first)
    expect(github.received).toHaveLength(2)
    clock.now += 1
    expect(await authorize()).toEqual(first)
    expect(github.received).toHaveLength(3)
  })

  it('uses the changed result', async () => {
    const { authorize, respond, clock } = await setUpAccess()
    respond(visible({ id: 7 }, { ETag: '"1"' }))
    await authorize()
    clock.now += 60_000
    respond(visible({ id: 8, permissions: noPush }, { ETag: '"2"' }))
    expect(await authorize()).toMatchObject({ id: 8n })
  })

  it('is unconditional if the last response was a 404', async () => {
    const { outcome, respond, github, clock } = await setUpAccess()
    respond({ ...invisible, headers: { ETag: '"404"' } })
    await outcome()
    clock.now += 10_000
    await outcome()
    expect(github.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined])
  })

  it("never sends another token's ETag", async () => {
    const { outcome, respond, github, clock } = await setUpAccess()
    respond(visible({}, { ETag: '"1"' }))
    await outcome()
    clock.now += 60_000
    await outcome({ token: 'ghp_other' })
    expect(github.requests[1]?.headers).not.toHaveProperty('if-none-match')
  })
})

describe('a 401', () => {
  it('holds for 60 s for the token, for all repositories and every cache setting', async () => {
    const { outcome, respond, github, clock } = await setUpAccess({ permissionCacheMs: 0 })
    respond(rejected)
    expect(await outcome()).toBe('invalid_token')
    respond(visible())
    clock.now += 59_999
    expect(await outcome({ repo: 'other' })).toBe('invalid_token')
    expect(await outcome({ token: 'ghp_other' })).toBe('ok')
    expect(github.received).toHaveLength(2)
    clock.now += 1
    expect(await outcome()).toBe('ok')
  })

  it('overrides every cached result of the token', async () => {
    const { outcome, respond, clock, github } = await setUpAccess({ permissionCacheMs: 3_600_000 })
    await outcome()
    respond(rejected)
    expect(await outcome({ repo: 'other' })).toBe('invalid_token')
    expect(await outcome()).toBe('invalid_token')
    expect(github.received).toHaveLength(2)
    // The earlier results are not used again after the 60 s.
    clock.now += 60_000
    expect(await outcome()).toBe('invalid_token')
    expect(github.received).toHaveLength(3)
  })

  it.each(['write', 'link'])('to a %s request rejects the token too', async (way) => {
    const { outcome, respond, lookUp, github } = await setUpAccess()
    const token = 'ghs_a'
    respond(visible({ permissions: noPush }), 'GET')
    await outcome({ token })
    respond(rejected)
    if (way === 'write') expect(await outcome({ token, need: 'write' })).toBe('invalid_token')
    else await expect(lookUp({ token, repo: 'other' })).rejects.toMatchObject({ code: 'invalid_token' })
    const before = github.received.length
    expect(await outcome({ token })).toBe('invalid_token')
    expect(github.received).toHaveLength(before)
  })

  it('is reported before an impossible name', async () => {
    const { outcome, respond } = await setUpAccess()
    respond(rejected)
    await outcome()
    expect(await outcome({ repo: '..' })).toBe('invalid_token')
    expect(await outcome({ repo: '..', token: 'ghp_other' })).toBe('not_found')
  })

  it('is not cleared by an event', async () => {
    const { outcome, respond, access } = await setUpAccess()
    respond(rejected)
    await outcome()
    respond(visible())
    access.forgetOwner('OctoCat')
    expect(await outcome()).toBe('invalid_token')
  })
})

describe('a spent rate limit', () => {
  const limited = { status: 403, headers: { 'Retry-After': '90' }, body: { message: 'secondary rate limit' } }

  it('stops all requests with the token until it ends', async () => {
    const { outcome, failure, respond, github, clock } = await setUpAccess()
    respond(limited)
    expect(await outcome()).toBe('github_rate_limited')
    respond(visible())
    clock.now += 30_000
    expect(await failure({ repo: 'other' })).toMatchObject({ code: 'github_rate_limited', retryAfterSeconds: 60 })
    expect(github.received).toHaveLength(1)
    expect(await outcome({ token: 'ghp_other' })).toBe('ok')
    clock.now += 60_000
    expect(await outcome()).toBe('ok')
  })

  it('stops write probes and look-ups too, and can come from them', async () => {
    const { outcome, lookUp, respond, github } = await setUpAccess()
    const token = 'ghs_a'
    respond(visible({ permissions: noPush }), 'GET')
    respond(limited, 'POST')
    expect(await outcome({ token, need: 'write' })).toBe('github_rate_limited')
    expect(await outcome({ token, need: 'write' })).toBe('github_rate_limited')
    await expect(lookUp({ token, repo: 'other' })).rejects.toMatchObject({ code: 'github_rate_limited' })
    expect(github.received).toHaveLength(2)
  })

  it('does not block cached results', async () => {
    const { outcome, respond, clock } = await setUpAccess()
    await outcome()
    clock.now += 1_000
    respond(limited)
    await outcome({ repo: 'other' })
    expect(await outcome()).toBe('ok')
    clock.now += 59_000
    expect(await outcome()).toBe('github_rate_limited')
  })
})

describe('a result of the write probe', () => {
  const token = 'ghs_a'
  const write = { token, need: 'write' } as const
  const no = { status: 403, body: { message: 'Resource not accessible by integration' } }

  async function probed(permissionCacheMs: number, reply: typeof no | undefined) {
    const setup = await setUpAccess({ permissionCacheMs })
    setup.respond(visible({ permissions: noPush }), 'GET')
    if (reply) setup.respond(reply, 'POST')
    await setup.outcome(write)
    const posts = () => setup.github.received.filter((request) => request.startsWith('POST')).length
    return { ...setup, posts }
  }

  it.each([0, 60_000, 3_600_000])(
    'is cached for 10 minutes if it is yes, with a permission cache of %i ms',
    async (ms) => {
      const { outcome, respond, clock, posts } = await probed(ms, undefined)
      respond(no, 'POST')
      clock.now += 599_999
      expect([await outcome(write), posts()]).toEqual(['ok', 1])
      clock.now += 1
      expect([await outcome(write), posts()]).toEqual(['forbidden', 2])
    },
  )

  it.each([0, 60_000, 3_600_000])('is cached for 60 s if it is no, with a permission cache of %i ms', async (ms) => {
    const { outcome, respond, clock, posts } = await probed(ms, no)
    respond({ status: 200, body: {} }, 'POST')
    clock.now += 59_999
    expect([await outcome(write), posts()]).toEqual(['forbidden', 1])
    clock.now += 1
    expect([await outcome(write), posts()]).toEqual(['ok', 2])
  })

  it('has no effect once the token can no longer see the repository', async () => {
    const { outcome, respond, clock } = await probed(60_000, undefined)
    respond(invisible, 'GET')
    clock.now += 60_000
    expect(await outcome(write)).toBe('not_found')
  })

  it('does not apply to another repository under the same name', async () => {
    const { outcome, respond, clock, posts } = await probed(60_000, undefined)
    respond(visible({ id: 43, permissions: noPush }), 'GET')
    respond(no, 'POST')
    clock.now += 60_000
    expect([await outcome(write), posts()]).toEqual(['forbidden', 2])
  })

  it('is cleared with the repository', async () => {
    const { outcome, respond, access } = await probed(60_000, undefined)
    respond(no, 'POST')
    access.forgetRepository(42n)
    expect(await outcome(write)).toBe('forbidden')
  })
})

describe('an event', () => {
  it('about a repository clears its results for every token, ETags included', async () => {
    const { outcome, respond, access, github } = await setUpAccess()
    respond(visible({}, { ETag: '"1"' }))
    await outcome()
    await outcome({ token: 'ghp_other' })
    await outcome({ repo: 'other' })
    respond(invisible)
    access.forgetRepository(42n)
    expect(await outcome()).toBe('not_found')
    expect(await outcome({ token: 'ghp_other' })).toBe('not_found')
    expect(github.requests.at(-1)?.headers).not.toHaveProperty('if-none-match')
  })

  it('about a repository keeps the results of the others', async () => {
    const { outcome, access, github } = await setUpAccess()
    await outcome()
    access.forgetRepository(43n, [{ owner: 'octocat', name: 'other' }])
    await outcome()
    expect(github.received).toHaveLength(1)
  })

  it('with names clears a 404 under these names', async () => {
    const { outcome, respond, access } = await setUpAccess()
    respond(invisible)
    await outcome()
    respond(visible())
    access.forgetRepository(42n, [{ owner: 'OctoCat', name: 'HELLO' }])
    expect(await outcome()).toBe('ok')
  })

  it('about an installation clears all results of its account', async () => {
    const { outcome, respond, access } = await setUpAccess()
    respond(invisible)
    await outcome()
    await outcome({ owner: 'other' })
    respond(visible())
    access.forgetOwner('OctoCat')
    expect(await outcome()).toBe('ok')
    expect(await outcome({ owner: 'other' })).toBe('not_found')
  })
})

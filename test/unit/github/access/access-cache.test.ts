import { describe, expect, it } from 'vitest'
import { accessWorld, noPush, refused, seen, unseen } from './access-setup.ts'

describe('an answer of GitHub', () => {
  it('is believed for 60 s', async () => {
    const { authorize, answers, github, clock, outcome } = await accessWorld()
    await authorize()
    answers(unseen)
    clock.now += 59_999
    expect(await outcome()).toBe('ok')
    expect(github.asked).toHaveLength(1)
    clock.now += 1
    expect(await outcome()).toBe('not_found')
    expect(github.asked).toHaveLength(2)
  })

  it('is believed for as long as the operator says', async () => {
    const { outcome, answers, clock } = await accessWorld({ permissionCacheMs: 5_000 })
    await outcome()
    answers(unseen)
    clock.now += 4_999
    expect(await outcome()).toBe('ok')
    clock.now += 1
    expect(await outcome()).toBe('not_found')
  })

  it('is never believed where the operator says 0', async () => {
    const { outcome, answers, github } = await accessWorld({ permissionCacheMs: 0 })
    expect(await outcome()).toBe('ok')
    answers(unseen)
    expect(await outcome()).toBe('not_found')
    answers(seen())
    expect(await outcome()).toBe('ok')
    expect(github.asked).toHaveLength(3)
  })

  it('is not believed for longer because it was slow', async () => {
    const { outcome, answers, clock, github } = await accessWorld()
    answers(() => {
      clock.now += 4_000
      return seen()
    })
    await outcome()
    clock.now += 56_000
    await outcome()
    expect(github.asked).toHaveLength(2)
  })

  it('serves reading and writing, in whatever case the name is written', async () => {
    const { outcome, github } = await accessWorld()
    await outcome({ need: 'write' })
    expect(await outcome({ need: 'read', owner: 'OCTOCAT', repo: 'Hello' })).toBe('ok')
    expect(github.asked).toHaveLength(1)
  })

  it('serves no other token and no other repository', async () => {
    const { outcome, github } = await accessWorld()
    await outcome()
    await outcome({ token: 'ghp_other' })
    await outcome({ repo: 'other' })
    await outcome({ owner: 'other' })
    expect(github.asked).toHaveLength(4)
  })

  it.each([
    ['404', unseen, 'not_found'],
    ['403', { status: 403, body: { message: 'IP allow list' } }, 'not_found'],
    [
      '403 of single sign-on',
      { status: 403, headers: { 'X-GitHub-SSO': 'required; url=x' }, body: {} },
      'sso_required',
    ],
  ])('that is a %s holds 10 s', async (_, reply, code) => {
    const { outcome, answers, clock } = await accessWorld()
    answers(reply)
    await outcome()
    answers(seen())
    clock.now += 9_999
    expect(await outcome()).toBe(code)
    clock.now += 1
    expect(await outcome()).toBe('ok')
  })

  it.each([500, 200])('that is no answer (a %i) is forgotten at once', async (status) => {
    const { outcome, answers } = await accessWorld()
    answers({ status, body: {} })
    expect(await outcome()).toBe('github_unavailable')
    answers(seen())
    expect(await outcome()).toBe('ok')
  })

  it('that has gone stale lets nobody in when GitHub fails', async () => {
    const { outcome, answers, clock } = await accessWorld()
    await outcome()
    clock.now += 60_000
    answers({ status: 500, body: {} })
    expect(await outcome()).toBe('github_unavailable')
    answers({ status: 429, body: {} })
    expect(await outcome()).toBe('github_rate_limited')
    expect(await outcome()).toBe('github_rate_limited')
  })
})

describe('a revalidation', () => {
  it('sends the ETag, and a 304 keeps what was known for another 60 s', async () => {
    const { authorize, answers, github, clock } = await accessWorld()
    answers(seen({ id: 7 }, { ETag: 'W/"1"' }))
    const first = await authorize()
    answers(({ headers }) => (headers['if-none-match'] === 'W/"1"' ? { status: 304 } : unseen))
    clock.now += 60_000
    expect(await authorize()).toEqual(first)
    clock.now += 59_999
    expect(await authorize()).toEqual(first)
    expect(github.asked).toHaveLength(2)
    clock.now += 1
    expect(await authorize()).toEqual(first)
    expect(github.asked).toHaveLength(3)
  })

  it('takes what has changed', async () => {
    const { authorize, answers, clock } = await accessWorld()
    answers(seen({ id: 7 }, { ETag: '"1"' }))
    await authorize()
    clock.now += 60_000
    answers(seen({ id: 8, permissions: noPush }, { ETag: '"2"' }))
    expect(await authorize()).toMatchObject({ id: 8n })
  })

  it('is without a condition where the last answer was no repository', async () => {
    const { outcome, answers, github, clock } = await accessWorld()
    answers({ ...unseen, headers: { ETag: '"404"' } })
    await outcome()
    clock.now += 10_000
    await outcome()
    expect(github.requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined])
  })

  it("never sends another token's ETag", async () => {
    const { outcome, answers, github, clock } = await accessWorld()
    answers(seen({}, { ETag: '"1"' }))
    await outcome()
    clock.now += 60_000
    await outcome({ token: 'ghp_other' })
    expect(github.requests[1]?.headers).not.toHaveProperty('if-none-match')
  })
})

describe('a 401', () => {
  it('holds 60 s, for the token, whatever the repository and the cache setting', async () => {
    const { outcome, answers, github, clock } = await accessWorld({ permissionCacheMs: 0 })
    answers(refused)
    expect(await outcome()).toBe('invalid_token')
    answers(seen())
    clock.now += 59_999
    expect(await outcome({ repo: 'other' })).toBe('invalid_token')
    expect(await outcome({ token: 'ghp_other' })).toBe('ok')
    expect(github.asked).toHaveLength(2)
    clock.now += 1
    expect(await outcome()).toBe('ok')
  })

  it('wins over every answer that is cached for the token', async () => {
    const { outcome, answers, clock, github } = await accessWorld({ permissionCacheMs: 3_600_000 })
    await outcome()
    answers(refused)
    expect(await outcome({ repo: 'other' })).toBe('invalid_token')
    expect(await outcome()).toBe('invalid_token')
    expect(github.asked).toHaveLength(2)
    // And what was known before is not believed again when the 60 s are over.
    clock.now += 60_000
    expect(await outcome()).toBe('invalid_token')
    expect(github.asked).toHaveLength(3)
  })

  it.each(['write', 'link'])('is learned from a %s question as well', async (way) => {
    const { outcome, answers, lookUp, github } = await accessWorld()
    const token = 'ghs_a'
    answers(seen({ permissions: noPush }), 'GET')
    await outcome({ token })
    answers(refused)
    if (way === 'write') expect(await outcome({ token, need: 'write' })).toBe('invalid_token')
    else await expect(lookUp({ token, repo: 'other' })).rejects.toMatchObject({ code: 'invalid_token' })
    const asked = github.asked.length
    expect(await outcome({ token })).toBe('invalid_token')
    expect(github.asked).toHaveLength(asked)
  })

  it('comes before an impossible name', async () => {
    const { outcome, answers } = await accessWorld()
    answers(refused)
    await outcome()
    expect(await outcome({ repo: '..' })).toBe('invalid_token')
    expect(await outcome({ repo: '..', token: 'ghp_other' })).toBe('not_found')
  })

  it('is forgotten by no event', async () => {
    const { outcome, answers, access } = await accessWorld()
    answers(refused)
    await outcome()
    answers(seen())
    access.forgetOwner('OctoCat')
    expect(await outcome()).toBe('invalid_token')
  })
})

describe('a spent rate limit', () => {
  const limited = { status: 403, headers: { 'Retry-After': '90' }, body: { message: 'secondary rate limit' } }

  it('stops all questions with the token until it is over', async () => {
    const { outcome, refusal, answers, github, clock } = await accessWorld()
    answers(limited)
    expect(await outcome()).toBe('github_rate_limited')
    answers(seen())
    clock.now += 30_000
    expect(await refusal({ repo: 'other' })).toMatchObject({ code: 'github_rate_limited', retryAfterSeconds: 60 })
    expect(github.asked).toHaveLength(1)
    expect(await outcome({ token: 'ghp_other' })).toBe('ok')
    clock.now += 60_000
    expect(await outcome()).toBe('ok')
  })

  it('stops write questions and look-ups too, and is learned from them', async () => {
    const { outcome, lookUp, answers, github } = await accessWorld()
    const token = 'ghs_a'
    answers(seen({ permissions: noPush }), 'GET')
    answers(limited, 'POST')
    expect(await outcome({ token, need: 'write' })).toBe('github_rate_limited')
    expect(await outcome({ token, need: 'write' })).toBe('github_rate_limited')
    await expect(lookUp({ token, repo: 'other' })).rejects.toMatchObject({ code: 'github_rate_limited' })
    expect(github.asked).toHaveLength(2)
  })

  it('keeps nobody from what is cached', async () => {
    const { outcome, answers, clock } = await accessWorld()
    await outcome()
    clock.now += 1_000
    answers(limited)
    await outcome({ repo: 'other' })
    expect(await outcome()).toBe('ok')
    clock.now += 59_000
    expect(await outcome()).toBe('github_rate_limited')
  })
})

describe('an answer to the write question', () => {
  const token = 'ghs_a'
  const write = { token, need: 'write' } as const
  const no = { status: 403, body: { message: 'Resource not accessible by integration' } }

  async function probed(permissionCacheMs: number, reply: typeof no | undefined) {
    const world = await accessWorld({ permissionCacheMs })
    world.answers(seen({ permissions: noPush }), 'GET')
    if (reply) world.answers(reply, 'POST')
    await world.outcome(write)
    const posts = () => world.github.asked.filter((asked) => asked.startsWith('POST')).length
    return { ...world, posts }
  }

  it.each([0, 60_000, 3_600_000])('holds 10 minutes if a yes, with a cache of %i ms', async (ms) => {
    const { outcome, answers, clock, posts } = await probed(ms, undefined)
    answers(no, 'POST')
    clock.now += 599_999
    expect([await outcome(write), posts()]).toEqual(['ok', 1])
    clock.now += 1
    expect([await outcome(write), posts()]).toEqual(['forbidden', 2])
  })

  it.each([0, 60_000, 3_600_000])('holds 60 s if a no, with a cache of %i ms', async (ms) => {
    const { outcome, answers, clock, posts } = await probed(ms, no)
    answers({ status: 200, body: {} }, 'POST')
    clock.now += 59_999
    expect([await outcome(write), posts()]).toEqual(['forbidden', 1])
    clock.now += 1
    expect([await outcome(write), posts()]).toEqual(['ok', 2])
  })

  it('counts for nothing once the token sees the repository no more', async () => {
    const { outcome, answers, clock } = await probed(60_000, undefined)
    answers(unseen, 'GET')
    clock.now += 60_000
    expect(await outcome(write)).toBe('not_found')
  })

  it('counts for no other repository that comes under the name', async () => {
    const { outcome, answers, clock, posts } = await probed(60_000, undefined)
    answers(seen({ id: 43, permissions: noPush }), 'GET')
    answers(no, 'POST')
    clock.now += 60_000
    expect([await outcome(write), posts()]).toEqual(['forbidden', 2])
  })

  it('is forgotten with the repository', async () => {
    const { outcome, answers, access } = await probed(60_000, undefined)
    answers(no, 'POST')
    access.forgetRepository(42n)
    expect(await outcome(write)).toBe('forbidden')
  })
})

describe('an event', () => {
  it('about a repository makes it be asked again, whole, for every token', async () => {
    const { outcome, answers, access, github } = await accessWorld()
    answers(seen({}, { ETag: '"1"' }))
    await outcome()
    await outcome({ token: 'ghp_other' })
    await outcome({ repo: 'other' })
    answers(unseen)
    access.forgetRepository(42n)
    expect(await outcome()).toBe('not_found')
    expect(await outcome({ token: 'ghp_other' })).toBe('not_found')
    expect(github.requests.at(-1)?.headers).not.toHaveProperty('if-none-match')
  })

  it('about a repository leaves the others', async () => {
    const { outcome, access, github } = await accessWorld()
    await outcome()
    access.forgetRepository(43n, [{ owner: 'octocat', name: 'other' }])
    await outcome()
    expect(github.asked).toHaveLength(1)
  })

  it('with names ends a 404 under these names', async () => {
    const { outcome, answers, access } = await accessWorld()
    answers(unseen)
    await outcome()
    answers(seen())
    access.forgetRepository(42n, [{ owner: 'OctoCat', name: 'HELLO' }])
    expect(await outcome()).toBe('ok')
  })

  it('about an installation makes everything of its account be asked again', async () => {
    const { outcome, answers, access } = await accessWorld()
    answers(unseen)
    await outcome()
    await outcome({ owner: 'other' })
    answers(seen())
    access.forgetOwner('OctoCat')
    expect(await outcome()).toBe('ok')
    expect(await outcome({ owner: 'other' })).toBe('not_found')
  })
})

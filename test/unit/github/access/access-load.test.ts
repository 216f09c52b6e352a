import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { type AccessSetup, invisible, noPush, type Reply, rejected, setUpAccess, visible } from './access-setup.ts'

/** Holds GitHub's responses back until the test releases them. */
function holdResponses(setup: AccessSetup, method?: 'GET' | 'POST') {
  const waiting: ((reply: Reply) => void)[] = []
  setup.respond(() => new Promise((resolve) => waiting.push(resolve)), method)
  return {
    waiting,
    reached: (count: number) => vi.waitFor(() => expect(waiting).toHaveLength(count), 10_000),
    release: (reply: Reply) => {
      for (const respond of waiting.splice(0)) respond(reply)
    },
  }
}

describe('concurrent requests', () => {
  it('for one repository with one token are sent once', async () => {
    const setup = await setUpAccess({ permissionCacheMs: 0 })
    const github = holdResponses(setup)
    const callers = Array.from({ length: 1_000 }, (_, i) => setup.outcome({ repo: i % 2 ? 'hello' : 'HELLO' }))
    await github.reached(1)
    github.release(visible())
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
    expect(setup.github.received).toHaveLength(1)
  })

  it('fail for all that share them, and not for later ones', async () => {
    const setup = await setUpAccess()
    const github = holdResponses(setup)
    const callers = Array.from({ length: 10 }, () => setup.outcome())
    await github.reached(1)
    github.release({ status: 500, body: {} })
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['github_unavailable']))
    setup.respond(visible())
    expect(await setup.outcome()).toBe('ok')
  })

  it('of writers send one read and one write probe', async () => {
    const setup = await setUpAccess()
    setup.respond(visible({ permissions: noPush }), 'GET')
    const github = holdResponses(setup, 'POST')
    const callers = Array.from({ length: 100 }, () => setup.outcome({ token: 'ghs_a', need: 'write' }))
    await github.reached(1)
    github.release({ status: 200, body: {} })
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
    expect(setup.github.received).toHaveLength(2)
  })

  it('never exceed 50 at GitHub', async () => {
    const setup = await setUpAccess()
    const github = holdResponses(setup)
    const callers = Array.from({ length: 120 }, (_, i) => setup.outcome({ token: `ghp_${i}` }))
    for (const round of [50, 50, 20]) {
      await github.reached(round)
      await setTimeout(20)
      expect(github.waiting).toHaveLength(round)
      github.release(visible())
    }
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
  })

  it('with one token do not delay those with another', async () => {
    const setup = await setUpAccess({ limits: { concurrentRequests: 4 } })
    await setup.outcome({ token: 'ghp_busy' })
    const github = holdResponses(setup)
    const busy = Array.from({ length: 20 }, (_, i) => setup.outcome({ token: 'ghp_busy', repo: `repo-${i}` }))
    await github.reached(4)
    const other = setup.outcome({ token: 'ghp_other' })
    github.waiting.shift()?.(visible())
    await github.reached(4)
    expect(setup.github.requests.at(-1)?.headers.authorization).toBe('Bearer ghp_other')
    setup.respond(visible())
    github.release(visible())
    expect(new Set(await Promise.all([other, ...busy]))).toEqual(new Set(['ok']))
  })

  it('fail if they wait too long or too many wait', async () => {
    const setup = await setUpAccess({ limits: { concurrentRequests: 2, waitingRequests: 3, requestMs: 200 } })
    const github = holdResponses(setup)
    const callers = Array.from({ length: 6 }, (_, i) => setup.outcome({ token: `ghp_${i}` }))
    await github.reached(2)
    expect(await callers[5]).toBe('github_unavailable')
    expect(await Promise.all(callers)).toEqual(Array(6).fill('github_unavailable'))
  })
})

describe('while GitHub is busy', () => {
  async function busy() {
    const setup = await setUpAccess({
      limits: { concurrentRequests: 1, waitingRequests: 0, rejectedTokensPerMinute: 1 },
    })
    setup.respond(visible({ permissions: noPush }), 'GET')
    await setup.outcome({ token: 'ghs_known' })
    setup.respond({ status: 429, body: {} })
    await setup.outcome({ token: 'ghp_limited' })
    setup.respond(rejected)
    await setup.outcome({ token: 'ghp_guess' })
    const github = holdResponses(setup)
    const slow = setup.outcome({ token: 'ghp_slow', clientAddress: '192.0.2.2' })
    await github.reached(1)
    const finish = async () => {
      github.release(visible())
      await slow
    }
    return { ...setup, finish }
  }

  it('an address with too many rejected tokens gets no more than others', async () => {
    const { outcome, finish } = await busy()
    expect(await outcome({ token: 'ghp_new' })).toBe('github_unavailable')
    expect(await outcome({ token: 'ghp_new', clientAddress: '192.0.2.2' })).toBe('github_unavailable')
    await finish()
  })

  it('a token whose rate limit is spent is not queued', async () => {
    const { outcome, finish } = await busy()
    expect(await outcome({ token: 'ghp_limited' })).toBe('github_rate_limited')
    await finish()
  })

  it('a write probe with a spent rate limit is not queued', async () => {
    const setup = await setUpAccess({ limits: { concurrentRequests: 1, waitingRequests: 0 } })
    setup.respond(visible({ permissions: noPush }), 'GET')
    await setup.outcome({ token: 'ghs_a' })
    setup.respond({ status: 429, body: {} })
    await setup.outcome({ token: 'ghs_a', repo: 'other' })
    const github = holdResponses(setup)
    const slow = setup.outcome({ token: 'ghp_slow' })
    await github.reached(1)
    expect(await setup.outcome({ token: 'ghs_a', need: 'write' })).toBe('github_rate_limited')
    github.release(visible())
    await slow
  })

  it.each([
    ['rejected', rejected, 'invalid_token'],
    ['limited', { status: 429, body: {} }, 'github_rate_limited'],
  ])('a waiting request is not sent once its token is %s', async (_, reply, code) => {
    const setup = await setUpAccess({ limits: { concurrentRequests: 1 } })
    await setup.outcome({ repo: 'first' })
    const github = holdResponses(setup)
    const callers = ['second', 'third'].map((repo) => setup.outcome({ repo }))
    await github.reached(1)
    github.release(reply)
    expect(await Promise.all(callers)).toEqual([code, code])
    expect(setup.github.received).toHaveLength(2)
  })
})

describe('an unknown token', () => {
  it('is rejected by one request, for all of its concurrent requests', async () => {
    const setup = await setUpAccess()
    const github = holdResponses(setup)
    const callers = Array.from({ length: 30 }, (_, i) => setup.outcome({ repo: `repo-${i}` }))
    await github.reached(1)
    github.release(rejected)
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['invalid_token']))
    expect(setup.github.received).toHaveLength(1)
  })

  it('sends its other requests concurrently once it is accepted', async () => {
    const setup = await setUpAccess()
    const github = holdResponses(setup)
    const callers = Array.from({ length: 10 }, (_, i) => setup.outcome({ repo: `repo-${i}` }))
    await github.reached(1)
    github.release(visible())
    await github.reached(9)
    github.release(visible())
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
  })
})

describe('rejected tokens of one address', () => {
  const slot = { everyMs: 60_000, waiting: 2, waitMs: 60_000 }

  async function guessed(count: number, unknownTokenSlot = slot) {
    const setup = await setUpAccess({ limits: { unknownTokenSlot } })
    expect(await setup.outcome({ token: 'ghp_known' })).toBe('ok')
    setup.respond(rejected)
    for (let i = 0; i < count; i++) expect(await setup.outcome({ token: `ghp_guess_${i}` })).toBe('invalid_token')
    setup.respond(visible())
    return setup
  }

  it('let unknown tokens wait from 20 a minute on, one after another; those beyond the bound get a 429', async () => {
    const setup = await guessed(20)
    const github = holdResponses(setup)
    const before = setup.github.received.length
    const first = setup.outcome({ token: 'ghp_1' })
    await github.reached(1)
    const waiting = ['ghp_2', 'ghp_3'].map((token) => setup.outcome({ token }))
    expect(await setup.failure({ token: 'ghp_4' })).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 })
    expect(await setup.outcome({ token: 'ghp_guess_3' })).toBe('invalid_token')
    github.release(visible())
    expect(await first).toBe('ok')
    expect(setup.github.received).toHaveLength(before + 1)
    expect(await Promise.race([...waiting, setTimeout(50, 'still waiting')])).toBe('still waiting')
  })

  it('lock nobody out: each unknown token is checked in its turn, and is then treated as any other', async () => {
    const setup = await guessed(20, { everyMs: 5, waiting: 100, waitMs: 60_000 })
    let pending = 0
    let most = 0
    setup.respond(async ({ headers }) => {
      most = Math.max(most, ++pending)
      await setTimeout(2)
      pending--
      return headers.authorization?.includes('job') ? visible() : rejected
    })
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, (_, i) => setup.outcome({ token: `ghp_${i % 2 ? 'job' : 'garbage'}_${i}` })),
    )
    expect(outcomes).toEqual(outcomes.map((_, i) => (i % 2 ? 'ok' : 'invalid_token')))
    expect(most).toBe(1)
    expect(await setup.outcome({ token: 'ghp_job_1', repo: 'other' })).toBe('ok')
  })

  it('let an unknown token wait no longer than its bound', async () => {
    const setup = await guessed(20, { everyMs: 60_000, waiting: 100, waitMs: 20 })
    const before = setup.github.received.length
    expect(await setup.outcome({ token: 'ghp_1' })).toBe('ok')
    expect(await setup.outcome({ token: 'ghp_2' })).toBe('rate_limited')
    expect(setup.github.received).toHaveLength(before + 1)
  })

  it('have no effect up to 19', async () => {
    const { outcome } = await guessed(19)
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('have no effect on other addresses', async () => {
    const { outcome } = await guessed(20)
    expect(await outcome({ token: 'ghp_new', clientAddress: '192.0.2.2' })).toBe('ok')
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('have no effect after a minute', async () => {
    const { outcome, clock } = await guessed(20)
    clock.now += 60_000
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('have no effect on an accepted token, cached or not', async () => {
    const { outcome, clock, github } = await guessed(20, { ...slot, waiting: 0 })
    expect(await outcome({ token: 'ghp_known' })).toBe('ok')
    clock.now += 59_999
    expect(await outcome({ token: 'ghp_first' })).toBe('ok')
    const before = github.received.length
    expect(await outcome({ token: 'ghp_new' })).toBe('rate_limited')
    expect(await outcome({ token: 'ghp_known', repo: 'other' })).toBe('ok')
    expect(github.received).toHaveLength(before + 1)
  })

  it('count once each, however often they are sent', async () => {
    const { outcome, respond, clock } = await guessed(10)
    respond(rejected)
    clock.now += 60_000
    for (let i = 0; i < 10; i++) expect(await outcome({ token: `ghp_guess_${i}` })).toBe('invalid_token')
    respond(visible())
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('stop a flood: pending requests finish, waiting ones are not sent', async () => {
    const setup = await setUpAccess({ limits: { unknownTokenSlot: { everyMs: 60_000, waiting: 100, waitMs: 200 } } })
    setup.respond(async () => {
      await setTimeout(5)
      return rejected
    })
    const outcomes = await Promise.all(Array.from({ length: 500 }, (_, i) => setup.outcome({ token: `ghp_${i}` })))
    expect(new Set(outcomes)).toEqual(new Set(['invalid_token', 'rate_limited']))
    expect(setup.github.received.length).toBeLessThanOrEqual(19 + 50 + 1)
    expect(outcomes.filter((code) => code === 'invalid_token')).toHaveLength(setup.github.received.length)
  })

  it('from two addresses at the same time count for both', async () => {
    const limits = { rejectedTokensPerMinute: 1, unknownTokenSlot: { ...slot, waiting: 0 } }
    const setup = await setUpAccess({ limits })
    const github = holdResponses(setup)
    const callers = ['192.0.2.1', '192.0.2.2'].map((clientAddress) => setup.outcome({ clientAddress }))
    await github.reached(1)
    github.release(rejected)
    await Promise.all(callers)
    setup.respond(visible())
    for (const clientAddress of ['192.0.2.1', '192.0.2.2']) {
      expect(await setup.outcome({ token: `ghp_${clientAddress}`, clientAddress })).toBe('ok')
      expect(await setup.outcome({ token: 'ghp_new', clientAddress })).toBe('rate_limited')
    }
  })

  it('do not block another address that shares the request', async () => {
    const setup = await setUpAccess({ limits: { rejectedTokensPerMinute: 1, concurrentRequests: 1 } })
    const github = holdResponses(setup)
    const guess = setup.outcome({ token: 'ghp_guess' })
    await github.reached(1)
    const shared = ['192.0.2.1', '192.0.2.2'].map((clientAddress) => setup.outcome({ token: 'ghp_new', clientAddress }))
    github.release(rejected)
    expect(await guess).toBe('invalid_token')
    await github.reached(1)
    github.release(visible())
    expect(await Promise.all(shared)).toEqual(['ok', 'ok'])
  })
})

describe('a response to a request from before', () => {
  const event: Record<string, (setup: AccessSetup) => void> = {
    'an event about the repository': ({ access }) => access.forgetRepository(42n),
    'an event about the account': ({ access }) => access.forgetOwner('octocat'),
  }

  it.each(Object.keys(event))('%s goes to its callers, and is not cached', async (name) => {
    const setup = await setUpAccess()
    const github = holdResponses(setup)
    const before = setup.outcome()
    await github.reached(1)
    event[name]?.(setup)
    github.release(visible())
    expect(await before).toBe('ok')
    setup.respond(invisible)
    expect(await setup.outcome()).toBe('not_found')
  })

  it('an event is not shared with later callers', async () => {
    const setup = await setUpAccess()
    await setup.outcome({ repo: 'other' })
    const github = holdResponses(setup)
    const before = setup.outcome()
    await github.reached(1)
    setup.access.forgetRepository(42n)
    const after = setup.outcome()
    await github.reached(2)
    github.waiting[1]?.(invisible)
    github.waiting[0]?.(visible())
    expect([await before, await after]).toEqual(['ok', 'not_found'])
    expect(await setup.outcome()).toBe('not_found')
  })

  it('an event is not cached for the write probe either', async () => {
    const setup = await setUpAccess()
    setup.respond(visible({ permissions: noPush }), 'GET')
    const github = holdResponses(setup, 'POST')
    const write = { token: 'ghs_a', need: 'write' } as const
    const before = setup.outcome(write)
    await github.reached(1)
    setup.access.forgetRepository(42n)
    github.release({ status: 200, body: {} })
    expect(await before).toBe('ok')
    setup.respond({ status: 403, body: {} }, 'POST')
    expect(await setup.outcome(write)).toBe('forbidden')
  })

  describe('the rejection of the token', () => {
    const token = 'ghs_a'
    const ways: Record<string, { method: 'GET' | 'POST'; ask: (setup: AccessSetup) => Promise<unknown> }> = {
      reading: { method: 'GET', ask: (setup) => setup.outcome({ token, repo: 'slow' }) },
      writing: { method: 'POST', ask: (setup) => setup.outcome({ token, repo: 'slow', need: 'write' }) },
      'looking up': {
        method: 'GET',
        ask: (setup) => setup.lookUp({ token, repo: 'slow' }).catch((error: { code: string }) => error.code),
      },
    }

    it.each(Object.keys(ways))('grants no access, and is not cached: %s', async (name) => {
      const way = ways[name]
      if (way === undefined) throw new Error(name)
      const setup = await setUpAccess({ permissionCacheMs: 3_600_000 })
      setup.respond(visible({ permissions: noPush }), 'GET')
      await setup.outcome({ token, repo: way.method === 'POST' ? 'slow' : 'first' })
      const github = holdResponses(setup, way.method)
      const slow = way.ask(setup)
      await github.reached(1)
      setup.respond(rejected, 'GET')
      expect(await setup.outcome({ token, repo: 'other' })).toBe('invalid_token')
      github.release(visible({ permissions: noPush }))
      expect(await slow).toBe('invalid_token')

      // Once GitHub accepts the token again, no earlier result is used.
      setup.clock.now += 60_000
      setup.respond(visible({ permissions: noPush }), 'GET')
      setup.respond({ status: 403, body: {} }, 'POST')
      const before = setup.github.received.length
      await way.ask(setup)
      expect(setup.github.received).toHaveLength(before + (way.method === 'POST' ? 2 : 1))
    })
  })
})

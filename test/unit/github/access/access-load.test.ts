import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, vi } from 'vitest'
import { accessWorld, noPush, type Reply, refused, seen, unseen, type World } from './access-setup.ts'

/** GitHub answers nothing until it is let. */
function held(world: World, method?: 'GET' | 'POST') {
  const answering: ((reply: Reply) => void)[] = []
  world.answers(() => new Promise((resolve) => answering.push(resolve)), method)
  return {
    answering,
    asked: (count: number) => vi.waitFor(() => expect(answering).toHaveLength(count), 10_000),
    let: (reply: Reply) => {
      for (const answer of answering.splice(0)) answer(reply)
    },
  }
}

describe('many questions at once', () => {
  it('about one repository with one token are one', async () => {
    const world = await accessWorld({ permissionCacheMs: 0 })
    const github = held(world)
    const callers = Array.from({ length: 1_000 }, (_, i) => world.outcome({ repo: i % 2 ? 'hello' : 'HELLO' }))
    await github.asked(1)
    github.let(seen())
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
    expect(world.github.asked).toHaveLength(1)
  })

  it('that fail, fail for all, and for nobody who comes later', async () => {
    const world = await accessWorld()
    const github = held(world)
    const callers = Array.from({ length: 10 }, () => world.outcome())
    await github.asked(1)
    github.let({ status: 500, body: {} })
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['github_unavailable']))
    world.answers(seen())
    expect(await world.outcome()).toBe('ok')
  })

  it('of writers are one read and one write question', async () => {
    const world = await accessWorld()
    world.answers(seen({ permissions: noPush }), 'GET')
    const github = held(world, 'POST')
    const callers = Array.from({ length: 100 }, () => world.outcome({ token: 'ghs_a', need: 'write' }))
    await github.asked(1)
    github.let({ status: 200, body: {} })
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
    expect(world.github.asked).toHaveLength(2)
  })

  it('never exceed 50 at GitHub', async () => {
    const world = await accessWorld()
    const github = held(world)
    const callers = Array.from({ length: 120 }, (_, i) => world.outcome({ token: `ghp_${i}` }))
    for (const round of [50, 50, 20]) {
      await github.asked(round)
      await setTimeout(20)
      expect(github.answering).toHaveLength(round)
      github.let(seen())
    }
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
  })

  it('with one token do not keep those with another waiting', async () => {
    const world = await accessWorld({ limits: { questionsAtOnce: 4 } })
    await world.outcome({ token: 'ghp_busy' })
    const github = held(world)
    const busy = Array.from({ length: 20 }, (_, i) => world.outcome({ token: 'ghp_busy', repo: `repo-${i}` }))
    await github.asked(4)
    const other = world.outcome({ token: 'ghp_other' })
    github.answering.shift()?.(seen())
    await github.asked(4)
    expect(world.github.requests.at(-1)?.headers.authorization).toBe('Bearer ghp_other')
    world.answers(seen())
    github.let(seen())
    expect(new Set(await Promise.all([other, ...busy]))).toEqual(new Set(['ok']))
  })

  it('are unavailable where their turn does not come in time, or too many wait', async () => {
    const world = await accessWorld({ limits: { questionsAtOnce: 2, questionsWaiting: 3, questionMs: 200 } })
    const github = held(world)
    const callers = Array.from({ length: 6 }, (_, i) => world.outcome({ token: `ghp_${i}` }))
    await github.asked(2)
    expect(await callers[5]).toBe('github_unavailable')
    expect(await Promise.all(callers)).toEqual(Array(6).fill('github_unavailable'))
  })
})

describe('while GitHub is busy', () => {
  async function busy() {
    const world = await accessWorld({
      limits: { questionsAtOnce: 1, questionsWaiting: 0, refusedTokensPerMinute: 1 },
    })
    world.answers(seen({ permissions: noPush }), 'GET')
    await world.outcome({ token: 'ghs_known' })
    world.answers({ status: 429, body: {} })
    await world.outcome({ token: 'ghp_limited' })
    world.answers(refused)
    await world.outcome({ token: 'ghp_guess' })
    const github = held(world)
    const slow = world.outcome({ token: 'ghp_slow', clientAddress: '192.0.2.2' })
    await github.asked(1)
    const finish = async () => {
      github.let(seen())
      await slow
    }
    return { ...world, finish }
  }

  it('an address with too many refused tokens takes no place in the queue', async () => {
    const { outcome, finish } = await busy()
    expect(await outcome({ token: 'ghp_new' })).toBe('rate_limited')
    expect(await outcome({ token: 'ghp_new', clientAddress: '192.0.2.2' })).toBe('github_unavailable')
    await finish()
  })

  it('a token whose rate limit is spent takes no place in the queue', async () => {
    const { outcome, finish } = await busy()
    expect(await outcome({ token: 'ghp_limited' })).toBe('github_rate_limited')
    await finish()
  })

  it('the same goes for write questions', async () => {
    const world = await accessWorld({ limits: { questionsAtOnce: 1, questionsWaiting: 0 } })
    world.answers(seen({ permissions: noPush }), 'GET')
    await world.outcome({ token: 'ghs_a' })
    world.answers({ status: 429, body: {} })
    await world.outcome({ token: 'ghs_a', repo: 'other' })
    const github = held(world)
    const slow = world.outcome({ token: 'ghp_slow' })
    await github.asked(1)
    expect(await world.outcome({ token: 'ghs_a', need: 'write' })).toBe('github_rate_limited')
    github.let(seen())
    await slow
  })

  it.each([
    ['refused', refused, 'invalid_token'],
    ['limited', { status: 429, body: {} }, 'github_rate_limited'],
  ])('a token that is %s meanwhile is not asked about what waits', async (_, reply, code) => {
    const world = await accessWorld({ limits: { questionsAtOnce: 1 } })
    await world.outcome({ repo: 'first' })
    const github = held(world)
    const callers = ['second', 'third'].map((repo) => world.outcome({ repo }))
    await github.asked(1)
    github.let(reply)
    expect(await Promise.all(callers)).toEqual([code, code])
    expect(world.github.asked).toHaveLength(2)
  })
})

describe('a token that GitHub has never heard of', () => {
  it('is refused by one question, whatever it asks for at once', async () => {
    const world = await accessWorld()
    const github = held(world)
    const callers = Array.from({ length: 30 }, (_, i) => world.outcome({ repo: `repo-${i}` }))
    await github.asked(1)
    github.let(refused)
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['invalid_token']))
    expect(world.github.asked).toHaveLength(1)
  })

  it('asks for the rest at once when it is let in', async () => {
    const world = await accessWorld()
    const github = held(world)
    const callers = Array.from({ length: 10 }, (_, i) => world.outcome({ repo: `repo-${i}` }))
    await github.asked(1)
    github.let(seen())
    await github.asked(9)
    github.let(seen())
    expect(new Set(await Promise.all(callers))).toEqual(new Set(['ok']))
  })
})

describe('tokens of one address that GitHub refuses', () => {
  async function guessed(count: number) {
    const world = await accessWorld()
    expect(await world.outcome({ token: 'ghp_known' })).toBe('ok')
    world.answers(refused)
    for (let i = 0; i < count; i++) expect(await world.outcome({ token: `ghp_guess_${i}` })).toBe('invalid_token')
    world.answers(seen())
    return world
  }

  it('are 20 a minute; then it gets 429 for any that GitHub does not know, without a question', async () => {
    const { outcome, refusal, github } = await guessed(20)
    const asked = github.asked.length
    expect(await refusal({ token: 'ghp_new' })).toMatchObject({ code: 'rate_limited', retryAfterSeconds: 60 })
    expect(await outcome({ token: 'ghp_guess_3' })).toBe('invalid_token')
    expect(github.asked).toHaveLength(asked)
  })

  it('are no trouble while there are 19', async () => {
    const { outcome } = await guessed(19)
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('are no trouble for other addresses', async () => {
    const { outcome } = await guessed(20)
    expect(await outcome({ token: 'ghp_new', clientAddress: '192.0.2.2' })).toBe('ok')
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('are no trouble after a minute', async () => {
    const { outcome, clock } = await guessed(20)
    clock.now += 60_000
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('are no trouble for a token whose answer is cached, also when it has to be asked for anew', async () => {
    const { outcome, clock, github } = await guessed(20)
    expect(await outcome({ token: 'ghp_known' })).toBe('ok')
    clock.now += 59_999
    const asked = github.asked.length
    expect(await outcome({ token: 'ghp_new' })).toBe('rate_limited')
    expect(await outcome({ token: 'ghp_known', repo: 'other' })).toBe('ok')
    expect(github.asked).toHaveLength(asked + 1)
  })

  it('count once each, however often they come back', async () => {
    const { outcome, answers, clock } = await guessed(10)
    answers(refused)
    clock.now += 60_000
    for (let i = 0; i < 10; i++) expect(await outcome({ token: `ghp_guess_${i}` })).toBe('invalid_token')
    answers(seen())
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
  })

  it('stop a flood: what is under way may finish, what waits is not asked any more', async () => {
    const world = await accessWorld()
    world.answers(async () => {
      await setTimeout(5)
      return refused
    })
    const outcomes = await Promise.all(Array.from({ length: 500 }, (_, i) => world.outcome({ token: `ghp_${i}` })))
    expect(new Set(outcomes)).toEqual(new Set(['invalid_token', 'rate_limited']))
    expect(world.github.asked.length).toBeLessThanOrEqual(19 + 50)
    expect(outcomes.filter((code) => code === 'invalid_token')).toHaveLength(world.github.asked.length)
  })

  it('that come from two addresses at once count for both', async () => {
    const world = await accessWorld({ limits: { refusedTokensPerMinute: 1 } })
    const github = held(world)
    const callers = ['192.0.2.1', '192.0.2.2'].map((clientAddress) => world.outcome({ clientAddress }))
    await github.asked(1)
    github.let(refused)
    await Promise.all(callers)
    expect(await world.outcome({ token: 'ghp_new', clientAddress: '192.0.2.1' })).toBe('rate_limited')
    expect(await world.outcome({ token: 'ghp_new', clientAddress: '192.0.2.2' })).toBe('rate_limited')
  })

  it('keep no one of another address from a question that they share', async () => {
    const world = await accessWorld({ limits: { refusedTokensPerMinute: 1, questionsAtOnce: 1 } })
    const github = held(world)
    const guess = world.outcome({ token: 'ghp_guess' })
    await github.asked(1)
    const shared = ['192.0.2.1', '192.0.2.2'].map((clientAddress) => world.outcome({ token: 'ghp_new', clientAddress }))
    github.let(refused)
    expect(await guess).toBe('invalid_token')
    await github.asked(1)
    github.let(seen())
    expect(await Promise.all(shared)).toEqual(['ok', 'ok'])
  })
})

describe('an answer to a question of before', () => {
  const event: Record<string, (world: World) => void> = {
    'an event about the repository': ({ access }) => access.forgetRepository(42n),
    'an event about the account': ({ access }) => access.forgetOwner('octocat'),
  }

  it.each(Object.keys(event))('%s serves who waits for it, and is not kept', async (name) => {
    const world = await accessWorld()
    const github = held(world)
    const before = world.outcome()
    await github.asked(1)
    event[name]?.(world)
    github.let(seen())
    expect(await before).toBe('ok')
    world.answers(unseen)
    expect(await world.outcome()).toBe('not_found')
  })

  it('is joined by nobody who comes after the event', async () => {
    const world = await accessWorld()
    await world.outcome({ repo: 'other' })
    const github = held(world)
    const before = world.outcome()
    await github.asked(1)
    world.access.forgetRepository(42n)
    const after = world.outcome()
    await github.asked(2)
    github.answering[1]?.(unseen)
    github.answering[0]?.(seen())
    expect([await before, await after]).toEqual(['ok', 'not_found'])
    expect(await world.outcome()).toBe('not_found')
  })

  it('of the write question is not kept either', async () => {
    const world = await accessWorld()
    world.answers(seen({ permissions: noPush }), 'GET')
    const github = held(world, 'POST')
    const write = { token: 'ghs_a', need: 'write' } as const
    const before = world.outcome(write)
    await github.asked(1)
    world.access.forgetRepository(42n)
    github.let({ status: 200, body: {} })
    expect(await before).toBe('ok')
    world.answers({ status: 403, body: {} }, 'POST')
    expect(await world.outcome(write)).toBe('forbidden')
  })

  describe('once the token was refused', () => {
    const token = 'ghs_a'
    const ways: Record<string, { method: 'GET' | 'POST'; ask: (world: World) => Promise<unknown> }> = {
      reading: { method: 'GET', ask: (world) => world.outcome({ token, repo: 'slow' }) },
      writing: { method: 'POST', ask: (world) => world.outcome({ token, repo: 'slow', need: 'write' }) },
      'looking up': {
        method: 'GET',
        ask: (world) => world.lookUp({ token, repo: 'slow' }).catch((error: { code: string }) => error.code),
      },
    }

    it.each(Object.keys(ways))('lets nobody in, and is not kept: %s', async (name) => {
      const way = ways[name]
      if (way === undefined) throw new Error(name)
      const world = await accessWorld({ permissionCacheMs: 3_600_000 })
      world.answers(seen({ permissions: noPush }), 'GET')
      await world.outcome({ token, repo: way.method === 'POST' ? 'slow' : 'first' })
      const github = held(world, way.method)
      const slow = way.ask(world)
      await github.asked(1)
      world.answers(refused, 'GET')
      expect(await world.outcome({ token, repo: 'other' })).toBe('invalid_token')
      github.let(seen({ permissions: noPush }))
      expect(await slow).toBe('invalid_token')

      // GitHub takes the token again: then everything is asked anew.
      world.clock.now += 60_000
      world.answers(seen({ permissions: noPush }), 'GET')
      world.answers({ status: 403, body: {} }, 'POST')
      const asked = world.github.asked.length
      await way.ask(world)
      expect(world.github.asked).toHaveLength(asked + (way.method === 'POST' ? 2 : 1))
    })
  })
})

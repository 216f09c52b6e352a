import { describe, expect, it } from 'vitest'
import { createCallers } from '../../src/service/github/callers.ts'
import {
  caller,
  callers,
  github,
  later,
  ofRepository,
  permitted,
  read,
  refusalOf,
  stopClocks,
  useCallers,
} from '../support/callers.ts'
import { githubApiUrl } from '../support/github.ts'

useCallers()

describe('§7 whose a token is', () => {
  it('is asked once an hour', async () => {
    stopClocks()
    const who = caller()
    github().get('/user').reply(200, { login: 'ana' }).get('/user').reply(200, { login: 'ana-2' })
    const all = await Promise.all(Array.from({ length: 100 }, () => callers.loginOf(who)))
    await later(3_599_000)
    expect([...new Set([...all, await callers.loginOf(who)])]).toEqual(['ana'])
    await later(2_000)
    expect(await callers.loginOf(who)).toBe('ana-2')
  })

  it('is nobody for a token of an installation, for an hour too', async () => {
    stopClocks()
    const who = caller('ghs_1')
    github().get('/user').reply(403, { message: 'Resource not accessible by integration' })
    expect(await callers.loginOf(who)).toBeNull()
    await later(3_000_000)
    expect(await callers.loginOf(who)).toBeNull()
  })

  it.each([502, 401, 429])('is not known for 60 s after a failure: %i', async (status) => {
    stopClocks()
    const who = caller()
    github().get('/user').reply(status, {})
    expect(await callers.loginOf(who)).toBeNull()
    await later(59_000)
    github().get('/user').reply(200, { login: 'ana' })
    expect(await callers.loginOf(who)).toBeNull()
    await later(2_000)
    expect(await callers.loginOf(who)).toBe('ana')
  })
})

describe('§7 who may list pull requests', () => {
  const pulls = () => github().get(`${ofRepository()}/pulls`).query({ per_page: '1' })
  const seen = async (who: ReturnType<typeof caller>) => callers.seesPulls(who, await read(who))

  it('is everybody where the repository is public', async () => {
    github().get(ofRepository()).reply(200, permitted({}))
    expect(await seen(caller())).toBe(true)
  })

  it('is asked where it is not, once in 60 s, again 10 s after a no and at once after a failure', async () => {
    stopClocks()
    const who = caller()
    github()
      .get(ofRepository())
      .times(3)
      .reply(200, permitted({}, { private: true }))
    pulls().reply(502)
    expect(await seen(who)).toBe(false)
    pulls().reply(403, { message: 'Resource not accessible' })
    expect([await seen(who), await seen(who)]).toEqual([false, false])
    await later(10_100)
    pulls().reply(200, [])
    expect(await seen(who)).toBe(true)
    await later(59_000)
    expect(await seen(who)).toBe(true)
    await later(2_000)
    pulls().reply(404)
    expect(await seen(who)).toBe(false)
  })
})

describe('§7 twenty refused tokens', () => {
  const refuse = (times: number) =>
    github()
      .get(/^\/repos\//)
      .times(times)
      .reply(401, {})
  const tryTokens = async (count: number, address?: string) => {
    refuse(count)
    for (let tried = 0; tried < count; tried++)
      expect((await refusalOf(read(caller(undefined, address)))).code).toBe('invalid_token')
  }

  it('of an address within a minute: its unknown tokens wait until the minute is over', async () => {
    stopClocks()
    const known = caller()
    github().get(ofRepository()).reply(200, permitted({}))
    await read(known)
    await later(61_000)
    await tryTokens(20)
    const { code, options } = await refusalOf(read())
    expect([code, (options.retryAt ?? 0) - Date.now()]).toEqual(['rate_limited', 60_000])
    // GitHub took this one within a day, and nobody else is at that address.
    github().get(ofRepository()).times(2).reply(200, permitted({}))
    await read(known)
    await read(caller(undefined, '192.0.2.2'))
    await later(60_100)
    github().get(ofRepository()).reply(200, permitted({}))
    await read()
  })

  it('counts questions to GitHub and different tokens, not answers', async () => {
    stopClocks()
    await tryTokens(19)
    const wrong = caller()
    refuse(1)
    for (let tried = 0; tried < 30; tried++) await refusalOf(read(wrong, { repo: `shop-${tried}` }))
    expect((await refusalOf(read())).code).toBe('rate_limited')
    await later(60_100)
    // The same one again is one.
    await tryTokens(18)
    refuse(1)
    for (const repo of ['a', 'b']) expect((await refusalOf(read(wrong, { repo }))).code).toBe('invalid_token')
    github().get(ofRepository()).reply(200, permitted({}))
    await read()
  })

  it('are forgotten one by one: the minute moves', async () => {
    stopClocks()
    await tryTokens(10)
    await later(40_000)
    await tryTokens(10)
    expect((await refusalOf(read())).code).toBe('rate_limited')
    await later(20_100)
    await tryTokens(1)
  })

  it('is forgiven to what GitHub took within a day, and no longer', async () => {
    stopClocks()
    const known = caller()
    github().get(ofRepository()).reply(404)
    await refusalOf(read(known))
    await later(86_300_000)
    await tryTokens(20)
    github().get(ofRepository()).reply(404)
    expect((await refusalOf(read(known))).code).toBe('not_found')
    await later(86_500_000)
    await tryTokens(20)
    expect((await refusalOf(read(known))).code).toBe('rate_limited')
  })
})

it('§7 a token is not told by its key, nor by the key of another process', () => {
  const [key, other] = [callers.keyOf('ghp_secret'), createCallers(githubApiUrl).keyOf('ghp_secret')]
  expect(key).not.toContain('secret')
  expect(key).not.toBe(other)
  expect(key).toBe(callers.keyOf('ghp_secret'))
})

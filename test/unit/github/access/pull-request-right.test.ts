import { describe, expect, it } from 'vitest'
import { type Reply, setUpAccess, visible } from './access-setup.ts'

const refused: Reply = { status: 403, body: { message: 'Resource not accessible by personal access token' } }
const allowed: Reply = { status: 200, body: [] }
const failed: Reply = { status: 502, body: {} }
const badToken: Reply = { status: 401, body: {} }
const limited: Reply = { status: 403, headers: { 'x-ratelimit-remaining': '0' }, body: {} }
const hello = { id: 42n, owner: 'octocat', name: 'hello' }

async function setUp(reply: Reply | 'never' = allowed) {
  const setup = await setUpAccess()
  let toPulls = reply
  setup.respond((request) => (request.url?.includes('/pulls') ? toPulls : visible()), 'GET')
  await setup.authorize()
  return {
    ...setup,
    respondToPulls: (next: Reply) => {
      toPulls = next
    },
    mayRead: async (token = 'ghp_secret', repository = {}) =>
      setup.access.mayReadPullRequests(token, { ...hello, ...repository }),
    questions: () => setup.github.received.filter((line) => line.includes('/pulls')),
  }
}

describe('the right to read pull requests', () => {
  it('is requested once for each token and repository, and kept for 10 minutes', async () => {
    const { mayRead, questions, clock, respondToPulls } = await setUp()
    expect(await Promise.all([mayRead(), mayRead()])).toEqual([true, true])
    expect(questions()).toEqual(['GET /repos/octocat/hello/pulls?per_page=1'])
    respondToPulls(refused)
    clock.now += 599_999
    expect(await mayRead()).toBe(true)
    expect(await mayRead('ghp_other')).toBe(false)
    expect(await mayRead('ghp_secret', { id: 43n })).toBe(false)
    clock.now += 1
    expect(await mayRead()).toBe(false)
    expect(questions()).toHaveLength(4)
  })

  it('is not requested in a public repository', async () => {
    const { mayRead, questions } = await setUp(refused)
    expect(await mayRead('ghp_secret', { isPublic: true })).toBe(true)
    expect(questions()).toEqual([])
  })

  it.each([
    ['403', refused],
    ['404', { status: 404, body: {} }],
  ])('is a no after a %s, for 10 minutes', async (_, reply) => {
    const { mayRead, clock, respondToPulls } = await setUp(reply)
    expect(await mayRead()).toBe(false)
    respondToPulls(allowed)
    clock.now += 599_999
    expect(await mayRead()).toBe(false)
    clock.now += 1
    expect(await mayRead()).toBe(true)
  })

  it.each([
    ['a 502', failed],
    ['a 401', badToken],
    ['a spent rate limit', limited],
  ])('is a no for 10 s after %s, which changes nothing about the access of the token', async (_, reply) => {
    const { mayRead, outcome, clock, respondToPulls } = await setUp(reply)
    expect(await mayRead()).toBe(false)
    respondToPulls(allowed)
    clock.now += 9_999
    expect(await mayRead()).toBe(false)
    clock.now += 1
    expect(await mayRead()).toBe(true)
    clock.now += 60_000
    expect(await outcome()).toBe('ok')
  })

  it('is forgotten with the permissions of the repository or its owner', async () => {
    const { mayRead, respondToPulls, access } = await setUp()
    expect(await mayRead()).toBe(true)
    respondToPulls(refused)
    access.forgetRepository(42n)
    expect(await mayRead()).toBe(false)
    respondToPulls(allowed)
    access.forgetOwner('OctoCat')
    expect(await mayRead()).toBe(true)
  })

  it('is forgotten with a token that GitHub rejects', async () => {
    const { mayRead, respond, outcome, questions, clock } = await setUp()
    expect(await mayRead()).toBe(true)
    respond(badToken, 'GET')
    clock.now += 60_000
    expect(await outcome()).toBe('invalid_token')
    expect(await mayRead()).toBe(false)
    expect(questions()).toHaveLength(1)
  })

  it('that GitHub does not answer keeps no question about access waiting', async () => {
    const { mayRead, outcome } = await setUp('never')
    const pending = Array.from({ length: 100 }, (_, n) => mayRead(`ghp_${n}`))
    expect(await outcome({ token: 'ghp_new' })).toBe('ok')
    expect(pending).toHaveLength(100)
  })
})

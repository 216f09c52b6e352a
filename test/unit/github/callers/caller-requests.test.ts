import { describe, expect, it } from 'vitest'
import { createCallerRequests } from '../../../../src/github/callers/caller-requests.ts'
import { serve } from '../access/serve.ts'

const start = Date.UTC(2026, 10, 20, 9, 30)

async function setUp(headers: Record<string, string>) {
  const clock = { now: start }
  const github = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers })
    response.end('{}')
  })
  const requests = createCallerRequests({
    ...{ apiUrl: github.url, timeLimitMs: 5_000, tokens: 10 },
    ...{ keyOf: (token: string) => `key of ${token}`, now: () => clock.now },
  })
  return { requests, clock, send: () => requests.send({ route: 'GET /user', token: 't' }) }
}

const reset = String(start / 1_000 + 60)

describe('the rate limit of a token', () => {
  it('is what GitHub said last, until it resets', async () => {
    const { requests, clock, send } = await setUp({ 'x-ratelimit-remaining': '17', 'x-ratelimit-reset': reset })
    expect(requests.remaining('t')).toBeNull()
    await send()
    expect([requests.remaining('t'), requests.remaining('other')]).toEqual([17, null])
    clock.now += 60_000
    expect(requests.remaining('t')).toBeNull()
  })

  it.each<Record<string, string>>([
    {},
    { 'x-ratelimit-remaining': '-1', 'x-ratelimit-reset': reset },
    { 'x-ratelimit-remaining': '5' },
    { 'x-ratelimit-remaining': 'many', 'x-ratelimit-reset': reset },
  ])('is not known with the headers %j', async (headers) => {
    const { requests, send } = await setUp(headers)
    await send()
    expect(requests.remaining('t')).toBeNull()
  })
})

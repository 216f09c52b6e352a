import { describe, expect, it } from 'vitest'
import { createCallerRequests } from '../../../../src/github/callers/caller-requests.ts'
import { serve } from '../access/serve.ts'

const start = Date.UTC(2026, 10, 20, 9, 30)

async function setUp(...answers: [Record<string, string>, ...Record<string, string>[]]) {
  const clock = { now: start }
  const left = [...answers]
  const github = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...(left.shift() ?? answers[0]) })
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

  it('is the least that GitHub said before the reset: concurrent responses arrive in any order', async () => {
    const said = (remaining: number, resetsAt: string) => ({
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': resetsAt,
    })
    const later = String(Number(reset) + 3_600)
    const { requests, send } = await setUp(said(17, reset), said(18, reset), said(16, reset), said(4_999, later))
    const seen = []
    for (let n = 0; n < 4; n++) {
      await send()
      seen.push(requests.remaining('t'))
    }
    expect(seen).toEqual([17, 17, 16, 4_999])
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

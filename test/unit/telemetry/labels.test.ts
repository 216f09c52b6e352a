import { expect, it } from 'vitest'
import { boundedLabel, githubOutcome, methodLabel } from '../../../src/telemetry/labels.ts'

it('a label that should be bounded has so many values at most, and the first keep theirs', () => {
  const label = boundedLabel(2)
  expect(['a', 'b', 'c', 'a', 'd', 'b'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other', 'b'])
})

it('methods are those that the service knows, or other', () => {
  expect(['GET', 'PATCH', 'get', 'PROPFIND'].map(methodLabel)).toEqual(['GET', 'PATCH', 'other', 'other'])
})

it('a refusal for a spent limit is no refusal of the token', () => {
  const call = { asker: 'caller', route: 'GET /', remaining: null, ms: 1 } as const
  const outcome = (status: number | null, isRateLimit = false) => githubOutcome({ ...call, status, isRateLimit })
  expect([200, 201, 304, 401, 403, 404, 500, null].map((status) => outcome(status))).toEqual([
    ...['ok', 'ok', 'not_modified', 'token_refused', 'refused', 'refused', 'server_error', 'no_answer'],
  ])
  expect([outcome(403, true), outcome(429, true)]).toEqual(['rate_limited', 'rate_limited'])
})

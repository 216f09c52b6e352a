import { expect, it } from 'vitest'
import { boundedLabel, githubOutcome, methodLabel } from '../../../src/service/telemetry/labels.ts'

it('a bounded label keeps the first values, and replaces every further one by other', () => {
  const label = boundedLabel(2)
  expect(['a', 'b', 'c', 'a', 'd', 'b'].map(label)).toEqual(['a', 'b', 'other', 'a', 'other', 'b'])
})

it('an unknown method becomes other', () => {
  expect(['GET', 'PATCH', 'get', 'PROPFIND'].map(methodLabel)).toEqual(['GET', 'PATCH', 'other', 'other'])
})

it('a spent rate limit has an outcome of its own', () => {
  const call = {
    credential: 'caller',
    route: 'GET /',
    remaining: null,
    ends: null,
    refusedVersion: null,
    serverTime: null,
    ms: 1,
  } as const
  const outcome = (status: number | null, isRateLimit = false) => githubOutcome({ ...call, status, isRateLimit })
  expect([200, 201, 304, 401, 403, 404, 500, null].map((status) => outcome(status))).toEqual([
    ...['ok', 'ok', 'not_modified', 'token_refused', 'refused', 'refused', 'server_error', 'no_answer'],
  ])
  expect([outcome(403, true), outcome(429, true)]).toEqual(['rate_limited', 'rate_limited'])
})

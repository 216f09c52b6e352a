import { expect, it } from 'vitest'
import { createOpenStreams, streamBoundsOf } from '../../../../src/service/api/http/limits/stream-limits.ts'

const callerOf = (token: string, accountId?: bigint) => ({ token, accountId })

it('an instance holds so many streams, and a token so many of them', () => {
  const streams = createOpenStreams({ perInstance: 3, perToken: 2, perAccount: 3 })
  const open = (token: string) => streams.add(callerOf(token), () => {})
  const release = open('a')
  open('a')
  expect(() => open('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }))
  open('b')
  expect(() => open('c')).toThrow(
    expect.objectContaining({ code: 'unavailable', retryAfterSeconds: expect.any(Number) }),
  )
  release()
  open('c')
  expect(streams.count()).toBe(3)
})

it('all tokens of one account hold so many streams together, and others are not concerned', () => {
  const streams = createOpenStreams({ perInstance: 10, perToken: 2, perAccount: 3 })
  const open = (token: string, accountId?: bigint) => streams.add(callerOf(token, accountId), () => {})
  const release = open('a', 1n)
  for (const token of ['a', 'b']) open(token, 1n)
  expect(() => open('b', 1n)).toThrow(
    expect.objectContaining({ code: 'rate_limited', retryAfterSeconds: expect.any(Number) }),
  )
  open('c', 2n)
  open('d')
  release()
  open('b', 1n)
})

it('an account has a quarter of the repositories that an instance watches, and at least what one token has', () => {
  expect(streamBoundsOf({ maxStreams: 1_000, maxWatched: 200 })).toEqual({
    ...{ perInstance: 1_000, perToken: 10, perAccount: 50 },
  })
  expect(streamBoundsOf({ maxStreams: 1_000, maxWatched: 1 }).perAccount).toBe(10)
})

it('when the service stops, all streams end, and no further one is opened', () => {
  const streams = createOpenStreams()
  const ended: string[] = []
  for (const name of ['a', 'b']) streams.add(callerOf(name), () => ended.push(name))
  streams.endAll()
  expect(ended).toEqual(['a', 'b'])
  expect(() => streams.add(callerOf('c'), () => {})).toThrow(expect.objectContaining({ code: 'unavailable' }))
})

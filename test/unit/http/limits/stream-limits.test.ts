import { expect, it } from 'vitest'
import { createOpenStreams } from '../../../../src/http/limits/stream-limits.ts'

it('an instance holds so many streams, and a token so many of them', () => {
  const streams = createOpenStreams({ perInstance: 3, perToken: 2 })
  const open = (token: string) => streams.add(token, () => {})
  const release = open('a')
  open('a')
  expect(() => open('a')).toThrow(expect.objectContaining({ code: 'rate_limited' }))
  open('b')
  expect(() => open('c')).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterSeconds: 30 }))
  release()
  open('c')
  expect(streams.count()).toBe(3)
})

it('when the service stops, all streams end, and no further one is opened', () => {
  const streams = createOpenStreams()
  const ended: string[] = []
  for (const name of ['a', 'b']) streams.add(name, () => ended.push(name))
  streams.endAll()
  expect(ended).toEqual(['a', 'b'])
  expect(() => streams.add('c', () => {})).toThrow(expect.objectContaining({ code: 'unavailable' }))
})

import { expect, it } from 'vitest'
import { readEvent } from '../../../src/page/client/follow-repository.ts'

const event = (name: string, data: unknown) => ({ event: name, data: JSON.stringify(data), id: undefined })

it('reads the known events, and none that only a newer service sends', () => {
  expect(readEvent(event('alive', { items: [] }))).toEqual({ event: 'alive', data: { items: [] } })
  expect(readEvent(event('weather', {}))).toBeUndefined()
})

it.each([
  [{ code: 'draining', retry_after: 3 }, 3],
  [{ code: 'unavailable' }, 5],
  [{ code: 'unavailable', retry_after: 9_999 }, 60],
  [{ code: 'unavailable', retry_after: 'soon' }, 0],
  [{ code: 'invalid_token', retry_after: 30 }, 0],
])('reads from %j how long to wait', (data, retryAfterSeconds) => {
  expect(readEvent(event('bye', data))).toEqual({ event: 'bye', data: { retryAfterSeconds } })
})

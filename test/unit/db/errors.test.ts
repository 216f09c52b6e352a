import { expect, it } from 'vitest'
import { isDatabaseUnavailable } from '../../../src/db/errors.ts'

it.each([
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Connection terminated due to connection timeout',
])('a database that takes no connection in time is unavailable, and not a refusal: %s', (message) => {
  expect(isDatabaseUnavailable(new Error(message))).toBe(true)
})

it('a wrong password is a refusal', () => {
  expect(isDatabaseUnavailable(Object.assign(new Error('password authentication failed'), { code: '28P01' }))).toBe(
    false,
  )
})

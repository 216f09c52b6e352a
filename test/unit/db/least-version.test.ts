import { expect, it } from 'vitest'
import { tooOldReason } from '../../../src/service/db/least-version.ts'

it.each([
  ['0.1.0', undefined],
  ['0.1.0', '0.1.0'],
  ['0.2.0-rc.1', '0.2.0'],
  ['0.10.0', '0.9.9'],
  ['1.0.0', '0.99.99'],
])('version %s runs on a database that needs %s', (own, least) => {
  expect(tooOldReason(least, own)).toBeUndefined()
})

it.each([
  ['0.1.0', '0.1.1'],
  ['0.9.9', '0.10.0'],
  ['0.99.99', '1.0.0'],
])('version %s does not run on a database that needs %s', (own, least) => {
  expect(tooOldReason(least, own)).toContain(`needs Headsup ${least} or newer, and this is ${own}`)
})

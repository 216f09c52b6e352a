import { expect, it } from 'vitest'
import { endedAfter, isPurged } from '../../../src/service/lib/retention.ts'

const retention = { now: new Date('2026-11-24T10:00:00Z'), retentionMs: 3_600_000 }

it.each([
  [null, false],
  ['2026-11-24T09:00:00.001Z', false],
  ['2026-11-24T09:00:00.000Z', true],
  ['2026-11-24T08:00:00.000Z', true],
])('a record that ended at %s is purged an hour later: %s', (ended, purged) => {
  expect(isPurged(ended === null ? null : new Date(ended), retention)).toBe(purged)
  expect(endedAfter(retention)).toEqual(new Date('2026-11-24T09:00:00Z'))
})

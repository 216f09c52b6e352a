import { expect, it } from 'vitest'
import { createClockWarning } from '../../../src/service/github/clock-warning.ts'
import { hour, minute, second, startClock } from '../../support/clock.ts'
import { silentLog } from '../../support/log.ts'

const call = {
  credential: 'caller',
  route: 'GET /',
  status: 200,
  isRateLimit: false,
  ends: null,
  refusedVersion: null,
  remaining: null,
  ms: 1,
} as const

it('warns once an hour where our time and that of GitHub differ by more than late events may', () => {
  const clock = startClock()
  const lines: object[] = []
  const log = { ...silentLog, warn: (fields: object) => void lines.push(fields) }
  const emit = createClockWarning({ log, now: clock.now })
  const answered = (aheadMs: number | null) => {
    const serverTime = aheadMs === null ? null : clock.now().getTime() - aheadMs
    emit({ kind: 'github_call', requestContext: undefined, call: { ...call, serverTime } })
  }
  for (const aheadMs of [null, 0, 29 * second, -29 * second]) answered(aheadMs)
  expect(lines).toEqual([])
  answered(10 * minute)
  answered(-10 * minute)
  expect(lines).toEqual([{ ahead_seconds: 600 }])
  clock.advance(hour)
  answered(-10 * minute)
  expect(lines).toEqual([{ ahead_seconds: 600 }, { ahead_seconds: -600 }])
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { activityStatuses, endedStatuses, liveStatuses } from '../../../src/core/enums.ts'
import { allowedMoves, isLive, mayMove } from '../../../src/service/records/activity/status.ts'

const status = fc.constantFrom(...activityStatuses)

describe('the status that a PATCH may set', () => {
  it('is any other live status, merged, abandoned or archived for a live activity', () => {
    for (const from of liveStatuses) {
      const others = liveStatuses.filter((other) => other !== from)
      expect(allowedMoves(from)).toEqual([...others, 'merged', 'abandoned', 'archived'])
    }
  })

  it.each(['merged', 'abandoned', 'expired'] as const)('is only archived for a %s activity', (from) => {
    expect(allowedMoves(from)).toEqual(['archived'])
  })

  it('is none for an archived activity', () => {
    expect(allowedMoves('archived')).toEqual([])
  })

  it('is expired only for an expired activity', () => {
    fc.assert(fc.property(status, (from) => mayMove(from, 'expired') === (from === 'expired')))
  })

  it('may be the current one, which is not listed as a move', () => {
    fc.assert(fc.property(status, (same) => mayMove(same, same) && !allowedMoves(same).includes(same)))
  })

  it('is never live again after the activity has ended', () => {
    fc.assert(
      fc.property(fc.constantFrom(...endedStatuses), fc.array(status), (start, requested) => {
        let current: (typeof activityStatuses)[number] = start
        for (const next of requested) if (mayMove(current, next)) current = next
        return !isLive(current)
      }),
    )
  })
})

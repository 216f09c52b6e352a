import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { allowedMoves, isLive, mayMove } from '../../../src/activity/status.ts'
import { activityStatuses, endedStatuses, liveStatuses } from '../../../src/enums.ts'

const status = fc.constantFrom(...activityStatuses)

describe('the moves that a PATCH may ask for', () => {
  it('lets live work become any other live status, merged, abandoned or archived', () => {
    for (const from of liveStatuses) {
      const others = liveStatuses.filter((other) => other !== from)
      expect(allowedMoves(from)).toEqual([...others, 'merged', 'abandoned', 'archived'])
    }
  })

  it.each(['merged', 'abandoned', 'expired'] as const)('lets %s become archived only', (from) => {
    expect(allowedMoves(from)).toEqual(['archived'])
  })

  it('lets nothing leave archived', () => {
    expect(allowedMoves('archived')).toEqual([])
  })

  it('lets nobody ask for expired, except of what is expired', () => {
    fc.assert(fc.property(status, (from) => mayMove(from, 'expired') === (from === 'expired')))
  })

  it('takes the status that a record already has as a move that changes nothing', () => {
    fc.assert(fc.property(status, (same) => mayMove(same, same) && !allowedMoves(same).includes(same)))
  })

  it('never revives what has ended, by any number of moves', () => {
    fc.assert(
      fc.property(fc.constantFrom(...endedStatuses), fc.array(status), (start, wanted) => {
        let current: (typeof activityStatuses)[number] = start
        for (const next of wanted) if (mayMove(current, next)) current = next
        return !isLive(current)
      }),
    )
  })
})

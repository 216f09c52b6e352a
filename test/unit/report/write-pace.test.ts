import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayWrite, type WriteTimes, withWrite } from '../../../src/service/report/write-pace.ts'

const minute = 60_000
const now = 100 * minute
const times = (count: number, ago: number) => ({
  all: Array.from({ length: count }, () => now - ago),
  forNotables: [],
})

describe('check runs of one owner', () => {
  it('are at most 60 a minute', () => {
    expect(mayWrite(times(59, 10_000), now, false)).toBe(true)
    expect(mayWrite(times(60, 10_000), now, false)).toBe(false)
    expect(mayWrite(times(60, minute), now, false)).toBe(true)
  })
  it('are at most 400 an hour', () => {
    expect(mayWrite(times(399, 30 * minute), now, false)).toBe(true)
    expect(mayWrite(times(400, 30 * minute), now, false)).toBe(false)
    expect(mayWrite(times(400, 60 * minute), now, false)).toBe(true)
  })
  it('are counted for an hour', () => {
    const known = { all: [now - 61 * minute, now - 59 * minute], forNotables: [now - 61 * minute] }
    expect(withWrite(known, now, false)).toEqual({ all: [now - 59 * minute, now], forNotables: [] })
    expect(withWrite(known, now, true)).toEqual({ all: [now - 59 * minute, now], forNotables: [now] })
  })
  it('that only notables marked take at most half of the writes of any hour, and leave the others theirs', () => {
    const step = fc.record({ seconds: fc.integer({ min: 1, max: 20 }), byNotable: fc.boolean(), requests: fc.nat(2) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 500, maxLength: 900 }), (steps) => {
        let [known, at]: [WriteTimes, number] = [{ all: [], forNotables: [] }, now]
        for (const { seconds, byNotable, requests } of steps) {
          at += seconds * 1_000
          if (!mayWrite(known, at, byNotable)) continue
          for (let n = 0; n <= requests; n++) known = withWrite(known, at, byNotable)
          expect(known.forNotables.length).toBeLessThanOrEqual(200)
        }
        const onlyNotables = { ...known, all: known.forNotables }
        expect(mayWrite(onlyNotables, at + minute, false)).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bitSet, fillToEnds, leastMember } from '../../../../src/scope/match/bit-set.ts'

const members = fc.uniqueArray(fc.nat(299), { maxLength: 40 })
const membersOf = (set: bigint) => Array.from({ length: 320 }, (_, n) => n).filter((n) => (set >> BigInt(n)) & 1n)

describe('a set of small numbers as bits', () => {
  it('holds its members and no others', () => {
    fc.assert(
      fc.property(members, (all) => {
        expect(membersOf(bitSet(all, 300))).toEqual(all.toSorted((a, b) => a - b))
      }),
    )
  })

  it('returns its least member', () => {
    fc.assert(
      fc.property(members, (all) => {
        fc.pre(all.length > 0)
        expect(leastMember(bitSet(all, 300))).toBe(Math.min(...all))
      }),
    )
  })

  it('is filled from the first member of each block to its end', () => {
    fc.assert(
      fc.property(members, members, (all, ends) => {
        const blockEnds = [...new Set([...ends, 299])].sort((a, b) => a - b)
        const expected = Array.from({ length: 300 }, (_, n) => n).filter((n) => {
          const end = blockEnds.find((last) => last >= n) ?? 0
          const start = (blockEnds.findLast((last) => last < n) ?? -1) + 1
          return all.some((member) => member >= start && member <= n && n <= end)
        })
        expect(membersOf(fillToEnds(bitSet(all, 300), bitSet(blockEnds, 300)))).toEqual(expected)
      }),
    )
  })
})

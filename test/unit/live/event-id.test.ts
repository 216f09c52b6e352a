import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eventId, positionOf } from '../../../src/service/live/event-id.ts'

const epoch = '0123456789abcdef'
const txid = fc.bigInt({ min: 3n, max: 2n ** 40n }).filter((id) => BigInt.asUintN(32, id) > 0n)
/** A `pg_snapshot`: the transactions that were open are between the two others. */
const snapshot = fc
  .tuple(fc.uniqueArray(txid, { minLength: 2, maxLength: 20 }), fc.boolean())
  .map(([ids, isOldestOpen]) => {
    const [xmin = 0n, ...rest] = ids.toSorted((a, b) => (a < b ? -1 : 1))
    const xmax = rest.pop() ?? xmin
    return `${xmin}:${xmax}:${isOldestOpen ? [xmin, ...rest] : rest}`
  })

describe('the id of an event', () => {
  it('holds the whole position, for streams that show as much', () => {
    fc.assert(
      fc.property(snapshot, fc.boolean(), (text, seesObservedWork) => {
        const id = eventId({ epoch, snapshot: text }, { seesObservedWork })
        expect(positionOf(id, { seesObservedWork })).toEqual({ epoch, snapshot: text })
        expect(positionOf(id, { seesObservedWork: !seesObservedWork })).toBeUndefined()
      }),
    )
  })

  it('has at most 256 characters; beyond, it leads to a snapshot', () => {
    const open = (count: number) => Array.from({ length: count }, (_, n) => 4_000_000_000 + 20 * n)
    const ids = [60, 61, 200, 5_000].map((count) =>
      eventId({ epoch, snapshot: `4000000000:4000900000:${open(count)}` }, { seesObservedWork: true }),
    )
    for (const id of ids) expect(id.length).toBeLessThanOrEqual(256)
    expect(ids.map((id) => positionOf(id, { seesObservedWork: true }) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it.each([
    undefined,
    '',
    'nonsense',
    `${epoch}.5`,
    `${epoch}.long`,
    `${epoch}.a-5`,
    // PostgreSQL refuses transactions whose lower half is 0, and open ones that began later than the next.
    `${epoch}.a-0-5`,
    `${epoch}.a-100000000-1`,
    `${epoch}.a-5-1-0`,
    `${epoch}.a-fffffffffffffff${'-fffffffffffffff'.repeat(12)}`,
    `${epoch}.a-5${'-1'.repeat(200)}`,
  ])('leads to a snapshot where the service returned no such id: %s', (id) => {
    expect(positionOf(id, { seesObservedWork: true })).toBeUndefined()
  })
})

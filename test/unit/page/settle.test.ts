import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { settle } from '../../../src/page/model/settle.ts'

const keys = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))

describe('the order of rows', () => {
  it('is the current one while nobody reads', () => {
    fc.assert(
      fc.property(keys, keys, (shown, current) => {
        expect(settle(shown, current, false)).toEqual({ keys: current, waiting: 0 })
      }),
    )
  })

  it('does not change while somebody reads, and the changes are counted exactly if there are any', () => {
    fc.assert(
      fc.property(keys, keys, (shown, current) => {
        const { keys: kept, waiting } = settle(shown, current, true)
        expect(kept).toEqual(shown)
        expect(waiting === 0).toBe(shown.join() === current.join())
      }),
    )
  })

  it('counts rows that came, went and moved', () => {
    expect(settle(['a', 'b', 'c'], ['b', 'c', 'd'], true).waiting).toBe(2)
    expect(settle(['a', 'b', 'c'], ['c', 'a', 'b'], true).waiting).toBe(3)
  })
})

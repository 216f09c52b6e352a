import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hold } from '../../../src/page/model/board.ts'

const keys = fc.uniqueArray(fc.constantFrom(...'abcdefgh'))

describe('the rows of a list', () => {
  it('are the current ones where nothing was shown yet', () => {
    fc.assert(
      fc.property(keys, (current) => {
        expect(hold(undefined, current)).toEqual({ keys: current, waiting: [] })
      }),
    )
  })

  it('stay as they were shown, and exactly what is new waits', () => {
    fc.assert(
      fc.property(keys, keys, (shown, current) => {
        const { keys: kept, waiting } = hold(shown, current)
        expect(kept).toEqual(shown)
        expect(new Set([...shown, ...waiting])).toEqual(new Set([...shown, ...current]))
        expect(waiting.filter((key) => shown.includes(key))).toEqual([])
      }),
    )
  })
})

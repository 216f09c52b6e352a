import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countOfPage, pageWithin } from '../../../src/service/lib/page-bytes.ts'

const text = fc.string({ unit: fc.constantFrom('a', 'é', '字', '😀', '\u0001', '"'), maxLength: 30 })

describe('the items of a page', () => {
  it('are as many as fit, counted in bytes of JSON, and at least one', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), fc.integer({ min: 1, max: 600 }), (items, bytes) => {
        const count = countOfPage(items, bytes)
        const size = (some: readonly string[]) => Buffer.byteLength(JSON.stringify(some)) - 1
        expect(count).toBeLessThanOrEqual(items.length)
        if (count > 1) expect(size(items.slice(0, count))).toBeLessThanOrEqual(bytes)
        if (count < items.length) expect(size(items.slice(0, count + 1))).toBeGreaterThan(bytes)
        expect(count === 0).toBe(items.length === 0)
      }),
    )
  })

  it('say where the next page begins, if more follow or some did not fit', () => {
    const item = (id: string, size: number) => ({ id, text: 'x'.repeat(size) })
    const positionOf = ({ id }: { id: string }) => id
    const [small, large] = [item('a', 10), item('b', 2_000_000)]
    expect(pageWithin([small], false, positionOf)).toEqual({ items: [small], last: null })
    expect(pageWithin([small], true, positionOf)).toEqual({ items: [small], last: 'a' })
    expect(pageWithin([small, large], false, positionOf)).toEqual({ items: [small], last: 'a' })
    expect(pageWithin([large, small], false, positionOf)).toEqual({ items: [large], last: 'b' })
    expect(pageWithin([large], false, positionOf)).toEqual({ items: [large], last: null })
    expect(pageWithin([], false, positionOf)).toEqual({ items: [], last: null })
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hold } from '../../../src/page/model/board.ts'

const items = fc.uniqueArray(fc.record({ id: fc.constantFrom(...'abcdefgh'), text: fc.string() }), {
  selector: ({ id }) => id,
})
const keyOf = ({ id }: { id: string }) => id

describe('the rows of a list', () => {
  it('are the current ones where nothing was shown yet', () => {
    fc.assert(
      fc.property(items, (current) => {
        const { held, waiting } = hold(undefined, current, keyOf)
        expect(held).toEqual(current.map((item) => ({ key: item.id, item, isGone: false })))
        expect(waiting).toEqual([])
      }),
    )
  })

  it('stay where they were with what they say now, and exactly what is new waits', () => {
    fc.assert(
      fc.property(items, items, (before, current) => {
        const { held: shown } = hold(undefined, before, keyOf)
        const { held, waiting } = hold(shown, current, keyOf)
        const now = new Map(current.map((item) => [item.id, item]))
        expect(held).toEqual(shown.map(({ key, item }) => ({ key, item: now.get(key) ?? item, isGone: !now.has(key) })))
        expect(waiting).toEqual(current.filter(({ id }) => !before.some((one) => one.id === id)))
      }),
    )
  })
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { NONE, rowAt, tableOf, turnedOver } from '../../../src/scope/bit-table.ts'
import { hasBit, setBit } from '../../../src/scope/bits.ts'

const sizes = fc.integer({ min: 1, max: 100 })
const tables = fc.tuple(sizes, sizes).chain(([rows, columns]) =>
  fc.record({
    rows: fc.constant(rows),
    columns: fc.constant(columns),
    held: fc.uniqueArray(fc.nat(rows * columns - 1)),
    order: fc.array(fc.integer({ min: NONE, max: rows - 1 }), { maxLength: 100 }),
  }),
)

it('tells for each column which of the listed rows hold it', () => {
  fc.assert(
    fc.property(tables, ({ rows, columns, held, order }) => {
      const table = tableOf(rows, columns)
      for (const n of held) setBit(rowAt(table, Math.floor(n / columns)), n % columns)
      const isHeld = (row: number, column: number) => row !== NONE && held.includes(row * columns + column)
      const turned = turnedOver(table, Int16Array.from(order), { steps: 0 })
      for (let column = 0; column < columns; column++) {
        const row = rowAt(turned, column)
        const found = Array.from({ length: 32 * turned.words }, (_, i) => i).filter((i) => hasBit(row, i))
        const holders = Array.from(order.keys()).filter((i) => isHeld(order[i] ?? NONE, column))
        expect(found).toEqual(holders)
      }
    }),
    { numRuns: 200 },
  )
})

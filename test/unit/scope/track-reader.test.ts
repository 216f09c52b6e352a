import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CharSet } from '../../../src/scope/char-set.ts'
import type { Shape } from '../../../src/scope/segment.ts'
import { shapeMoves } from '../../../src/scope/segment-meet.ts'
import { trackOf } from '../../../src/scope/track.ts'
import { readerOf, rowsToRead } from '../../../src/scope/track-reader.ts'
import { read } from './read.ts'

/** The shapes of a segment of alternatives, in whatever order they were written. */
const shapes = fc
  .array(
    fc.array(fc.constantFrom('a', 'b', '?', '*', '[a]', '\\[a\\]', '[ab]', '[!a]'), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 6 },
  )
  .map((texts) => texts.map((parts) => parts.join('').replaceAll('**', '*a*')))
  .map((texts) =>
    texts.flatMap((text) => read(text).paths.flatMap(({ items }) => items.flatMap((item) => item.shapes))),
  )

function fresh(line: Shape, sides: readonly Shape[]) {
  const track = trackOf<number, CharSet>(sides)
  const work = { steps: 0 }
  return Array.from(readerOf(track, shapeMoves(track, work), work)(line))
}

it('reads a line alike, whatever lines were read before it', () => {
  fc.assert(
    fc.property(shapes, shapes, (lines, sides) => {
      const track = trackOf<number, CharSet>(sides)
      const work = { steps: 0 }
      const next = readerOf(track, shapeMoves(track, work), work)
      for (const line of lines) expect(Array.from(next(line))).toEqual(fresh(line, sides))
    }),
    { numRuns: 1500 },
  )
})

it('counts the rows that alternatives have in common once', () => {
  const [first, second] = read('{abcd,abxy}').paths.flatMap(({ items }) => items.flatMap((item) => item.shapes))
  expect(first && rowsToRead([first])).toBe(5)
  expect(first && second && rowsToRead([first, second])).toBe(7)
})

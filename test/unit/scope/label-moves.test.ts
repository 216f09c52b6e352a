import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CharSet } from '../../../src/scope/char-set.ts'
import type { Label } from '../../../src/scope/label.ts'
import { labelMoves } from '../../../src/scope/label-moves.ts'
import type { Shape } from '../../../src/scope/segment.ts'
import { shapeMoves } from '../../../src/scope/segment-meet.ts'
import { trackOf } from '../../../src/scope/track.ts'
import { read } from './read.ts'

const parts = ['a', 'b', 'z', '.', '?', '*', '[b]', '[ab]', '[a-y]', '[bz]', '[!b]', '[!a-y]', '[!.]', '[.]']
const shapes = fc
  .array(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  .map((texts) => texts.map((text) => `x${text.join('').replaceAll('**', '*a*')}`))
  .map((texts) => texts.flatMap((text) => shapesOf(text)))

/** Without an `x` before it, a lone `?` or class leaves the dot out. */
const labels: readonly Label[] = [...parts, ...parts.map((part) => `x${part}`)]
  .filter((text) => text !== '.' && text !== '*')
  .flatMap(shapesOf)
  .flatMap(({ items, jumps }): Label[] => [...items, ...jumps.map(({ by }) => by)])

function shapesOf(text: string): readonly Shape[] {
  return read(text).paths.flatMap(({ items }) => items.flatMap((item) => item.shapes))
}

it('finds by looking up what asking each label finds', () => {
  fc.assert(
    fc.property(shapes, (lines) => {
      const track = trackOf<number, CharSet>(lines)
      const [lookUp, ask] = [labelMoves(track, { steps: 0 }), shapeMoves(track, { steps: 0 })]
      for (const label of labels) expect(lookUp(label)).toEqual(ask(label))
    }),
    { numRuns: 300 },
  )
})

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hasBit } from '../../../src/scope/bits.ts'
import type { CharSet } from '../../../src/scope/char-set.ts'
import { type Layout, sideBySide } from '../../../src/scope/layout.ts'
import { type GroupedLine, netOf } from '../../../src/scope/net.ts'
import type { Shape } from '../../../src/scope/segment.ts'
import { shapeMoves } from '../../../src/scope/segment-meet.ts'
import { trackOf } from '../../../src/scope/track.ts'
import { readerOf, readNet } from '../../../src/scope/track-reader.ts'
import { read } from './read.ts'

/** The shapes of a segment of alternatives, in whatever order they were written. */
const shapes = fc
  .array(
    fc.array(fc.constantFrom('a', 'b', '?', '*', '[a]', '\\[a\\]', '[ab]', '[!a]'), { minLength: 1, maxLength: 6 }),
    { minLength: 1, maxLength: 6 },
  )
  .map((texts) => texts.map((parts) => parts.join('').replaceAll('**', '*a*')))
  .map((texts) => texts.flatMap((text) => shapesOf(text)))

function shapesOf(text: string): readonly Shape[] {
  return read(text).paths.flatMap(({ items }) => items.flatMap((item) => item.shapes))
}

/** For each group, which sides its lines reach the ends of: each line read for itself. */
function endsOneByOne(lines: readonly GroupedLine<number, CharSet>[], groups: number, sides: readonly Shape[]) {
  const track = trackOf<number, CharSet>(sides)
  const work = { steps: 0 }
  const read = readerOf(track, shapeMoves(track, work), work)
  const ends = Array.from({ length: groups }, () => sides.map(() => false))
  for (const { line, group } of lines) {
    const row = read(line).subarray(line.items.length * track.words)
    ends[group] = endsIn(row, track, sides).map((reached, i) => reached || (ends[group]?.[i] ?? false))
  }
  return ends
}

function endsIn(row: Uint32Array, { offsets, pitch }: Layout, sides: readonly Shape[]): boolean[] {
  return sides.map(({ items }, i) => hasBit(row, (offsets[i] ?? 0) + pitch * items.length))
}

it.each([
  ['few lines, in a row', 1],
  ['many lines, side by side', 64],
])('finds the same of lines put together as of each for itself: against %s', (_, least) => {
  const groups = 2
  fc.assert(
    fc.property(shapes, shapes, fc.array(fc.nat(groups - 1), { minLength: 1 }), (lines, others, turns) => {
      const grouped = lines.map((line, i) => ({ line, group: turns[i % turns.length] ?? 0 }))
      const sides = Array.from({ length: Math.ceil(least / others.length) }, () => others).flat()
      const track = trackOf<number, CharSet>(sides, sideBySide(sides))
      const work = { steps: 0 }
      const rows = readNet(netOf(grouped, groups), track, shapeMoves(track, work), work)
      const ends = Array.from({ length: groups }, (_, n) => endsIn(rows.subarray(n * track.words), track, sides))
      expect(ends).toEqual(endsOneByOne(grouped, groups, sides))
    }),
    { numRuns: 1000 },
  )
})

it('has many lines side by side, and in a row where that takes far less room', () => {
  const list = shapesOf(`{${Array.from({ length: 40 }, (_, i) => `a${i}`).join()}}`)
  expect(sideBySide(list)).toMatchObject({ words: 8, pitch: 32 })
  expect(sideBySide(list.slice(0, 10))).toMatchObject({ words: 1, pitch: 1 })
  expect(sideBySide([...list, ...shapesOf('a'.repeat(200))])).toMatchObject({ pitch: 1 })
})

it('has what lines of a group begin and end alike with once', () => {
  const netNodes = (text: string, groupOf: (i: number) => number) =>
    netOf(
      shapesOf(text).map((line, i) => ({ line, group: groupOf(i) })),
      4,
    ).nodes.length - 4
  expect(netNodes('abcd', () => 0)).toBe(5)
  expect(netNodes('ab{c,d}ef', () => 0)).toBe(6)
  expect(netNodes('ab{c,d}ef', (i) => i)).toBe(9)
  expect(netNodes('{a,b}{c,d}', () => 0)).toBe(3)
  expect(netNodes('a{*b,c}{d,*e}', () => 0)).toBe(6)
  expect(netNodes('{[!b],[!c]}[!a]', () => 0)).toBe(11)
})

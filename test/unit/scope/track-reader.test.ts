import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { CharSet } from '../../../src/scope/char-set.ts'
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

/** For each group, the places of the sides that its lines reach at their ends: each line read for itself. */
function endsOneByOne(lines: readonly GroupedLine<number, CharSet>[], groups: number, sides: readonly Shape[]) {
  const track = trackOf<number, CharSet>(sides)
  const work = { steps: 0 }
  const read = readerOf(track, shapeMoves(track, work), work)
  const ends = Array.from({ length: groups }, () => new Array<number>(track.words).fill(0))
  for (const { line, group } of lines) {
    const row = read(line).subarray(line.items.length * track.words)
    ends[group] = Array.from(row, (places, w) => (places | (ends[group]?.[w] ?? 0)) >>> 0)
  }
  return ends
}

it('finds the same of lines put together as of each for itself', () => {
  const groups = 2
  fc.assert(
    fc.property(shapes, shapes, fc.array(fc.nat(groups - 1), { minLength: 1 }), (lines, sides, turns) => {
      const grouped = lines.map((line, i) => ({ line, group: turns[i % turns.length] ?? 0 }))
      const track = trackOf<number, CharSet>(sides)
      const work = { steps: 0 }
      const rows = Array.from(readNet(netOf(grouped, groups), track, shapeMoves(track, work), work))
      const ends = Array.from({ length: groups }, (_, group) => rows.slice(group * track.words).slice(0, track.words))
      expect(ends).toEqual(endsOneByOne(grouped, groups, sides))
    }),
    { numRuns: 2000 },
  )
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
})

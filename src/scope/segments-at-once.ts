import { remembered } from '../remembered.ts'
import { alikeOnce, lowestBit, setBit, turnedOver } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { cheaperReading, type Reading, sideOf } from './cheaper-reading.ts'
import { labelMoves } from './label-moves.ts'
import { sideBySide } from './layout.ts'
import { backwards, smallestNet } from './smallest-net.ts'
import { type Track, trackOf, type Work } from './track.ts'
import { readNet } from './track-reader.ts'
import type { Union } from './united-paths.ts'

/** For each union of a glob, by its index, the unions of the other that name something it names too, as bits. */
export function meetingsOf(as: readonly Union[], bs: readonly Union[], work: Work): readonly Uint32Array[] {
  const [a, b] = [sideOf(as), sideOf(bs)]
  const reading = cheaperReading(a, b, work)
  const met = meetingsOfLines(reading, work)
  return reading.lines === a ? met : turnedOver(met, a.groups)
}

/** For each group of lines, which are put together, the groups of sides that it meets. Most of a list meet the same ones. */
function meetingsOfLines({ lines, sides }: Reading, work: Work): readonly Uint32Array[] {
  const { net, turned } = smallestNet(lines.shapes, lines.groups, sides.shapes)
  const shapes = sides.shapes.map(({ line }) => (turned ? backwards(line) : line))
  const track = trackOf<number, CharSet>(shapes, sideBySide(shapes))
  const rows = readNet(net, track, labelMoves(track, work), work)
  // Few words hold ends where lines are side by side.
  const endings = Array.from(track.ends.keys()).filter((w) => track.ends[w] !== 0)
  const ends = endsReached(rows, lines.groups, track, endings)
  work.steps += (lines.groups * endings.length) >>> 3
  const groupAt = new Uint16Array(32 * track.words)
  for (const [i, { line, group }] of sides.shapes.entries()) {
    groupAt[(track.offsets[i] ?? 0) + track.pitch * line.items.length] = group
  }
  const words = (sides.groups + 31) >>> 5
  const groupsAt = (reached: Uint32Array) => {
    const groups = new Uint32Array(words)
    for (const [i, w] of endings.entries()) {
      for (let rest = reached[i] ?? 0; rest !== 0; rest &= rest - 1)
        setBit(groups, groupAt[32 * w + lowestBit(rest)] ?? 0)
    }
    work.steps += sides.groups >>> 1
    return groups
  }
  const known = new Map<Uint32Array, Uint32Array>()
  return alikeOnce(ends).map((reached) => remembered(known, reached, () => groupsAt(reached)))
}

/** Of the first so many rows, what they have of the ends of lines, by the words that hold any. */
function endsReached(
  rows: Uint32Array,
  count: number,
  { ends, words }: Track<number, CharSet>,
  endings: readonly number[],
): Uint32Array[] {
  return Array.from({ length: count }, (_, row) => {
    const reached = new Uint32Array(endings.length)
    for (let i = 0; i < reached.length; i++) {
      const w = endings[i] ?? 0
      reached[i] = (rows[row * words + w] ?? 0) & (ends[w] ?? 0)
    }
    return reached
  })
}

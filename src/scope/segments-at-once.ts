import { type BitTable, tableOf, turnedOver } from './bit-table.ts'
import type { CharSet } from './char-set.ts'
import { cheaperReading, type Reading, type Side, sideOf } from './cheaper-reading.ts'
import { labelMoves } from './label-moves.ts'
import { sideBySide } from './layout.ts'
import { backwards, type Part, smallestNet } from './smallest-net.ts'
import { type Track, trackOf, type Work } from './track.ts'
import { readNet } from './track-reader.ts'
import type { Union } from './united-paths.ts'

/** For each union of the second glob, by its index, the unions of the first that name something it names too, as bits. */
export function meetingsOf(as: readonly Union[], bs: readonly Union[], work: Work): BitTable {
  const [a, b] = [sideOf(as), sideOf(bs)]
  const reading = cheaperReading(a, b, work)
  const met = meetingsOfLines(reading, work)
  return reading.lines === a ? met : turnedOver(met, upTo(a.groups), work)
}

/** For each group of sides the groups of lines, which are put together, that it meets. */
function meetingsOfLines({ lines, sides, parts }: Reading, work: Work): BitTable {
  const met = tableOf(sides.groups, lines.groups)
  for (const part of parts) addMeetings(met, part, lines.groups, sides, work)
  return met
}

function addMeetings(met: BitTable, part: Part, groups: number, sides: Side, work: Work): void {
  const net = smallestNet(part, groups)
  const shapes = sides.shapes.map(({ line }) => (part.turned ? backwards(line) : line))
  const track = trackOf<number, CharSet>(shapes, sideBySide(shapes))
  const rows = readNet(net, track, labelMoves(track, work), work)
  const { endings, table } = endsOf({ bits: rows, words: track.words }, groups, track, work)
  const reached = turnedOver(table, upTo(groups), work)
  for (const [i, { line, group }] of sides.shapes.entries()) {
    const end = (track.offsets[i] ?? 0) + track.pitch * line.items.length
    const row = 32 * (endings[end >>> 5] ?? 0) + (end & 31)
    for (let w = 0; w < met.words; w++) {
      met.bits[group * met.words + w] =
        (met.bits[group * met.words + w] ?? 0) | (reached.bits[row * met.words + w] ?? 0)
    }
  }
  work.steps += (sides.shapes.length * met.words) >>> 2
}

/** Of the first so many rows what they have of the ends of lines: few words hold any, where lines are side by side. */
function endsOf(rows: BitTable, count: number, { ends, words }: Track<number, CharSet>, work: Work) {
  const endings = new Uint16Array(words)
  const kept: number[] = []
  for (let w = 0; w < words; w++) if (ends[w] !== 0) endings[w] = kept.push(w) - 1
  const table = tableOf(count, 32 * kept.length)
  for (let row = 0, to = 0; row < count; row++) {
    for (let i = 0; i < kept.length; i++) table.bits[to++] = rows.bits[row * words + (kept[i] ?? 0)] ?? 0
  }
  work.steps += (count * kept.length) >>> 3
  return { endings, table }
}

function upTo(count: number): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => i)
}

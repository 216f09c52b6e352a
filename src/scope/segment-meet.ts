import { getOrCreate } from '../lib/maps.ts'
import { hasBit, lowestBit } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { ANY, type Label, labelsMeet, NOT_DOT } from './label.ts'
import { linesMeet } from './line.ts'
import type { Affixes, Segment, Shape } from './segment.ts'
import { type Moves, movesOf, type Track, trackOf, type Work } from './track.ts'
import { readerOf } from './track-reader.ts'

/** How many items a shape may have for all its places to be bits of one number. */
const FEW = 30

/** Whether some name is named by both segments. */
export function segmentsMeet(a: Segment, b: Segment, work: Work): boolean {
  if (a === b || a.all || b.all) return true
  if (a.name !== null && a.name === b.name) return true
  if (a.literal && b.literal) return false
  if (a.affixes !== null && b.affixes !== null) return affixesMeet(a.affixes, b.affixes)
  if (a.literal && a.name !== null && b.affixes !== null) return hasAffixes(a.name, b.affixes)
  if (b.literal && b.name !== null && a.affixes !== null) return hasAffixes(b.name, a.affixes)
  for (const x of a.shapes) for (const y of b.shapes) if (shapesMeet(x, y, work)) return true
  return false
}

function affixesMeet(a: Affixes, b: Affixes): boolean {
  return (
    (a.head.startsWith(b.head) || b.head.startsWith(a.head)) && (a.tail.endsWith(b.tail) || b.tail.endsWith(a.tail))
  )
}

function hasAffixes(name: string, { head, tail }: Affixes): boolean {
  return name.length >= head.length + tail.length && name.startsWith(head) && name.endsWith(tail)
}

/**
 * Two shapes with a star each always share a name besides `.` and `..`, if anything: something fits between the longer
 * head and the longer tail. Shapes without stars never read these two.
 */
function shapesMeet(a: Shape, b: Shape, work: Work): boolean {
  if (a.jumps.length === 0 && b.jumps.length === 0) return linesMeet(a, b, labelsMeet)
  if (b.items.length <= FEW) return endsReached(a, b, work)
  if (a.items.length <= FEW) return endsReached(b, a, work)
  const track = trackOf<number, CharSet>([b])
  return hasBit(
    readerOf(track, shapeMoves(track, work), work)(a).subarray(a.items.length * track.words),
    b.items.length,
  )
}

/** `reach` for a few places: whether the ends of both shapes can be reached together. */
function endsReached(a: Shape, b: Shape, work: Work): boolean {
  const rows = new Array<number>(a.items.length + 1).fill(0)
  const end = 1 << b.items.length
  rows[0] = 1
  let nextJump = 0
  work.steps += 4 * rows.length
  for (let i = 0; i < a.items.length; i++) {
    const row = withGap(rows[i] ?? 0, a.gaps.includes(i), end)
    const item = a.items[i]
    if (row !== 0 && item !== undefined) rows[i + 1] = (rows[i + 1] ?? 0) | placesAfter(row, item, b)
    for (let jump = a.jumps[nextJump]; jump?.from === i; jump = a.jumps[++nextJump]) {
      if (row !== 0) rows[jump.to] = (rows[jump.to] ?? 0) | placesAfter(row, jump.by, b)
    }
  }
  return (withGap(rows[a.items.length] ?? 0, a.gaps.includes(a.items.length), end) & end) !== 0
}

/** In a gap of the one line, from the first place of the other that is reached all that follow are, up to its end. */
function withGap(row: number, gap: boolean, end: number): number {
  return gap && row !== 0 ? (end << 1) - (row & -row) : row
}

/** The places of a shape that are reached from those in `row` by a character that `by` takes. */
function placesAfter(row: number, by: Label, { items, gaps, jumps }: Shape): number {
  let after = 0
  for (const gap of gaps) after |= row & (1 << gap)
  for (let rest = row; rest !== 0; rest &= rest - 1) {
    const place = lowestBit(rest)
    const item = items[place]
    if (item !== undefined && labelsMeet(by, item)) after |= 2 << place
  }
  for (const jump of jumps) if ((row >>> jump.from) & 1 && labelsMeet(by, jump.by)) after |= 1 << jump.to
  return after
}

/** The moves of a track of shapes under a label, each worked out once. */
export function shapeMoves(track: Track<number, CharSet>, work: Work): (by: Label) => Moves {
  const known = new Map<Label, Moves>()
  const movesUnder = (by: Label): Moves => {
    work.steps += track.words + track.jumpsOf.size + (isCharacter(by) ? 0 : track.stepsOf.size)
    return movesOf(track, (label) => labelsMeet(by, label), isCharacter(by) ? [by, ANY, NOT_DOT] : undefined)
  }
  return (by) => getOrCreate(known, by, () => movesUnder(by))
}

function isCharacter(label: Label): label is number {
  return typeof label === 'number' && label >= 0
}

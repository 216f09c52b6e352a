import { hasBit } from './bits.ts'
import type { CharSet } from './char-set.ts'
import type { Glob } from './glob.ts'
import { findMeeting } from './glob-meet.ts'
import { ANY, characterOfBoth, labelsMeet, NOT_DOT } from './label.ts'
import type { Line } from './line.ts'
import type { Meeting } from './meeting.ts'
import { anySegment, type Segment, type Shape } from './segment.ts'
import { segmentsMeet, shapeMoves } from './segment-meet.ts'
import { type Moves, movesOf, trackOf, type Work } from './track.ts'
import { readerOf } from './track-reader.ts'
import { walk } from './walk.ts'

/** A path that both globs match, one that a person would find in a repository where possible; null if there is none. */
export function meetingPath(a: Glob, b: Glob, work: Work = { steps: 0 }): string | null {
  const [first, second] = a.text <= b.text ? [a, b] : [b, a]
  const meeting = findMeeting(first, second, work)
  return meeting === null ? null : pathOf(meeting, work)
}

/** A path of the meeting. */
export function pathOf(meeting: Meeting, work: Work): string {
  const segments = meeting.flatMap(({ a, b }) => sharedSegments(a, b, work))
  let directories = 0
  return segments
    .map(([x, y], i) => {
      const last = i === segments.length - 1
      const free = x.name === null && y.name === null
      const wish = last || !free ? 'a' : String.fromCodePoint(0x62 + (directories++ % 25))
      return nameOfBoth(x, y, wish, work)
    })
    .join('/')
}

/** The pairs of segments by which a path goes through both lines. */
function sharedSegments(a: Line<Segment>, b: Line<Segment>, work: Work): (readonly [Segment, Segment])[] {
  const meets = (x: Segment, y: Segment) => segmentsMeet(x, y, work)
  const track = trackOf([b])
  const known = new Map<Segment, Moves>()
  const moves = (by: Segment) => {
    const found = known.get(by) ?? movesOf(track, (item) => meets(by, item))
    known.set(by, found)
    return found
  }
  const rows = readerOf(track, moves, work)(a)
  const { steps } = walk(a, b, reachedBy(rows, track.words), meets)
  return steps.map(({ x, y }) => [x ?? anySegment, y ?? anySegment])
}

function reachedBy(rows: Uint32Array, words: number): (i: number, j: number) => boolean {
  return (i, j) => hasBit(rows.subarray(i * words), j)
}

/** A name that both segments name, with `wish` where any character will do. The two have to meet. */
function nameOfBoth(a: Segment, b: Segment, wish: string, work: Work): string {
  if (a.name !== null && (a.literal || a.name === b.name)) return a.name
  if (b.name !== null && b.literal) return b.name
  for (const x of a.shapes) {
    for (const y of b.shapes) {
      const name = nameOfShapes(x, y, wish, work)
      if (name !== null) return name
    }
  }
  throw new Error('The two segments share no name.')
}

function nameOfShapes(a: Shape, b: Shape, wish: string, work: Work): string | null {
  const track = trackOf<number, CharSet>([b])
  const reached = reachedBy(readerOf(track, shapeMoves(track, work), work)(a), track.words)
  if (!reached(a.items.length, b.items.length)) return null
  const { steps, spaces } = walk(a, b, reached, labelsMeet)
  const characters = steps.map(({ x, y }) => characterOfBoth(x ?? ANY, y ?? ANY, wish))
  const name = spaced(characters, spaces, wish)
  // Both have a star then, and share longer names as well.
  return name === '' || name === '.' || name === '..' ? nameOfShapes(withCharacter(a), b, wish, work) : name
}

/** Fills a gap where a name would look maimed without: `.ts` becomes `a.ts`. */
function spaced(characters: readonly string[], spaces: ReadonlySet<number>, wish: string): string {
  const plain = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character)
  let name = ''
  for (let i = 0; i <= characters.length; i++) {
    if (spaces.has(i) && !plain(characters[i - 1]) && !plain(characters[i])) name += wish
    name += characters[i] ?? ''
  }
  return name
}

/** The shape with a character other than a dot in its first gap. */
function withCharacter({ items, gaps, jumps }: Shape): Shape {
  const [first = 0] = gaps
  const later = (place: number) => (place > first ? place + 1 : place)
  return {
    items: items.toSpliced(first, 0, NOT_DOT),
    gaps: [first, first + 1, ...gaps.slice(1).map(later)],
    jumps: jumps.map((jump) => ({ ...jump, from: jump.from >= first ? jump.from + 1 : jump.from, to: later(jump.to) })),
  }
}

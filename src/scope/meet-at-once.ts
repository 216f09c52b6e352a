import { firstCommon, setBit } from './bits.ts'
import type { Glob } from './glob.ts'
import { belowFile, type Meeting, takesFile } from './meeting.ts'
import type { PathPattern } from './path-pattern.ts'
import { remembered } from './remembered.ts'
import type { Segment } from './segment.ts'
import { meetingsOf } from './segments-at-once.ts'
import { listed, type Moves, type Track, trackOf, type Work } from './track.ts'
import { readerOf } from './track-reader.ts'

/** The moves of the track under a segment, and the places where it takes the place of a file that goes on below. */
interface PathMoves extends Moves {
  readonly files: Uint32Array
}

/**
 * Where two globs share a path: one that is not below a file if there is one; null where they share none. Reads each
 * alternative of the one against all alternatives of the other at once, on both levels: hundreds of alternatives with
 * thousands of characters are decided in milliseconds, where deciding pair by pair could take seconds.
 */
export function findMeetingAtOnce(a: Glob, b: Glob, work: Work): Meeting | null {
  const track = trackOf(b.paths)
  const moves = pathMoves(a.paths, b.paths, track, work)
  const reach = readerOf(track, moves, work)
  const takers = takersOf(b.paths, track)
  const at = (place: number) => whereIs(place, b.paths, track)
  let below: Meeting | null = null
  for (const path of a.paths) {
    const rows = reach(path)
    const row = (place: number) => rows.subarray(place * track.words, (place + 1) * track.words)
    const last = path.items.length - 1
    const met = at(firstCommon(row(last + 1), track.ends))
    if (met) return [{ a: path, b: met.path }]
    work.steps += rows.length
    if (below === null && path.file !== null) {
      const taker = at(firstCommon(row(last), moves(path.file).step, takers))
      if (taker) below = belowFile(path, taker.path, taker.item)
    }
    for (let i = 0; i < last && below === null; i++) {
      const item = path.items[i]
      const file = item && takesFile(path, i) ? at(firstCommon(row(i), moves(item).files)) : null
      if (file) below = belowFile(file.path, path, i)
    }
  }
  return below
}

/** The path that a place of the track is in, and before which of its items. */
function whereIs(place: number, paths: readonly PathPattern[], { offsets }: Track<Segment>) {
  if (place < 0) return null
  const index = offsets.findLastIndex((offset) => offset <= place)
  const path = paths[index]
  return path === undefined ? null : { path, item: place - (offsets[index] ?? 0) }
}

/** The places from which an item leads that may take a file's place. */
function takersOf(paths: readonly PathPattern[], { words, offsets }: Track<Segment>): Uint32Array {
  const takers = new Uint32Array(words)
  for (const [k, path] of paths.entries()) {
    for (let i = 0; i < path.items.length; i++) if (takesFile(path, i)) setBit(takers, (offsets[k] ?? 0) + i)
  }
  return takers
}

function pathMoves(
  a: readonly PathPattern[],
  b: readonly PathPattern[],
  track: Track<Segment>,
  work: Work,
): (by: Segment) => PathMoves {
  const filesOf = new Map<Segment, number[]>()
  for (const [k, { file, items }] of b.entries()) {
    if (file !== null) listed(filesOf, file).push((track.offsets[k] ?? 0) + items.length - 1)
  }
  const meetings = meetingsOf(segmentsOf(a), segmentsOf(b), work)
  const known = new Map<Segment, PathMoves>()
  const movesUnder = (by: Segment): PathMoves => {
    const moves = { step: new Uint32Array(track.words), jump: null, files: new Uint32Array(track.words) }
    for (const met of meetings.get(by) ?? []) {
      const steps = track.stepsOf.get(met) ?? []
      for (const place of steps) setBit(moves.step, place)
      for (const place of filesOf.get(met) ?? []) setBit(moves.files, place)
      work.steps += steps.length
    }
    return moves
  }
  return (by) => remembered(known, by, () => movesUnder(by))
}

function segmentsOf(paths: readonly PathPattern[]): Set<Segment> {
  return new Set(paths.flatMap(({ items, file }) => (file === null ? items : [...items, file])))
}

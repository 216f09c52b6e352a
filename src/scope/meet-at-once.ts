import { rowAt } from './bit-table.ts'
import { firstCommon, setBit } from './bits.ts'
import type { Glob } from './glob.ts'
import { belowFile, type Meeting, takesFile } from './meeting.ts'
import { pathMoves } from './path-moves.ts'
import type { PathPattern } from './path-pattern.ts'
import { type Track, trackOf, type Work } from './track.ts'
import { readerOf } from './track-reader.ts'
import { apart, type Union, type UnitedPath, type UnitedPaths, united } from './united-paths.ts'

/** A path that meets another, and where. */
interface Found {
  readonly path: PathPattern
  readonly meeting: Meeting
}

/**
 * Whether two globs share a path. Reads all alternatives of the one against all of the other at once, on both levels:
 * hundreds of alternatives with thousands of characters are decided in milliseconds, where deciding pair by pair could
 * take seconds.
 */
export function meetAtOnce(a: Glob, b: Glob, work: Work): boolean {
  return findAmong(united(a.paths, work), united(b.paths, work), work) !== null
}

/**
 * Where two globs share a path: one that is not below a file if there is one; null where they share none. `meetAtOnce`
 * twice: for the first alternative of the one that meets any, and for the first of the other that this one meets.
 */
export function findMeetingAtOnce(a: Glob, b: Glob, work: Work): Meeting | null {
  const found = findAmong(apart(a.paths, work), united(b.paths, work), work)
  return found && (findAmong(apart([found.path], work), apart(b.paths, work), work)?.meeting ?? null)
}

/** The first path of `a` that meets one of `b`, not below a file if there is such a path, and where its first does. */
function findAmong(a: UnitedPaths, b: UnitedPaths, work: Work): Found | null {
  const track = trackOf(b.paths)
  const moves = pathMoves(a, b, track, work)
  const reach = readerOf(track, moves, work)
  const takers = takersOf(b.paths, track)
  const at = (place: number) => whereIs(place, b.paths, track)
  let below: Found | null = null
  for (const path of a.paths) {
    const rows = { bits: reach(path), words: track.words }
    const last = path.items.length - 1
    const met = at(firstCommon(rowAt(rows, last + 1), track.ends))
    if (met) return { path: path.first, meeting: [{ a: path.first, b: met.path }] }
    work.steps += rows.bits.length
    if (below === null && path.file !== null) {
      const taker = at(firstCommon(rowAt(rows, last), moves(path.file).step, takers))
      if (taker) below = { path: path.first, meeting: belowFile(path.first, taker.path, taker.item) }
    }
    for (let i = 0; i < last && below === null; i++) {
      const item = path.items[i]
      const files = item && takesFile(path, i) ? moves(item).files : null
      const file = files && at(firstCommon(rowAt(rows, i), files))
      if (file) below = { path: path.first, meeting: belowFile(file.path, path.first, i) }
    }
  }
  return below
}

/** The path that a place of the track is in, and before which of its items. */
function whereIs(place: number, paths: readonly UnitedPath[], { offsets }: Track<Union>) {
  if (place < 0) return null
  const index = offsets.findLastIndex((offset) => offset <= place)
  const path = paths[index]
  return path === undefined ? null : { path: path.first, item: place - (offsets[index] ?? 0) }
}

/** The places from which an item leads that may take a file's place. */
function takersOf(paths: readonly UnitedPath[], { words, offsets }: Track<Union>): Uint32Array {
  const takers = new Uint32Array(words)
  for (const [k, path] of paths.entries()) {
    for (let i = 0; i < path.items.length; i++) if (takesFile(path, i)) setBit(takers, (offsets[k] ?? 0) + i)
  }
  return takers
}

import type { CharSet } from './char-set.ts'
import type { Glob } from './glob.ts'
import type { PathPattern } from './path-pattern.ts'
import type { Segment, Shape } from './segment.ts'
import { shapeMoves } from './segment-meet.ts'
import { hasBit, type Moves, reach, setBit, type Track, trackOf, type Work } from './track.ts'

/** A segment of the track: the places that it leads from, and the last places of the paths of which it is the file. */
interface Entry {
  readonly steps: number[]
  readonly files: number[]
}

/** The moves of the track under a segment, and the places where it takes the place of a file that goes on below. */
interface PathMoves extends Moves {
  readonly files: Uint32Array
}

/**
 * Two readings that share a path, one that is not below a file if there are such; null where none do. Reads each
 * alternative of the one against all alternatives of the other at once, on both levels: hundreds of alternatives with
 * thousands of characters are decided in milliseconds, where deciding pair by pair could take seconds.
 */
export function findPairAtOnce(a: Glob, b: Glob, work: Work): [PathPattern, PathPattern] | null {
  const track = trackOf(b.paths)
  const moves = pathMoves(b.paths, track, work)
  const named = namedPlaces(b.paths, track)
  let below: [PathPattern, PathPattern] | null = null
  for (const path of a.paths) {
    const rows = reach(path, track, moves, work)
    const row = (place: number) => rows.subarray(place * track.words, (place + 1) * track.words)
    const pairAt = (place: number): [PathPattern, PathPattern] | null => {
      const other = b.paths[track.offsets.findLastIndex((offset) => offset <= place)]
      return place < 0 || other === undefined ? null : [path, other]
    }
    const met = pairAt(common(row(path.items.length), track.ends))
    if (met) return met
    if (path.file) below ??= pairAt(common(row(path.items.length - 1), moves(path.file).step, named))
    for (const [i, item] of path.items.entries()) {
      if (below || i === path.items.length - 1) break
      if (!item.wild) below = pairAt(common(row(i), moves(item).files))
    }
    work.steps += rows.length
  }
  return below
}

/** The places from which a segment leads that may take a file's place: with more than wildcards, and not the last. */
function namedPlaces(paths: readonly PathPattern[], { words, offsets }: Track<Segment>): Uint32Array {
  const named = new Uint32Array(words)
  for (const [k, { items }] of paths.entries()) {
    for (const [i, item] of items.entries()) {
      if (!item.wild && i < items.length - 1) setBit(named, (offsets[k] ?? 0) + i)
    }
  }
  return named
}

function pathMoves(paths: readonly PathPattern[], track: Track<Segment>, work: Work): (by: Segment) => PathMoves {
  const entries = entriesOf(paths, track)
  const shapes: Shape[] = []
  const owners: Entry[] = []
  for (const [segment, entry] of entries) {
    for (const shape of segment.shapes) {
      shapes.push(shape)
      owners.push(entry)
    }
  }
  const names = trackOf<number, CharSet>(shapes)
  const labelMoves = shapeMoves(names, work)
  const known = new Map<Segment, PathMoves>()
  return (by) => {
    const found = known.get(by)
    if (found) return found
    const moves = { step: new Uint32Array(track.words), jump: null, files: new Uint32Array(track.words) }
    known.set(by, moves)
    for (const shape of by.shapes) {
      const ends = reach(shape, names, labelMoves, work).subarray(shape.items.length * names.words)
      for (const [k, { steps, files }] of owners.entries()) {
        if (!hasBit(ends, (names.offsets[k + 1] ?? 0) - 1)) continue
        for (const place of steps) setBit(moves.step, place)
        for (const place of files) setBit(moves.files, place)
        work.steps += steps.length
      }
    }
    work.steps += owners.length
    return moves
  }
}

function entriesOf(paths: readonly PathPattern[], { stepsOf, offsets }: Track<Segment>): Map<Segment, Entry> {
  const entries = new Map<Segment, Entry>()
  for (const [segment, steps] of stepsOf) entries.set(segment, { steps: [...steps], files: [] })
  for (const [k, { file, items }] of paths.entries()) {
    if (file === null) continue
    const entry = entries.get(file) ?? { steps: [], files: [] }
    entry.files.push((offsets[k] ?? 0) + items.length - 1)
    entries.set(file, entry)
  }
  return entries
}

/** The first place that is in all of these, or -1. */
function common(first: Uint32Array, ...others: readonly Uint32Array[]): number {
  for (let w = 0; w < first.length; w++) {
    const bits = others.reduce((rest, other) => rest & (other[w] ?? 0), first[w] ?? 0)
    if (bits !== 0) return w * 32 + 31 - Math.clz32(bits & -bits)
  }
  return -1
}

import { advance, fillToEnds } from './advance.ts'
import { END, type Net } from './net.ts'
import { emptied, look, type Rows, rowsOf, unite } from './rows.ts'
import type { JumpingLine, Moves, Track, Work } from './track.ts'

/**
 * Reads lines against a track: row n holds the places of the track that can be reached together with place n of the
 * line. `moves` says how the track moves under an item or a class of the line. An answer holds a row for each place of
 * the line, the row of place n from word `n * track.words` on, and is good until the next line is read.
 */
export function readerOf<T, J = never>(
  track: Track<T, J>,
  moves: (by: T | J) => Moves,
  work: Work,
): (line: JumpingLine<T, J>) => Uint32Array {
  let kept: Rows | null = null
  return ({ items, gaps, jumps = [] }) => {
    const rows = emptied(kept, items.length + 1, track.words)
    kept = rows
    rows.bits.set(track.starts)
    let [nextGap, nextJump, last] = [0, 0, 0]
    for (let place = 0; place <= last; place++) {
      if (gaps[nextGap] === place) {
        nextGap++
        fillToEnds(rows, place, track)
      }
      const count = look(rows, place)
      const move = (by: T | J, to: number) => {
        work.steps += count
        if (advance(moves(by), track, rows, count, place, to)) last = Math.max(last, to)
      }
      const item = items[place]
      if (item !== undefined) move(item, place + 1)
      for (let jump = jumps[nextJump]; jump?.from === place; jump = jumps[++nextJump]) move(jump.by, jump.to)
    }
    return rows.bits
  }
}

/** The rows of all nodes of a net, one after the other: the places of the track that can be reached together with it. */
export function readNet<T, J>(
  { nodes, starts, labels }: Net<T | J>,
  track: Track<T, J>,
  moves: (by: T | J) => Moves,
  work: Work,
): Uint32Array {
  const rows = rowsOf(nodes.length, track.words)
  const reached = new Uint8Array(nodes.length)
  const movesBy: Moves[] = []
  for (const node of starts) {
    rows.bits.set(track.starts, node * track.words)
    reached[node] = 1
  }
  for (let n = nodes.length - 1; n >= 0; n--) {
    const node = nodes[n]
    if (node === undefined || reached[n] === 0) continue
    if (node.gap) fillToEnds(rows, n, track)
    const count = look(rows, n)
    work.steps += (track.words >>> 2) + (count * node.ways.length) / 2
    for (let i = 0; i < node.ways.length; i += 2) {
      const by = node.ways[i] ?? END
      const to = node.ways[i + 1] ?? 0
      const label = labels[by]
      if (label === undefined) {
        unite(rows, count, n, to)
        continue
      }
      movesBy[by] ??= moves(label)
      if (advance(movesBy[by], track, rows, count, n, to)) reached[to] = 1
    }
  }
  return rows.bits
}

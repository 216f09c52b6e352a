import { listFor } from '../lib/maps.ts'
import { bitsOf, setBit, setsOf } from './bits.ts'
import { type CharSet, charSet, firstOfBoth, holds } from './char-set.ts'
import { ANY, DOT, type Label, labelsMeet, NOT_DOT } from './label.ts'
import { placesAt } from './places-at.ts'
import type { Moves, Track, Work } from './track.ts'

const LAST = 0x10ffff
const everything: CharSet = { ranges: [0, LAST] }
const notDot = charSet([DOT, DOT], true)

/**
 * The moves of a track of many shapes under a label. Hundreds of labels are asked for, against hundreds: what takes one
 * character, or one of a range, is looked up.
 */
export function labelMoves(track: Track<number, CharSet>, work: Work): (by: Label) => Moves {
  const step = stepsBy(track, work)
  const jump = track.inside === null ? null : jumpsBy(track, work)
  return (by) => ({ step: step(by), jump: jump?.(by) ?? null })
}

function stepsBy({ stepsOf, words }: Track<number, CharSet>, work: Work): (by: Label) => Uint32Array {
  const characters = Array.from(stepsOf).filter(([at]) => at >= 0)
  const { bits, rowAt } = placesAt(new Map(characters), words)
  const [any, notDots] = [stepsOf.get(ANY) ?? [], stepsOf.get(NOT_DOT) ?? []]
  const [always, unlessDot] = [bitsOf(any, words), bitsOf([...any, ...notDots], words)]
  work.steps += bits.length >>> 3
  const newRow = setsOf(words)
  return (by) => {
    const step = newRow()
    step.set(labelsMeet(by, NOT_DOT) ? unlessDot : always)
    work.steps += words >>> 2
    const only = onlyCharacter(by)
    if (only >= 0) {
      for (const place of stepsOf.get(only) ?? []) setBit(step, place)
      return step
    }
    const edges: number[] = []
    for (const char of edgesOf(setOf(by))) {
      const row = rowAt(char - 1)
      if (edges.at(-1) === row) edges.pop()
      else edges.push(row)
    }
    for (let i = 0; i < edges.length; i += 4) {
      const [p = 0, q = 0, r = 0, s = 0] = [edges[i], edges[i + 1], edges[i + 2], edges[i + 3]]
      for (let w = 0; w < words; w++) {
        step[w] = (step[w] ?? 0) ^ (bits[p + w] ?? 0) ^ (bits[q + w] ?? 0) ^ (bits[r + w] ?? 0) ^ (bits[s + w] ?? 0)
      }
      work.steps += words >>> 2
    }
    work.steps += edges.length
    return step
  }
}

/** A class that takes the last character of all, as those do that say what they leave out, meets all others that do. */
function jumpsBy({ jumpsOf, words }: Track<number, CharSet>, work: Work): (by: Label) => Uint32Array {
  const sets = Array.from(jumpsOf, ([set, places]) => ({ set, places }))
  const edges = new Map<number, number[]>()
  for (const { set, places } of sets) for (const at of edgesOf(set)) listFor(edges, at).push(...places)
  const { bits, rowAt } = placesAt(edges, words)
  const closed = sets.filter(({ set }) => !holds(set, LAST))
  const open = rowAt(LAST)
  const newRow = setsOf(words)
  work.steps += bits.length >>> 3
  return (by) => {
    const only = onlyCharacter(by)
    if (only >= 0) return bits.subarray(rowAt(only), rowAt(only) + words)
    const other = setOf(by)
    const isOpen = holds(other, LAST)
    const jump = newRow()
    if (isOpen) jump.set(bits.subarray(open, open + words))
    const others = isOpen ? closed : sets
    for (const { set, places } of others) {
      if (firstOfBoth(set, other) >= 0) for (const place of places) setBit(jump, place)
    }
    work.steps += (words >>> 2) + 2 * others.length
    return jump
  }
}

/** The one character that a label takes; negative where it takes several. */
function onlyCharacter(label: Label): number {
  if (typeof label === 'number') return label
  const [first = 0, last] = label.ranges
  return first === last && label.ranges.length === 2 ? first : -1
}

/** The characters at which it is told anew whether they are in the set. */
function edgesOf({ ranges }: CharSet): number[] {
  return ranges.map((char, i) => (i % 2 === 0 ? char : char + 1))
}

/** What a label takes that takes several characters. */
function setOf(label: Label): CharSet {
  if (typeof label !== 'number') return label
  return label === NOT_DOT ? notDot : everything
}

import { listCommon, setBit } from './bits.ts'
import type { CharSet } from './char-set.ts'
import { labelMoves } from './label-moves.ts'
import { type GroupedLine, type Net, netOf } from './net.ts'
import type { Shape } from './segment.ts'
import { trackOf, type Work } from './track.ts'
import { readNet } from './track-reader.ts'
import type { Union } from './united-paths.ts'

/** What putting the shapes together and laying them out costs for each of their places. */
const STEPS_TO_PREPARE = 8

/** One that shares all it can has fewer nodes: twice the characters of a glob, whose brackets are names as well, and some. */
const MANY_NODES = 2304

/** By how much one end has to be shared more for reading from it against the gaps. */
const FAR_FEWER = 0.75

/** A shape of a union, and the number of the union. */
interface GroupedShape extends GroupedLine<number, CharSet> {
  readonly line: Shape
}

/** The shapes of all unions of a glob, and in which union each is. */
interface Side {
  readonly groups: number
  readonly shapes: readonly GroupedShape[]
  readonly places: number
}

/**
 * For each union of a glob, by its index, the unions of the other that name something it names too, as bits. The glob
 * with more shapes to a union is put together: it shrinks the most. Else the smaller one.
 */
export function meetingsOf(as: readonly Union[], bs: readonly Union[], work: Work): readonly Uint32Array[] {
  const [a, b] = [sideOf(as), sideOf(bs)]
  work.steps += STEPS_TO_PREPARE * (a.places + b.places)
  const met = as.map(() => new Uint32Array((bs.length + 31) >>> 5))
  const difference = a.groups * b.shapes.length - b.groups * a.shapes.length || a.places - b.places
  if (difference <= 0) {
    findEnds(a, b, work, (x, ys, count) => {
      const row = met[x]
      if (row) for (let i = 0; i < count; i++) setBit(row, ys[i] ?? 0)
    })
  } else {
    findEnds(b, a, work, (y, xs, count) => {
      for (let i = 0; i < count; i++) {
        const row = met[xs[i] ?? 0]
        if (row) setBit(row, y)
      }
    })
  }
  return met
}

/** Tells for each group of `lines`, which are put together, the first so many of a list: groups of `sides` that it meets. */
function findEnds(
  lines: Side,
  sides: Side,
  work: Work,
  found: (line: number, sides: Uint16Array, count: number) => void,
): void {
  const { net, turned } = smallestNet(lines, sides)
  const track = trackOf<number, CharSet>(sides.shapes.map(({ line }) => (turned ? backwards(line) : line)))
  const groupAt = new Uint16Array(32 * track.words)
  for (const [i, { group }] of sides.shapes.entries()) groupAt[(track.offsets[i + 1] ?? 0) - 1] = group
  const rows = readNet(net, track, labelMoves(track, work), work)
  const ends = new Uint16Array(sides.shapes.length)
  for (let group = 0; group < lines.groups; group++) {
    const count = listCommon(rows.subarray(group * track.words, (group + 1) * track.words), track.ends, ends)
    for (let i = 0; i < count; i++) ends[i] = groupAt[ends[i] ?? 0] ?? 0
    found(group, ends, count)
    work.steps += count
  }
}

/**
 * Shapes of one union share what they begin and end with as they come. Those of several share only what they begin with,
 * where they are neighbours, or what they end with, where they are read from the end. From a gap on most places are
 * reached, so what has a gap is read from the end that is farther from it.
 */
function smallestNet({ shapes, groups }: Side, sides: Side): { net: Net<number | CharSet>; turned: boolean } {
  const asTheyCome = () => ({ net: netOf(shapes, groups), turned: false })
  const forwards = () => ({ net: netOf(byBeginning(shapes), groups), turned: false })
  const fromTheEnd = () => {
    const turned = shapes.map(({ line, group }) => ({ line: backwards(line), group }))
    return { net: netOf(byBeginning(turned), groups), turned: true }
  }
  const late = gapsAreLate([...shapes, ...sides.shapes])
  if (shapes.length < 2 * groups) {
    const [beginnings, ends] = [countStretches(shapes, 1), countStretches(shapes, -1)]
    return (late ? ends < FAR_FEWER * beginnings : FAR_FEWER * ends < beginnings) ? fromTheEnd() : forwards()
  }
  const [first, ...others] = late
    ? ([asTheyCome, forwards, fromTheEnd] as const)
    : ([fromTheEnd, forwards, asTheyCome] as const)
  let smallest = first()
  for (const other of others) {
    if (smallest.net.nodes.length < MANY_NODES) break
    const next = other()
    if (next.net.nodes.length < smallest.net.nodes.length) smallest = next
  }
  return smallest
}

/** How many stretches the shapes begin with, or read backwards end with, alike ones counted once: about the nodes of a net. */
function countStretches(shapes: readonly GroupedShape[], step: 1 | -1): number {
  const known = new Set<number>()
  for (const { line } of shapes) {
    const { items, jumps } = line
    let hash = jumps.length
    for (let i = step > 0 ? 0 : items.length - 1; i >= 0 && i < items.length; i += step) {
      hash = (Math.imul(hash, 31) + (items[i] ?? 0)) | 0
      known.add(hash)
    }
  }
  return known.size
}

function gapsAreLate(shapes: readonly GroupedShape[]): boolean {
  let late = 0
  for (const { line } of shapes) {
    const { items, gaps } = line
    late += (gaps[0] ?? items.length) + (gaps[gaps.length - 1] ?? 0) - items.length
  }
  return late >= 0
}

/** Neighbours begin alike: brackets and names of the same text, which do not, are kept apart. */
function byBeginning(shapes: readonly GroupedShape[]): GroupedShape[] {
  return shapes
    .map((shape) => ({ shape, text: `${shape.line.jumps.length} ${shape.line.items.join()}` }))
    .sort((a, b) => (a.text < b.text ? -1 : 1))
    .map(({ shape }) => shape)
}

function backwards({ items, gaps, jumps }: Shape): Shape {
  const mirrored = (place: number) => items.length - place
  return {
    items: items.toReversed(),
    gaps: gaps.map(mirrored).reverse(),
    jumps: jumps.map((jump) => ({ ...jump, from: mirrored(jump.to), to: mirrored(jump.from) })).reverse(),
  }
}

function sideOf(unions: readonly Union[]): Side {
  const shapes: GroupedShape[] = []
  let places = 0
  for (const { segments, index } of unions) {
    for (const segment of segments) {
      for (const line of segment.shapes) {
        shapes.push({ line, group: index })
        places += line.items.length + 1
      }
    }
  }
  return { groups: unions.length, shapes, places }
}

import type { CharSet } from './char-set.ts'
import { type GroupedLine, type Net, netOf } from './net.ts'
import type { Shape } from './segment.ts'

/** One that shares all it can has fewer nodes: twice the characters of a glob, whose brackets are names as well, and some. */
const MANY_NODES = 2304

/** By how much one end has to be shared more for reading from it against the gaps. */
const FAR_FEWER = 0.75

/** Several times as many as there are characters to a glob. */
const HASH_BITS = 14

/** A shape of a union, and the number of the union. */
export interface GroupedShape extends GroupedLine<number, CharSet> {
  readonly line: Shape
}

/** A net, and whether its shapes were put together backwards. */
interface ReadNet {
  readonly net: Net<number | CharSet>
  readonly turned: boolean
}

/**
 * Shapes of one union share what they begin and end with as they come. Those of several share only what they begin with,
 * where they are neighbours, or what they end with, where they are read from the end. From a gap on most places are
 * reached, so what has a gap is read from the end that is farther from it, unless the other is shared far more.
 */
export function smallestNet(shapes: readonly GroupedShape[], groups: number, others: readonly GroupedShape[]): ReadNet {
  const asTheyCome = () => ({ net: netOf(shapes, groups), turned: false })
  const forwards = () => ({ net: netOf(byBeginning(shapes), groups), turned: false })
  const fromTheEnd = () => {
    const turned = shapes.map(({ line, group }) => ({ line: backwards(line), group }))
    return { net: netOf(byBeginning(turned), groups), turned: true }
  }
  const late = gapsAreLate([...shapes, ...others])
  if (shapes.length < 2 * groups) return betterEnd(shapes, late).turned ? fromTheEnd() : forwards()
  const [first, ...more] = late
    ? ([asTheyCome, forwards, fromTheEnd] as const)
    : ([fromTheEnd, forwards, asTheyCome] as const)
  let smallest = first()
  for (const other of more) {
    if (smallest.net.nodes.length < MANY_NODES) break
    const next = other()
    if (next.net.nodes.length < smallest.net.nodes.length) smallest = next
  }
  return smallest
}

/** About how many nodes the smallest net of shapes has, found out without putting it together. */
export function guessNodes(shapes: readonly GroupedShape[], others: readonly GroupedShape[]): number {
  return betterEnd(shapes, gapsAreLate([...shapes, ...others])).nodes
}

/** From which end shapes are read that share only what that end is like, and about how many nodes they have then. */
function betterEnd(shapes: readonly GroupedShape[], gapsAreLate: boolean): { turned: boolean; nodes: number } {
  const [beginnings, ends] = [countStretches(shapes, 1), countStretches(shapes, -1)]
  const turned = gapsAreLate ? ends < FAR_FEWER * beginnings : FAR_FEWER * ends < beginnings
  return { turned, nodes: turned ? ends : beginnings }
}

/**
 * About how many stretches the shapes begin with, or read backwards end with, alike ones counted once: about the nodes of
 * a net. Those whose hashes fall together count once too.
 */
function countStretches(shapes: readonly GroupedShape[], step: 1 | -1): number {
  const known = new Uint8Array(2 ** HASH_BITS)
  let count = 0
  for (const { line } of shapes) {
    const { items, jumps } = line
    let hash = Math.imul(jumps.length, 0x85ebca6b)
    for (let i = step > 0 ? 0 : items.length - 1; i >= 0 && i < items.length; i += step) {
      hash = Math.imul(hash ^ (items[i] ?? 0), 0x9e3779b1)
      hash ^= hash >>> 15
      const place = hash >>> (32 - HASH_BITS)
      if (known[place] === 0) count++
      known[place] = 1
    }
  }
  return count
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

export function backwards({ items, gaps, jumps }: Shape): Shape {
  const mirrored = (place: number) => items.length - place
  return {
    items: items.toReversed(),
    gaps: gaps.map(mirrored).reverse(),
    jumps: jumps.map((jump) => ({ ...jump, from: mirrored(jump.to), to: mirrored(jump.from) })).reverse(),
  }
}

import type { CharSet } from './char-set.ts'
import { type GroupedLine, type Net, netOf } from './net.ts'
import type { Shape } from './segment.ts'
import { STAR } from './segment-parts.ts'

/** One that shares all it can has fewer nodes: twice the characters of a glob, whose brackets are names as well, and some. */
const MANY_NODES = 2304

/** A shape of a union, and the number of the union. */
export interface GroupedShape extends GroupedLine<number, CharSet> {
  readonly line: Shape
}

/** Shapes that are read from one end, backwards where they are turned. */
export interface Part {
  readonly shapes: readonly GroupedShape[]
  readonly turned: boolean
}

/**
 * A net of shapes that are read from one end. They share what they begin with where they are neighbours, and those of one
 * union what they end with. What is in the order of braces as it comes may share more.
 */
export function smallestNet({ shapes, turned }: Part, groups: number): Net<number | CharSet> {
  const lines = turned ? shapes.map(({ line, group }) => ({ line: backwards(line), group })) : shapes
  const net = netOf(byBeginning(lines), groups)
  if (net.nodes.length < MANY_NODES || shapes.length < 2 * groups) return net
  const other = netOf(lines, groups)
  return other.nodes.length < net.nodes.length ? other : net
}

/** The items of a shape and the stars between them. */
export function withStars({ items, gaps }: Shape): readonly number[] {
  if (gaps.length === 0) return items
  const signs = items.slice()
  for (const gap of gaps.toReversed()) signs.splice(gap, 0, STAR)
  return signs
}

/** Neighbours begin alike: brackets and names of the same text, which do not, are kept apart, and so are stars and none. */
function byBeginning(shapes: readonly GroupedShape[]): GroupedShape[] {
  return shapes
    .map((shape) => ({ shape, brackets: shape.line.jumps.length, signs: withStars(shape.line) }))
    .sort((a, b) => a.brackets - b.brackets || firstDifference(a.signs, b.signs))
    .map(({ shape }) => shape)
}

/** The difference of the first items that differ; that of the lengths where there are none. */
function firstDifference(a: readonly number[], b: readonly number[]): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = (a[i] ?? 0) - (b[i] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

export function backwards({ items, gaps, jumps }: Shape): Shape {
  const mirrored = (place: number) => items.length - place
  return {
    items: items.toReversed(),
    gaps: gaps.map(mirrored).reverse(),
    jumps: jumps.map((jump) => ({ ...jump, from: mirrored(jump.to), to: mirrored(jump.from) })).reverse(),
  }
}

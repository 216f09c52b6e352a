import type { Line } from './line.ts'
import type { PathPattern } from './path-pattern.ts'
import { remembered } from './remembered.ts'
import type { Segment } from './segment.ts'
import { listed } from './track.ts'

/** Segments of alternatives that are written alike around them: a name is taken where one of them takes it. */
export interface Union {
  /** Its number among the unions of a glob, from 0. */
  readonly index: number
  readonly segments: readonly Segment[]
  readonly wild: boolean
}

/** Paths of a glob that differ in single segments, as one: every choice of its segments is one of the paths. */
export interface UnitedPath extends Line<Union> {
  readonly file: Union | null
  readonly first: PathPattern
}

export interface UnitedPaths {
  readonly paths: readonly UnitedPath[]
  readonly unions: readonly Union[]
}

/** A path that is being put together. */
interface Gathered extends Line<readonly Segment[]> {
  readonly file: readonly Segment[] | null
  readonly first: PathPattern
}

/**
 * The paths of a glob, with those that differ in one segment put together, and again, which makes one of most braces.
 * Braces make neighbours of them.
 */
export function united(given: readonly PathPattern[]): UnitedPaths {
  const alike = new Map<string, Gathered[]>()
  for (const path of given) {
    const { items, gaps, file } = path
    const gathered = listed(alike, `${items.length} ${gaps} ${file !== null}`)
    let last = single(path)
    for (let before = gathered.at(-1); before; before = gathered.at(-1)) {
      const both = inOne(before, last)
      if (both === null) break
      gathered.pop()
      last = both
    }
    gathered.push(last)
  }
  return withUnions(Array.from(alike.values()).flat())
}

/** The paths of a glob, each for itself. */
export function apart(given: readonly PathPattern[]): UnitedPaths {
  return withUnions(given.map(single))
}

function single(path: PathPattern): Gathered {
  const { items, gaps, file } = path
  return { items: items.map(alone), gaps, file: file && alone(file), first: path }
}

const singles = new WeakMap<Segment, readonly Segment[]>()
function alone(segment: Segment): readonly Segment[] {
  return remembered(singles, segment, () => [segment])
}

/** Two paths with as many segments and the same gaps as one, where they differ in one segment; else null. */
function inOne(a: Gathered, b: Gathered): Gathered | null {
  const differs = (from: number) => a.items.findIndex((item, i) => i >= from && !same(item, b.items[i] ?? []))
  const at = differs(0)
  const [x, y] = [a.items[at] ?? [], b.items[at] ?? []]
  if (at >= 0 && (differs(at + 1) >= 0 || x[0]?.wild !== y[0]?.wild)) return null
  const isLast = at === a.items.length - 1
  return {
    items: at < 0 ? a.items : a.items.with(at, [...x, ...y]),
    gaps: a.gaps,
    file: isLast && a.file && b.file ? [...a.file, ...b.file] : a.file,
    first: a.first,
  }
}

function same(a: readonly Segment[], b: readonly Segment[]): boolean {
  return a === b || (a.length === b.length && a.every((segment, i) => segment === b[i]))
}

/** Segments put together more than once become the same object, so that they are compared once. */
function withUnions(gathered: readonly Gathered[]): UnitedPaths {
  const numbers = new Map<Segment, number>()
  const known = new Map<string, Union>()
  const unions: Union[] = []
  const unionOf = (segments: readonly Segment[]) => {
    const key = segments.map((segment) => remembered(numbers, segment, () => numbers.size)).join()
    return remembered(known, key, () => {
      const union = { index: unions.length, segments, wild: segments[0]?.wild ?? false }
      unions.push(union)
      return union
    })
  }
  const paths = gathered.map(({ items, gaps, file, first }) => ({
    items: items.map(unionOf),
    gaps,
    file: file && unionOf(file),
    first,
  }))
  return { paths, unions }
}

import { getOrCreate, listFor } from '../lib/maps.ts'
import type { Line } from './line.ts'
import type { PathPattern } from './path-pattern.ts'
import type { Segment } from './segment.ts'
import type { Work } from './track.ts'

/** What putting paths together costs for each of their segments. */
const STEPS_TO_UNITE = 24

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

/** The paths of a glob, with those put together that differ in one segment, and again, which makes one of most braces. */
export function united(given: readonly PathPattern[], work: Work): UnitedPaths {
  const alike = new Map<string, Gathered[]>()
  for (const path of gathered(given, work)) {
    listFor(alike, `${path.items.length} ${path.gaps} ${path.file !== null}`).push(path)
  }
  return withUnions(Array.from(alike.values()).flatMap(together))
}

/** The paths of a glob, each for itself. */
export function apart(given: readonly PathPattern[], work: Work): UnitedPaths {
  return withUnions(gathered(given, work))
}

function gathered(given: readonly PathPattern[], work: Work): Gathered[] {
  // A bracket's own text is read anew for each path.
  const known = new Map<Segment | string, readonly Segment[]>()
  const alone = (segment: Segment) =>
    getOrCreate(known, segment.literal && segment.name !== null ? segment.name : segment, () => [segment])
  return given.map((path) => {
    const { items, gaps, file } = path
    work.steps += STEPS_TO_UNITE * items.length
    return { items: items.map(alone), gaps, file: file && alone(file), first: path }
  })
}

/**
 * Puts together paths with as many segments and the same gaps, where neighbours differ in the same segment: the
 * alternatives of the last braces are neighbours, and when they are put together those of the braces before.
 */
function together(paths: readonly Gathered[]): readonly Gathered[] {
  const runs: { at: number; readonly first: Gathered; readonly others: Gathered[] }[] = []
  for (const path of paths) {
    const run = runs.at(-1)
    const at = run === undefined ? null : onlyDifference(run.first, path, run.at)
    if (run === undefined || at === null) runs.push({ at: -1, first: path, others: [] })
    else {
      run.at = at
      run.others.push(path)
    }
  }
  return runs.length === paths.length ? paths : together(runs.map(({ at, first, others }) => inOne(first, others, at)))
}

/** The one place where two paths differ, `at` where they are the same; null where it is another, several, or one alone is wild. */
function onlyDifference(a: Gathered, b: Gathered, at: number): number | null {
  let found = at
  for (let i = 0; i < a.items.length; i++) {
    const x = a.items[i]
    const y = b.items[i]
    if (x === undefined || y === undefined || same(x, y)) continue
    if ((found >= 0 && found !== i) || x[0]?.wild !== y[0]?.wild) return null
    found = i
  }
  return found
}

function inOne(first: Gathered, others: readonly Gathered[], at: number): Gathered {
  if (at < 0) return first
  const all = [first, ...others]
  const isLast = at === first.items.length - 1
  const segments = all.flatMap(({ items }) => items[at] ?? [])
  return {
    ...first,
    items: first.items.with(at, segments),
    file: first.file && (isLast ? all.flatMap(({ file }) => file ?? []) : first.file),
  }
}

function same(a: readonly Segment[], b: readonly Segment[]): boolean {
  return a === b || (a.length === b.length && a.every((segment, i) => segment === b[i]))
}

/** Segments put together more than once become the same object, so that they are compared once. */
function withUnions(gathered: readonly Gathered[]): UnitedPaths {
  const numbers = new Map<Segment, number>()
  const known = new Map<Segment | string | undefined, Union>()
  const unions: Union[] = []
  const unionOf = (segments: readonly Segment[]) => {
    const number = (segment: Segment) => getOrCreate(numbers, segment, () => numbers.size)
    return getOrCreate(known, segments.length > 1 ? segments.map(number).join() : segments[0], () => {
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

import { getOrCreate } from '../lib/maps.ts'
import { areaKey } from './area-key.ts'
import type { Glob } from './glob/glob.ts'
import { isWide, literalPaths } from './literal-paths.ts'
import { examplePath } from './match/example-path.ts'
import { intersect } from './match/intersect.ts'
import type { Intersection } from './match/intersection.ts'
import { matchesPath } from './match/matches-path.ts'
import type { Steps } from './match/wildcard-sequence.ts'
import type { WorkBudget } from './match/work-budget.ts'
import type { ParsedScope, ProposedScope } from './parse-scope.ts'

/** What two scopes share. */
export interface ScopeOverlap {
  /** The shared areas, as the first scope names them. */
  readonly areas: readonly string[]
  /** A glob of each scope that intersect; null if the scopes share only areas. */
  readonly paths: SharedPaths | null
  /** The file that a glob of each scope names without wildcards. The globs of the settings do not count. */
  readonly sameFile: string | null
}

interface SharedPaths {
  readonly a: Glob
  readonly b: Glob
  /** Null if both name the same file. */
  readonly intersection: Intersection | null
  readonly scopes: readonly [ParsedScope, ParsedScope]
}

/**
 * An example of a path that both scopes cover, a file that one of them names if possible; undefined if they share only areas, or
 * only paths that no text may name.
 */
export function examplePathOf({ paths, sameFile }: ScopeOverlap): string | undefined {
  return paths === null ? undefined : getOrCreate(examples, paths, () => exampleOf(paths, sameFile))
}

/** A cache. To find an example takes some milliseconds, and both a text and a field of a collision name it. */
const examples = new WeakMap<SharedPaths, string | undefined>()

function exampleOf({ a, scopes, intersection }: SharedPaths, sameFile: string | null): string | undefined {
  const named = sameFile ?? namedFile(scopes)
  const [{ unnamed }] = scopes
  if (named !== undefined || literalPaths([a]).some((path) => unnamed?.has(path))) return named
  return intersection ? examplePath(intersection) : ''
}

/** The search for a named file ends after this many steps, which take some milliseconds. */
const stepsForNamedFile = 20_000

/** A file that the globs of one scope name and the other covers. */
function namedFile([a, b]: SharedPaths['scopes']): string | undefined {
  const work = { steps: 0 }
  const find = (naming: ParsedScope, other: ParsedScope) => {
    // A file that both name would have been found before.
    const covering = [...other.globs.filter(isWide), ...other.areaGlobs.map(({ glob }) => glob)]
    const files = naming.globs.flatMap((glob) => glob.files).filter((file) => !naming.unnamed?.has(file))
    return files.find((file) => covering.some((glob) => isMatch(glob, file, work)))
  }
  return find(a, b) ?? find(b, a)
}

function isMatch(glob: Glob, file: string, work: Steps): boolean {
  work.steps++
  return work.steps < stepsForNamedFile && matchesPath(glob, file, work)
}

/** What two scopes share, or null. An empty scope overlaps nothing. Yields at the end of each slice of work, for `runInSlices`. */
export function* compareInSlices(
  a: ProposedScope,
  b: ParsedScope,
  budget: WorkBudget,
): Generator<void, ScopeOverlap | null> {
  const areas = sharedAreas(a, b)
  const file = sameFile(a, b)
  if (file) return { areas, ...file }
  budget.steps += a.areaGlobs.length + b.areaGlobs.length + (b.areaKeys.size > 0 ? a.areas.length : 0)
  for (const [globsA, globsB] of comparedLists(a, b)) {
    for (const glob of globsA) {
      for (let next = 0; next < globsB.length; ) {
        const found = findSharedPaths(glob, globsB, next, budget)
        if (typeof found !== 'number') return { areas, paths: { ...found, scopes: [a, b] }, sameFile: null }
        if (budget.steps >= budget.sliceEnd) yield
        next = found
      }
    }
  }
  return areas.length > 0 ? { areas, paths: null, sameFile: null } : null
}

/**
 * The first glob, from the index `start` on, that intersects `a`; or the index to go on with in the next slice. This is no
 * generator, since these loops take twice as long in one.
 */
function findSharedPaths(a: Glob, globs: readonly Glob[], start: number, budget: WorkBudget) {
  for (let i = start; i < globs.length; i++) {
    const b = globs[i]
    const intersection = b && intersect(a, b, budget)
    if (intersection) return { a, b, intersection }
    if (budget.steps >= budget.sliceEnd) return i + 1
  }
  return globs.length
}

const none: readonly string[] = []

/** The areas that both name, as the first scope names them. */
export function sharedAreas(a: ParsedScope, b: Pick<ParsedScope, 'areaKeys'>): readonly string[] {
  if (a.areas.length === 0 || b.areaKeys.size === 0) return none
  const shared = new Map<string, string>()
  for (const area of a.areas) {
    const key = areaKey(area)
    if (b.areaKeys.has(key) && !shared.has(key)) shared.set(key, area)
  }
  return [...shared.values()]
}

function sameFile(a: ProposedScope, b: ParsedScope): Pick<ScopeOverlap, 'paths' | 'sameFile'> | null {
  for (const other of b.globs) {
    for (const file of other.files) {
      const glob = a.files.get(file)
      if (glob) return { paths: { a: glob, b: other, intersection: null, scopes: [a, b] }, sameFile: file }
    }
  }
  return null
}

/** The lists of globs to compare, the scopes' own first. Globs that the settings give only to shared areas are left out. */
function comparedLists(a: ParsedScope, b: ParsedScope): [readonly Glob[], readonly Glob[]][] {
  const lists: [readonly Glob[], readonly Glob[]][] = [[a.globs, b.globs]]
  if (a.areaGlobs.length === 0 && b.areaGlobs.length === 0) return lists
  const all = (scope: ParsedScope) => scope.areaGlobs.map(({ glob }) => glob)
  const only = (scope: ParsedScope, shared: boolean, other: ParsedScope) =>
    scope.areaGlobs.filter(({ area }) => other.areaKeys.has(area) === shared).map(({ glob }) => glob)
  lists.push([a.globs, all(b)], [all(a), b.globs], [only(a, false, b), all(b)], [only(a, true, b), only(b, false, a)])
  return lists
}

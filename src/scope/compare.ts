import { areaKey } from './columns.ts'
import type { Glob } from './glob.ts'
import { globsMeet } from './glob-meet.ts'
import { meetingPath } from './glob-witness.ts'
import type { ParsedScope, ProposedScope } from './parse-scope.ts'
import { openWork, type TurnWork } from './turns.ts'

export { type ParsedScope, type ProposedScope, parseScope, scopeOf } from './parse-scope.ts'

export interface ScopeMeeting {
  /** The shared areas, as the first scope names them. */
  readonly areas: readonly string[]
  /** A glob of each scope that share a path; null where areas alone are shared. */
  readonly paths: { readonly a: Glob; readonly b: Glob } | null
  /** The file that both scopes themselves name, without wildcards. */
  readonly sameFile: string | null
}

/** An example of a path that both scopes name; undefined where they share areas alone. */
export function witnessOf({ paths, sameFile }: ScopeMeeting): string | undefined {
  return paths ? (sameFile ?? meetingPath(paths.a, paths.b) ?? '') : undefined
}

/** Where two scopes overlap (decisions §5), or null. An empty scope overlaps nothing. */
export function compareScopes(a: ProposedScope, b: ParsedScope): ScopeMeeting | null {
  const work = openWork()
  for (const place = startOfComparison(); ; ) {
    const meeting = compareOn(a, b, place, work)
    if (meeting !== undefined) return meeting
  }
}

/**
 * `compareScopes` with pauses: yields whenever a turn's work is done, so that hostile scopes (100 globs against 100, a few
 * milliseconds a pair) can let others have their turn. Run it by `inTurns`.
 */
export function* compareInSteps(
  a: ProposedScope,
  b: ParsedScope,
  work: TurnWork,
): Generator<void, ScopeMeeting | null> {
  for (const place = startOfComparison(); ; ) {
    const meeting = compareOn(a, b, place, work)
    if (meeting !== undefined) return meeting
    yield
  }
}

/** Up to where two scopes are compared: which of their lists of globs, and which glob of each is next. */
export interface ComparisonPlace {
  list: number
  a: number
  b: number
}

export function startOfComparison(): ComparisonPlace {
  return { list: 0, a: 0, b: 0 }
}

/**
 * Goes on with a comparison until it is decided, or undefined: the turn is over. No generator, since most comparisons are
 * of a few globs, thousands of them in a check, and each generator would leave a kilobyte.
 */
export function compareOn(
  a: ProposedScope,
  b: ParsedScope,
  place: ComparisonPlace,
  work: TurnWork,
): ScopeMeeting | null | undefined {
  const areas = sharedAreas(a, b)
  const file = sameFile(a, b)
  if (file) return { areas, ...file }
  work.steps += a.areaGlobs.length + b.areaGlobs.length
  const lists = comparable(a, b)
  for (; place.list < lists.length; place.list++) {
    const [globsA, globsB] = lists[place.list] ?? [[], []]
    const paths = findPaths(globsA, globsB, place, work)
    if (paths) return { areas, paths, sameFile: null }
    if (place.a < globsA.length) return undefined
    place.a = 0
  }
  return areas.length > 0 ? { areas, paths: null, sameFile: null } : null
}

/** Compares pairs of globs from the place on, until two meet, all are compared, or the turn is over: the place is the next one then. */
function findPaths(
  globsA: readonly Glob[],
  globsB: readonly Glob[],
  place: ComparisonPlace,
  work: TurnWork,
): ScopeMeeting['paths'] {
  for (; place.a < globsA.length; place.a++, place.b = 0) {
    const a = globsA[place.a]
    while (place.b < globsB.length) {
      const b = globsB[place.b++]
      if (a && b && globsMeet(a, b, work)) return { a, b }
      if (work.steps >= work.turnEnds) return null
    }
  }
  return null
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

function sameFile(a: ProposedScope, b: ParsedScope): Pick<ScopeMeeting, 'paths' | 'sameFile'> | null {
  for (const other of b.globs) {
    for (const file of other.files) {
      const glob = a.files.get(file)
      if (glob) return { paths: { a: glob, b: other }, sameFile: file }
    }
  }
  return null
}

/** What counts as intersecting paths, the scopes' own first. What the settings give to shared areas alone does not. */
function comparable(a: ParsedScope, b: ParsedScope): [readonly Glob[], readonly Glob[]][] {
  const pairs: [readonly Glob[], readonly Glob[]][] = [[a.globs, b.globs]]
  if (a.areaGlobs.length === 0 && b.areaGlobs.length === 0) return pairs
  const all = (scope: ParsedScope) => scope.areaGlobs.map(({ glob }) => glob)
  const only = (scope: ParsedScope, shared: boolean, other: ParsedScope) =>
    scope.areaGlobs.filter(({ area }) => other.areaKeys.has(area) === shared).map(({ glob }) => glob)
  pairs.push([a.globs, all(b)], [all(a), b.globs], [only(a, false, b), all(b)], [only(a, true, b), only(b, false, a)])
  return pairs
}

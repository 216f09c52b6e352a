import { areaKey } from './columns.ts'
import type { Glob } from './glob.ts'
import { globsMeet } from './glob-meet.ts'
import { meetingPath } from './glob-witness.ts'
import type { ParsedScope } from './parse-scope.ts'
import { openWork, type TurnWork } from './turns.ts'

export { type ParsedScope, parseScope, scopeOf } from './parse-scope.ts'

export interface ScopeMeeting {
  /** The shared areas, as the first scope names them. */
  readonly areas: readonly string[]
  /** A glob of each scope that share a path, and an example of such a path; null where areas alone are shared. */
  readonly paths: { readonly a: Glob; readonly b: Glob; readonly witness: string } | null
  /** Both scopes themselves name the same file, without wildcards; it is the witness then. */
  readonly sameFile: boolean
}

/** Where two scopes overlap (decisions §5), or null. An empty scope overlaps nothing. */
export function compareScopes(a: ParsedScope, b: ParsedScope): ScopeMeeting | null {
  const steps = compareInSteps(a, b, openWork())
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * `compareScopes` with pauses: yields whenever a turn's work is done, so that hostile scopes (100 globs against 100, a few
 * milliseconds a pair) can let others have their turn. Run it by `inTurns`.
 */
export function* compareInSteps(a: ParsedScope, b: ParsedScope, work: TurnWork): Generator<void, ScopeMeeting | null> {
  const areas = sharedAreas(a, b)
  const file = sameFile(a, b)
  if (file) return { areas, paths: file, sameFile: true }
  for (const [globsA, globsB] of comparable(a, b)) {
    for (const pair = { a: 0, b: 0 }; pair.a < globsA.length; ) {
      const paths = findPaths(globsA, globsB, pair, work)
      if (paths) return { areas, paths, sameFile: false }
      if (work.steps >= work.turnEnds) yield
    }
  }
  return areas.length > 0 ? { areas, paths: null, sameFile: false } : null
}

/**
 * Compares pairs of globs from one on, until two meet, all are compared, or the turn is over: moves to the next one to compare.
 * A function of its own, since thousands of pairs in a generator leave several objects each.
 */
function findPaths(
  globsA: readonly Glob[],
  globsB: readonly Glob[],
  pair: { a: number; b: number },
  work: TurnWork,
): ScopeMeeting['paths'] {
  for (; pair.a < globsA.length; pair.a++, pair.b = 0) {
    const a = globsA[pair.a]
    while (pair.b < globsB.length) {
      const b = globsB[pair.b++]
      if (a && b && globsMeet(a, b, work)) return meetingOf(a, b)
      if (work.steps >= work.turnEnds) return null
    }
  }
  return null
}

const none: readonly string[] = []

function sharedAreas(a: ParsedScope, b: ParsedScope): readonly string[] {
  if (a.areas.length === 0 || b.areaKeys.size === 0) return none
  const shared = new Map<string, string>()
  for (const area of a.areas) {
    const key = areaKey(area)
    if (b.areaKeys.has(key) && !shared.has(key)) shared.set(key, area)
  }
  return [...shared.values()]
}

function sameFile(a: ParsedScope, b: ParsedScope): ScopeMeeting['paths'] {
  // Most scopes have no file of the other's, and few of their own.
  if (b.files.size === 0) return null
  for (const [file, glob] of a.files) {
    const other = b.files.get(file)
    if (other) return { a: glob, b: other, witness: file }
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

/** The example is made when it is asked for: of thousands of meetings a few are told. */
function meetingOf(a: Glob, b: Glob): NonNullable<ScopeMeeting['paths']> {
  let witness: string | null = null
  return {
    a,
    b,
    get witness() {
      witness ??= meetingPath(a, b) ?? ''
      return witness
    },
  }
}

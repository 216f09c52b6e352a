import { areaKey } from './columns.ts'
import type { Glob } from './glob.ts'
import { parsedGlob } from './glob-cache.ts'
import { globsMeet } from './glob-meet.ts'
import { meetingPath } from './glob-witness.ts'
import type { Scope } from './schema.ts'
import type { Work } from './track.ts'

/** Area labels to the globs that a scope which names the area counts as naming too: the settings' `areas`. */
export type AreaMap = Readonly<Record<string, readonly string[]>>

/** A scope ready to be compared. */
export interface ParsedScope {
  /** As given. */
  readonly areas: readonly string[]
  readonly areaKeys: ReadonlySet<string>
  /** Its own globs. */
  readonly globs: readonly Glob[]
  /** The globs that the settings give its areas. */
  readonly areaGlobs: readonly { readonly area: string; readonly glob: Glob }[]
  /** The files that its own globs name without wildcards, each with its glob. */
  readonly files: ReadonlyMap<string, Glob>
}

export interface ScopeMeeting {
  /** The shared areas, as the first scope names them. */
  readonly areas: readonly string[]
  /** A glob of each scope that share a path, and an example of such a path; null where areas alone are shared. */
  readonly paths: { readonly a: Glob; readonly b: Glob; readonly witness: string } | null
  /** Both scopes themselves name the same file, without wildcards. */
  readonly sameFile: boolean
}

/** Reads a scope of which all globs are of the dialect; one that is not (stored by another version) is left out. */
export function parseScope(scope: Scope, areaMap: AreaMap = {}): ParsedScope {
  const globs = scope.paths.flatMap(readable)
  const areaKeys = new Set(scope.areas.map(areaKey))
  const areaGlobs = Object.entries(areaMap).flatMap(([label, texts]) => {
    const area = areaKey(label)
    return areaKeys.has(area) ? texts.flatMap(readable).map((glob) => ({ area, glob })) : []
  })
  const files = new Map(globs.flatMap((glob) => glob.files.map((file) => [file, glob])))
  return { areas: scope.areas, areaKeys, globs, areaGlobs, files }
}

function readable(text: string): Glob[] {
  const parsed = parsedGlob(text)
  return parsed.ok ? [parsed.glob] : []
}

/** Where two scopes overlap (decisions §5), or null. An empty scope overlaps nothing. */
export function compareScopes(a: ParsedScope, b: ParsedScope): ScopeMeeting | null {
  const work = { steps: 0 }
  const steps = compareInSteps(a, b, work)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/**
 * `compareScopes` in pieces: pauses before each pair of globs that could take long, so that a caller can look at
 * `work.steps` (about a nanosecond each), let others have their turn, or give up.
 */
export function* compareInSteps(a: ParsedScope, b: ParsedScope, work: Work): Generator<void, ScopeMeeting | null> {
  const areas = a.areas.filter((area) => b.areaKeys.has(areaKey(area)))
  const file = sameFile(a, b)
  if (file) return meetingOf(areas, file, true)
  for (const pair of pairs(a, b)) {
    if (pair.a.size * pair.b.size > LONG) yield
    if (globsMeet(pair.a, pair.b, work)) return meetingOf(areas, pair, false)
  }
  return areas.length > 0 ? { areas, paths: null, sameFile: false } : null
}

const LONG = 32_768

function meetingOf(areas: readonly string[], { a, b }: { a: Glob; b: Glob }, sameFile: boolean): ScopeMeeting {
  let witness: string | null = null
  // Made when it is asked for: of thousands of meetings five are told.
  const paths = {
    a,
    b,
    get witness() {
      witness ??= meetingPath(a, b) ?? ''
      return witness
    },
  }
  return { areas, paths, sameFile }
}

function sameFile(a: ParsedScope, b: ParsedScope): { a: Glob; b: Glob } | null {
  for (const [file, glob] of a.files) {
    const other = b.files.get(file)
    if (other) return { a: glob, b: other }
  }
  return null
}

/** The pairs that count as intersecting paths, the scopes' own first. What two shared areas stand for does not. */
function* pairs(a: ParsedScope, b: ParsedScope): Generator<{ a: Glob; b: Glob }> {
  for (const x of a.globs) for (const y of b.globs) yield { a: x, b: y }
  for (const x of a.globs) for (const y of b.areaGlobs) yield { a: x, b: y.glob }
  for (const x of a.areaGlobs) for (const y of b.globs) yield { a: x.glob, b: y }
  for (const x of a.areaGlobs) {
    for (const y of b.areaGlobs) {
      if (!(b.areaKeys.has(x.area) && a.areaKeys.has(y.area))) yield { a: x.glob, b: y.glob }
    }
  }
}

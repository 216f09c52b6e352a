import { areaKey } from './area-key.ts'
import { type Glob, parseGlob } from './glob/glob.ts'
import type { ReadGlob } from './glob/glob-cache.ts'
import type { Scope } from './schema.ts'

/** The setting `areas`: area labels and their globs. A scope that names an area also covers its globs. */
export type AreaMap = Readonly<Record<string, readonly string[]>>

/** A scope ready to be compared. */
export interface ParsedScope {
  /** As given. */
  readonly areas: readonly string[]
  readonly areaKeys: ReadonlySet<string>
  /** Its own globs. */
  readonly globs: readonly Glob[]
  /** The globs that the settings give its areas, each with the key of its area. */
  readonly areaGlobs: readonly { readonly area: string; readonly glob: Glob }[]
  /** A measure of the cost of comparing it. */
  readonly size: number
  /** The paths among its globs that no text may name (docs/rules.md#strangers-words). */
  readonly unnamed?: ReadonlySet<string>
}

/** A scope that is compared with many others. */
export interface ProposedScope extends ParsedScope {
  /** The files that its own globs name without wildcards, each with its glob. */
  readonly files: ReadonlyMap<string, Glob>
}

const globsByArea = new WeakMap<AreaMap, ReadonlyMap<string, readonly string[]>>()
const noAreas: AreaMap = {}

// Shared, since thousands of scopes have no areas.
const noKeys: ReadonlySet<string> = new Set()

/** Parses a scope. Leaves out invalid globs: requests with such globs were refused. */
export function parseScope(
  { areas, paths }: Scope,
  areaMap: AreaMap = noAreas,
  readGlob: ReadGlob = parseGlob,
): ProposedScope {
  const globs = readGlobs(paths, readGlob)
  return { ...scopeOf(areas, globs, areaMap, readGlob), files: filesOf(globs) }
}

/** A scope of globs that are already parsed. */
export function scopeOf(
  areas: readonly string[],
  globs: readonly Glob[],
  areaMap: AreaMap,
  readGlob: ReadGlob = parseGlob,
): ParsedScope {
  const areaKeys = areas.length === 0 ? noKeys : new Set(areas.map(areaKey))
  const areaGlobs = areas.length === 0 ? [] : globsOfAreas(areaKeys, byAreaKey(areaMap), readGlob)
  let size = 0
  for (const glob of globs) size += glob.size
  for (const { glob } of areaGlobs) size += glob.size
  return { areas, areaKeys, globs, areaGlobs, size }
}

function filesOf(globs: readonly Glob[]): ReadonlyMap<string, Glob> {
  const files = new Map<string, Glob>()
  for (const glob of globs) for (const file of glob.files) files.set(file, glob)
  return files
}

function globsOfAreas(
  areaKeys: ReadonlySet<string>,
  byArea: ReadonlyMap<string, readonly string[]>,
  readGlob: ReadGlob,
) {
  return [...areaKeys].flatMap((area) => readGlobs(byArea.get(area) ?? [], readGlob).map((glob) => ({ area, glob })))
}

/** Parses globs. Leaves out invalid ones. */
export function readGlobs(texts: readonly string[], readGlob: ReadGlob = parseGlob): Glob[] {
  const globs: Glob[] = []
  for (const text of texts) {
    const parsed = readGlob(text)
    if (parsed.ok) globs.push(parsed.glob)
  }
  return globs
}

/** The globs by area key: labels that differ only in case are one area. Cached for each map. */
function byAreaKey(areaMap: AreaMap): ReadonlyMap<string, readonly string[]> {
  const cached = globsByArea.get(areaMap)
  if (cached) return cached
  const map = new Map<string, readonly string[]>()
  for (const [label, texts] of Object.entries(areaMap)) {
    const area = areaKey(label)
    map.set(area, [...(map.get(area) ?? []), ...texts])
  }
  globsByArea.set(areaMap, map)
  return map
}

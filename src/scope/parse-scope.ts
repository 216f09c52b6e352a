import { areaKey } from './columns.ts'
import { type Glob, parseGlob } from './glob/glob.ts'
import type { ReadGlob } from './glob/glob-cache.ts'
import type { Scope } from './schema.ts'

/** Area labels to globs: a scope that names the area counts as naming these too (the setting `areas`). */
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
  /** A measure of what comparing it costs. */
  readonly size: number
}

/** A scope that is compared with many others. */
export interface ProposedScope extends ParsedScope {
  /** The files that its own globs name without wildcards, each with its glob. */
  readonly files: ReadonlyMap<string, Glob>
}

const globsByArea = new WeakMap<AreaMap, ReadonlyMap<string, readonly string[]>>()
const noAreas: AreaMap = {}

// Shared, since thousands of scopes have none.
const noKeys: ReadonlySet<string> = new Set()

/** Parses a scope. Leaves out texts that are no glob: what is stored was checked when it was sent. */
export function parseScope(
  { areas, paths }: Scope,
  areaMap: AreaMap = noAreas,
  readGlob: ReadGlob = parseGlob,
): ProposedScope {
  const globs = readGlobs(paths, readGlob)
  return { ...scopeOf(areas, globs, areaMap, readGlob), files: filesOf(globs) }
}

/** A scope of globs that are parsed already. */
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

/** The globs among these texts. */
export function readGlobs(texts: readonly string[], readGlob: ReadGlob = parseGlob): Glob[] {
  const globs: Glob[] = []
  for (const text of texts) {
    const parsed = readGlob(text)
    if (parsed.ok) globs.push(parsed.glob)
  }
  return globs
}

/** The map by area keys: labels that differ only in case are one area. Made once for each map. */
function byAreaKey(areaMap: AreaMap): ReadonlyMap<string, readonly string[]> {
  const known = globsByArea.get(areaMap)
  if (known) return known
  const map = new Map<string, readonly string[]>()
  for (const [label, texts] of Object.entries(areaMap)) {
    const area = areaKey(label)
    map.set(area, [...(map.get(area) ?? []), ...texts])
  }
  globsByArea.set(areaMap, map)
  return map
}

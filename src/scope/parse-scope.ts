import { areaKey } from './columns.ts'
import type { Glob } from './glob.ts'
import { parsedGlob } from './glob-cache.ts'
import type { Scope } from './schema.ts'

/** Area labels to globs: a scope that names the area counts as naming these too (the settings' `areas`). */
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
  /** What comparing it may cost goes by this; who compares with many takes the small ones first. */
  readonly size: number
}

/** A scope that is compared with many others. */
export interface ProposedScope extends ParsedScope {
  /** The files that its own globs name without wildcards, each with its glob. */
  readonly files: ReadonlyMap<string, Glob>
}

const globsByArea = new WeakMap<AreaMap, ReadonlyMap<string, readonly string[]>>()
const noAreas: AreaMap = {}

// Thousands of scopes have none.
const noKeys: ReadonlySet<string> = new Set()

/** Reads a scope. A glob that is not of the dialect is left out: what is stored was checked when it was sent. */
export function parseScope({ areas, paths }: Scope, areaMap: AreaMap = noAreas): ProposedScope {
  const globs = readableGlobs(paths)
  return { ...scopeOf(areas, globs, areaMap), files: filesOf(globs) }
}

/** A scope of globs that are read already. */
export function scopeOf(areas: readonly string[], globs: readonly Glob[], areaMap: AreaMap): ParsedScope {
  const areaKeys = areas.length === 0 ? noKeys : new Set(areas.map(areaKey))
  const areaGlobs = areas.length === 0 ? [] : globsOfAreas(areaKeys, keyed(areaMap))
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

function globsOfAreas(areaKeys: ReadonlySet<string>, byArea: ReadonlyMap<string, readonly string[]>) {
  return [...areaKeys].flatMap((area) => readableGlobs(byArea.get(area) ?? []).map((glob) => ({ area, glob })))
}

/** The globs of the dialect among these texts. */
export function readableGlobs(texts: readonly string[]): Glob[] {
  const globs: Glob[] = []
  for (const text of texts) {
    const parsed = parsedGlob(text)
    if (parsed.ok) globs.push(parsed.glob)
  }
  return globs
}

/** The map by area keys: labels that differ in case alone are one area. Made once for each map. */
function keyed(areaMap: AreaMap): ReadonlyMap<string, readonly string[]> {
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

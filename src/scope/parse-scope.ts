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
  /** The files that its own globs name without wildcards, each with its glob. */
  readonly files: ReadonlyMap<string, Glob>
  /** What comparing it may cost goes by this; who compares with many takes the small ones first. */
  readonly size: number
}

const globsByArea = new WeakMap<AreaMap, ReadonlyMap<string, readonly string[]>>()
const noAreas: AreaMap = {}

/** Reads a scope. A glob that is not of the dialect is left out: what is stored was checked when it was sent. */
export function parseScope(scope: Scope, areaMap: AreaMap = noAreas): ParsedScope {
  const globs = readableGlobs(scope.paths)
  const areaKeys = new Set(scope.areas.map(areaKey))
  const byArea = keyed(areaMap)
  const areaGlobs = [...areaKeys].flatMap((area) =>
    (byArea.get(area) ?? []).flatMap(readable).map((glob) => ({ area, glob })),
  )
  const files = new Map(globs.flatMap((glob) => glob.files.map((file) => [file, glob])))
  const size = [...globs, ...areaGlobs.map(({ glob }) => glob)].reduce((sum, glob) => sum + glob.size, 0)
  return { areas: scope.areas, areaKeys, globs, areaGlobs, files, size }
}

/** The globs of the dialect among these texts. */
export function readableGlobs(texts: readonly string[]): Glob[] {
  return texts.flatMap(readable)
}

function readable(text: string): Glob[] {
  const parsed = parsedGlob(text)
  return parsed.ok ? [parsed.glob] : []
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

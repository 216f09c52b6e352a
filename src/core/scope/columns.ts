import { scopePathLimits } from './glob/limits.ts'
import type { Scope } from './schema.ts'

/** Areas and tags compare by Unicode lower case. */
export function areaKey(label: string): string {
  return label.toLowerCase()
}

/** Whether a notable with this scope is about the whole repository. The areas may also be area keys. */
export function isAboutRepository(areas: readonly string[], paths: readonly string[]): boolean {
  return areas.length === 0 && paths.length === 0
}

/** The columns of a scope: areas and paths as given, and the area keys. */
export function scopeColumns(scope: Scope | undefined) {
  const { areas, paths } = scope ?? { areas: [], paths: [] }
  return { areas, area_keys: areas.map(areaKey), paths }
}

/** The first paths that are compared: a scope may have been stored before it had a limit in bytes. */
export function comparedPaths(paths: readonly string[]): readonly string[] {
  let bytes = 0
  const end = paths.findIndex((path) => {
    bytes += Buffer.byteLength(path)
    return bytes > scopePathLimits.bytes
  })
  return end === -1 ? paths : paths.slice(0, end)
}

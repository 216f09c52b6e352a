import type { Scope } from './schema.ts'

/** Areas and tags compare by Unicode lower case. */
export function areaKey(label: string): string {
  return label.toLowerCase()
}

/** The columns of a scope: areas and paths as given, and the area keys. */
export function scopeColumns(scope: Scope | undefined) {
  const { areas, paths } = scope ?? { areas: [], paths: [] }
  return { areas, area_keys: areas.map(areaKey), paths }
}

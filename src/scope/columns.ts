import type { Scope } from './schema.ts'

/** Areas and tags compare by Unicode lower case. */
export function areaKey(label: string): string {
  return label.toLowerCase()
}

/** The columns of a scope: as given, and the areas also as they compare. */
export function scopeColumns(scope: Scope | undefined) {
  const { areas, paths } = scope ?? { areas: [], paths: [] }
  return { areas, area_keys: areas.map(areaKey), paths }
}

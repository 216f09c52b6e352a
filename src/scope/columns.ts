import type { Scope } from './schema.ts'

/** Areas and tags compare by Unicode lower case (decisions §2). */
export function areaKey(label: string): string {
  return label.toLowerCase()
}

/** A scope as the tables keep it: as given, and the areas also as they compare. */
export function scopeColumns(scope: Scope | undefined) {
  const { areas, paths } = scope ?? { areas: [], paths: [] }
  return { areas, area_keys: areas.map(areaKey), paths }
}

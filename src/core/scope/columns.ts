import { areaKey } from './area-key.ts'
import { scopePathLimits } from './glob/limits.ts'
import type { Scope } from './schema.ts'

/** The columns of a scope: areas and paths as given, and the area keys. */
export function scopeColumns(scope: Scope | undefined) {
  const { areas, paths } = scope ?? { areas: [], paths: [] }
  return { areas, area_keys: areas.map(areaKey), paths }
}

/**
 * The paths that are compared: the first 16 KiB, since a scope may have been stored before it had that limit
 * (docs/rules.md#incomplete-answers).
 */
export function comparedPaths(paths: readonly string[]): readonly string[] {
  let bytes = 0
  const end = paths.findIndex((path) => {
    bytes += Buffer.byteLength(path)
    return bytes > scopePathLimits.bytes
  })
  return end === -1 ? paths : paths.slice(0, end)
}

/** Whether the paths are within the limit, without reading the value. True of nearly all rows. */
const isShort = `pg_column_compression(paths) is null and pg_column_size(paths) <= ${scopePathLimits.bytes}`

/** The most bytes that the compared paths may have, without reading the value. */
export const sizeOfPaths = `case when ${isShort} then pg_column_size(paths) else ${scopePathLimits.bytes} end`

/** Lists are selected as JSON: parsing PostgreSQL's array notation costs several times as much. */
export const areasColumn = 'array_to_json(areas) as areas'

/** `comparedPaths` in SQL. */
export const firstPaths = `case when ${isShort} then array_to_json(paths) else (
    select coalesce(json_agg(path order by place), '[]'::json)
      from (select path, place, sum(octet_length(path)) over (order by place) as bytes
              from unnest(paths) with ordinality as each(path, place)) as each
     where bytes <= ${scopePathLimits.bytes}) end`
/** Whether the scope has more paths than are compared. */
export const hasMorePaths = `case when ${isShort} then false else octet_length(array_to_string(paths, '')) > ${scopePathLimits.bytes} end`

/** The areas and the compared paths. */
export const listColumns = `${areasColumn}, ${firstPaths} as paths, ${hasMorePaths} as is_cut`

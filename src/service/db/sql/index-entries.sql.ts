import { type IndexKey, indexKeys, PART } from '../../../core/scope/index/index-keys.ts'
import { isAboutRepository } from '../../../core/scope/is-about-repository.ts'
import { readGlobs } from '../../../core/scope/parse-scope.ts'
import { Prisma } from '../generated/client.ts'

/** A scope as it is stored. */
interface StoredScope {
  area_keys: readonly string[]
  paths: readonly string[]
  /** Globs of changed files. Their entries cover nothing: lines decide. */
  changed?: readonly string[]
}

/** The index entries of a scope, as a table of a SQL statement: `entry(kind, key, tail, extent)`. */
export function indexEntries({ area_keys, paths, changed = [] }: StoredScope): Prisma.Sql {
  const areas = [...new Set(area_keys)].map((key) => ({ kind: 'area', key, tail: '', extent: PART }))
  const declared = indexKeys(readGlobs(paths))
  const places = new Set(declared.map(placeOf))
  const rest = indexKeys(readGlobs(changed)).filter((entry) => !places.has(placeOf(entry)))
  const all = [...declared, ...rest.map((entry) => ({ ...entry, extent: PART }))]
  return rowsOf([...areas, ...all.map((entry) => ({ kind: 'path', ...entry }))])
}

function placeOf({ key, tail }: IndexKey): string {
  return `${key}\0${tail}`
}

/** The index entries of a notable. A notable with an empty scope is about the whole repository, and has one entry of the kind `repository`. */
export function notableIndexEntries(scope: StoredScope): Prisma.Sql {
  if (!isAboutRepository(scope.area_keys, scope.paths)) return indexEntries(scope)
  return rowsOf([{ kind: 'repository', key: '', tail: '', extent: PART }])
}

function rowsOf(entries: readonly { kind: string; key: string; tail: string; extent: number }[]): Prisma.Sql {
  const kinds = entries.map(({ kind }) => kind)
  const keys = entries.map(({ key }) => key)
  const tails = entries.map(({ tail }) => tail)
  const extents = entries.map(({ extent }) => extent)
  return Prisma.sql`unnest(${kinds}::text[], ${keys}::text[], ${tails}::text[], ${extents}::smallint[]) as entry(kind, key, tail, extent)`
}

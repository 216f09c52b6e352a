import { Prisma } from '../db/generated/client.ts'
import { indexKeys, PART } from './index/index-keys.ts'
import { readGlobs } from './parse-scope.ts'

/** A scope as it is stored. */
interface StoredScope {
  area_keys: readonly string[]
  paths: readonly string[]
}

/** The index entries of a scope, as a table of a SQL statement: `entry(kind, key, tail, extent)`. */
export function indexEntries({ area_keys, paths }: StoredScope): Prisma.Sql {
  const areas = [...new Set(area_keys)].map((key) => ({ kind: 'area', key, tail: '', extent: PART }))
  return rowsOf([...areas, ...indexKeys(readGlobs(paths)).map((ends) => ({ kind: 'path', ...ends }))])
}

/** The index entries of a notable. A notable with an empty scope is about the whole repository, and has one entry of the kind `repository`. */
export function notableIndexEntries(scope: StoredScope): Prisma.Sql {
  const isAboutRepository = scope.area_keys.length === 0 && scope.paths.length === 0
  return isAboutRepository ? rowsOf([{ kind: 'repository', key: '', tail: '', extent: PART }]) : indexEntries(scope)
}

function rowsOf(entries: readonly { kind: string; key: string; tail: string; extent: number }[]): Prisma.Sql {
  const kinds = entries.map(({ kind }) => kind)
  const keys = entries.map(({ key }) => key)
  const tails = entries.map(({ tail }) => tail)
  const extents = entries.map(({ extent }) => extent)
  return Prisma.sql`unnest(${kinds}::text[], ${keys}::text[], ${tails}::text[], ${extents}::smallint[]) as entry(kind, key, tail, extent)`
}

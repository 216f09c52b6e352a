import { Prisma } from '../db/generated/client.ts'
import { indexKeys, PART } from '../scope/index/index-keys.ts'
import { readGlobs } from '../scope/parse-scope.ts'
import type { ActivityRow } from './store.ts'

/** Writes the keys of a changed scope, in the transaction that changes it. */
export async function indexScope(
  tx: Prisma.TransactionClient,
  { repository_id, id, ...scope }: Pick<ActivityRow, 'repository_id' | 'id' | 'area_keys' | 'paths'>,
): Promise<void> {
  await tx.scopeKey.deleteMany({ where: { repository_id, activity_id: id } })
  await tx.$executeRaw`
    insert into scope_keys (repository_id, kind, key, tail, extent, activity_id)
    select ${repository_id}, entry.kind, entry.key, entry.tail, entry.extent, ${id}
      from ${indexEntries(scope)}`
}

/** What the index of scopes holds of a scope, as rows of a statement: `entry(kind, key, tail, extent)`. */
export function indexEntries({ area_keys, paths }: Pick<ActivityRow, 'area_keys' | 'paths'>): Prisma.Sql {
  const areas = [...new Set(area_keys)].map((key) => ({ kind: 'area', key, tail: '', extent: PART }))
  const entries = [...areas, ...indexKeys(readGlobs(paths)).map((ends) => ({ kind: 'path', ...ends }))]
  const kinds = entries.map(({ kind }) => kind)
  const keys = entries.map(({ key }) => key)
  const tails = entries.map(({ tail }) => tail)
  const extents = entries.map(({ extent }) => extent)
  return Prisma.sql`unnest(${kinds}::text[], ${keys}::text[], ${tails}::text[], ${extents}::smallint[]) as entry(kind, key, tail, extent)`
}

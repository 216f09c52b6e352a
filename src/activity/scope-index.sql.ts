import type { Activity as ActivityRow, Prisma } from '../db/generated/client.ts'
import { indexEntries } from '../scope/index-entries.sql.ts'

/** Replaces the scope keys of an activity, in the transaction that changes its scope. */
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

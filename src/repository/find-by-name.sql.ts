import type { Prisma } from '../db/generated/client.ts'

/**
 * The id of the repository with this name, in any case; if several had it, the one that was saved last. In SQL, since
 * Prisma's comparison without case takes the `_` of a name for a wildcard.
 */
export async function findRepositoryId(
  tx: Prisma.TransactionClient,
  { owner, name }: { owner: string; name: string },
): Promise<bigint | undefined> {
  const [found] = await tx.$queryRaw<{ repository_id: bigint }[]>`
    select repository_id from repositories
     where lower(owner) = lower(${owner}) and lower(name) = lower(${name})
     order by updated_at desc limit 1`
  return found?.repository_id
}

import type { Database } from '../db/database.ts'
import type { ObservedRepository as ObservedRepositoryModel, Prisma } from '../db/generated/client.ts'

/** How far the open pull requests of a repository are read, as stored (`observed_repositories`). */
export type ObservedRepositoryRow = ObservedRepositoryModel

export function findObservedRepository(
  tx: Prisma.TransactionClient,
  repository_id: bigint,
): Promise<ObservedRepositoryRow | null> {
  return tx.observedRepository.findUnique({ where: { repository_id } })
}

/** Changes how far a repository is read. Does nothing where it is not observed any more. */
export async function changeObservedRepository(
  { prisma }: Pick<Database, 'prisma'>,
  repository_id: bigint,
  changes: Partial<ObservedRepositoryRow>,
): Promise<void> {
  const { ignored_by_attributes: _, ...columns } = changes
  await prisma.observedRepository.updateMany({ where: { repository_id }, data: columns })
}

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

/**
 * The ids of the repositories that the App reads and whose pull requests are to be listed, the longest waiting first: those
 * that were listed at `listedUntil` or before, and those whose last listing failed at `failedUntil` or before.
 */
export async function findRepositoriesToSync(
  { prisma }: Database,
  { listedUntil, failedUntil }: { listedUntil: Date; failedUntil: Date },
): Promise<bigint[]> {
  const isOld = [{ listed_at: null }, { listed_at: { lte: listedUntil } }]
  const due = await prisma.observedRepository.findMany({
    where: { by_app: true, OR: [{ failed_at: { lte: failedUntil } }, { failed_at: null, OR: isOld }] },
    orderBy: [{ listed_at: { sort: 'asc', nulls: 'first' } }, { repository_id: 'asc' }],
    select: { repository_id: true },
  })
  return due.map(({ repository_id }) => repository_id)
}

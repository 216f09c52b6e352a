import type { Repository } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { ObservedRepository as ObservedRepositoryModel, Prisma } from '../db/generated/client.ts'

/** How far the open pull requests of a repository are read, as stored (`observed_repositories`). */
export type ObservedRepositoryRow = ObservedRepositoryModel

/**
 * Records that the App reads a repository, and the names by which its jobs ask for it. A default branch that is null keeps the
 * known one; the next list of all open pull requests reads it.
 */
export async function observeByApp(
  tx: Prisma.TransactionClient,
  repository: Omit<Repository, 'defaultBranch'> & { defaultBranch: string | null },
  now: Date,
): Promise<void> {
  const { id: repository_id, owner, name, defaultBranch } = repository
  const names = { owner, name, updated_at: now }
  await tx.repository.upsert({
    where: { repository_id },
    create: { repository_id, ...names, default_branch: defaultBranch ?? 'main' },
    update: defaultBranch === null ? names : { ...names, default_branch: defaultBranch },
  })
  await tx.observedRepository.upsert({ where: { repository_id }, create: { repository_id, by_app: true }, update: {} })
  // Callers' tokens list less than the App.
  const unlisted = { walked_at: null, listed_at: null, failed_at: null }
  await tx.observedRepository.updateMany({
    where: { repository_id, by_app: false },
    data: { by_app: true, ...unlisted },
  })
}

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

import type { Prisma, Repository as Row } from '../../db/generated/client.ts'
import { saveRepositoryFacts } from '../../records/repositories.ts'

/** What every event says of its repository. */
export interface EventRepository {
  repository: {
    id: number
    name: string
    owner: { login: string }
    default_branch: string
    private: boolean
    updated_at: string | null
    /** In seconds where the event is a push. */
    pushed_at?: string | number | null
  }
  installation?: { id: number } | undefined
}

/** The row of the repository of an event. Names of an older event than the last change nothing. */
export async function rowOfEvent(
  tx: Prisma.TransactionClient,
  { repository, installation }: EventRepository,
  now: Date,
): Promise<Row> {
  const { name, default_branch: defaultBranch } = repository
  const [id, owner, isPublic] = [BigInt(repository.id), repository.owner.login, !repository.private]
  const seen = { requested_at: now, ...(installation && { installation_id: BigInt(installation.id) }) }
  const names = { owner, name, default_branch: defaultBranch, is_public: isPublic }
  await tx.repository.createMany({ data: [{ repository_id: id, ...names, updated_at: now }], skipDuplicates: true })
  await saveRepositoryFacts(tx, { id, owner, name, defaultBranch, isPublic }, timeOf(repository.updated_at), now)
  return tx.repository.update({ where: { repository_id: id }, data: seen })
}

/** A time of GitHub, which comes as text or in seconds. */
export function timeOf(time: string | number | null | undefined): Date | null {
  if (time === null || time === undefined) return null
  return new Date(typeof time === 'number' ? time * 1_000 : time)
}

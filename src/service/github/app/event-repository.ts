import type { Repository as Row } from '../../db/generated/client.ts'
import type { Transaction } from '../../db/retry.ts'
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
  tx: Transaction,
  { repository, installation }: EventRepository,
  now: Date,
): Promise<Row> {
  const { id, name, default_branch, owner, updated_at } = repository
  const repository_id = BigInt(id)
  const names = { owner: owner.login, name, default_branch, is_public: !repository.private }
  await tx.repository.createMany({ data: [{ repository_id, ...names, updated_at: now }], skipDuplicates: true })
  await saveRepositoryFacts(tx, repository_id, names, timeOf(updated_at), now)
  const seen = { requested_at: now, ...(installation && { installation_id: BigInt(installation.id) }) }
  return tx.repository.update({ where: { repository_id }, data: seen })
}

/** A time of GitHub, which comes as text or in seconds. */
export function timeOf(time: string | number | null | undefined): Date | null {
  if (time === null || time === undefined) return null
  return new Date(typeof time === 'number' ? time * 1_000 : time)
}

import type { Repository as Row } from '../db/generated/client.ts'
import type { Transaction } from '../db/retry.ts'
import type { Repository } from '../github/access.ts'
import { touched } from './lifecycle.ts'

/** A request is written down at most so often. */
const requestedEveryMs = 600_000
/** GitHub's answer about access is kept so long. An event of the meantime is newer than that answer. */
const answerAgeMs = 60_000

/**
 * The row of a repository that somebody asks for, with the names that GitHub gave with the access. It is written where it is new,
 * where a name has changed, and every ten minutes, so that jobs know what is asked about.
 */
export async function rememberRepository(
  tx: Transaction,
  { id: repository_id, owner, name, defaultBranch: default_branch, isPublic: is_public }: Repository,
  now: Date,
): Promise<Row> {
  const names = { owner, name, default_branch, is_public }
  const row = await tx.repository.findUnique({ where: { repository_id } })
  const isNews = row === null || differs(row, names)
  const answeredAt = new Date(now.getTime() - answerAgeMs)
  const isTaken = isNews && !(row?.facts_at && row.facts_at > answeredAt)
  const isRecent = row?.requested_at && now.getTime() - row.requested_at.getTime() < requestedEveryMs
  if (row && isRecent && !isTaken) return row
  const changed = { ...names, facts_at: answeredAt, updated_at: row ? touched(row, now) : now }
  return tx.repository.upsert({
    where: { repository_id },
    create: { repository_id, ...changed, requested_at: now },
    update: { ...(isTaken && changed), requested_at: now },
  })
}

/** Saves what an event of this time says of a repository that is known. Older facts change nothing. */
export async function saveRepositoryFacts(
  tx: Transaction,
  repository_id: bigint,
  names: Pick<Row, 'owner' | 'name' | 'default_branch' | 'is_public'>,
  eventAt: Date | null,
  now: Date,
): Promise<void> {
  // The clock of GitHub may be ahead, and nothing may claim the future.
  const facts_at = eventAt === null || eventAt > now ? now : eventAt
  const row = await tx.repository.findUniqueOrThrow({ where: { repository_id } })
  if (!differs(row, names)) return
  await tx.repository.updateMany({
    where: { repository_id, OR: [{ facts_at: null }, { facts_at: { lte: facts_at } }] },
    data: { ...names, facts_at, updated_at: touched(row, now) },
  })
}

function differs(row: Row, names: Partial<Row>): boolean {
  return Object.entries(names).some(([key, value]) => Reflect.get(row, key) !== value)
}

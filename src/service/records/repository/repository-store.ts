import { LRUCache } from 'lru-cache'
import { getOrCreate } from '../../../core/lib/maps.ts'
import type { Database } from '../../db/database.ts'
import type { Prisma } from '../../db/generated/client.ts'
import { isWithin } from '../../lib/clock.ts'
import type { Repository } from './repository.ts'

interface SavedNames {
  names: string
  savedAt: number
}

/** What this process saved lately, so that not every create writes the row. */
const savedNames = new WeakMap<Database, LRUCache<bigint, SavedNames>>()
/** How long an entry is used, in ms. An event or another instance may save other names meanwhile. */
const cachedMs = 600_000

/**
 * How old the names in a response of GitHub may be, in ms: responses are cached this long by default. An event that is not
 * older than the names replaces them.
 */
const responseAgeMs = 60_000

/** Saves GitHub's current names of a repository, and whether it is public. Background jobs need them to call GitHub. */
export async function rememberRepository(db: Database, repository: Repository, now: Date): Promise<void> {
  const { id, owner, name, defaultBranch, isPublic } = repository
  const names = JSON.stringify([owner, name, defaultBranch, isPublic])
  const cache = getOrCreate(savedNames, db, () => new LRUCache<bigint, SavedNames>({ max: 10_000 }))
  const cached = cache.get(id)
  if (cached?.names === names && isWithin(cached.savedAt, cachedMs, now.getTime())) return
  const asOf = new Date(now.getTime() - responseAgeMs)
  const columns = { owner, name, default_branch: defaultBranch, ...publicColumn(isPublic), updated_at: asOf }
  await db.prisma.repository.upsert({
    where: { repository_id: id },
    create: { repository_id: id, ...columns },
    update: columns,
  })
  cache.set(id, { names, savedAt: now.getTime() })
}

function publicColumn(isPublic: boolean | undefined) {
  return isPublic === undefined ? {} : { is_public: isPublic }
}

/** The last known names of a repository; undefined if nobody has used it. */
export async function findRepository(tx: Prisma.TransactionClient, id: bigint): Promise<Repository | undefined> {
  const row = await tx.repository.findUnique({ where: { repository_id: id } })
  return row ? repositoryIn(row) : undefined
}

/** The columns of a repository that SQL selects. */
export interface RepositoryRow {
  repository_id: bigint
  owner: string
  name: string
  default_branch: string
  is_public?: boolean | null
}

export function repositoryIn({ repository_id: id, owner, name, default_branch, is_public }: RepositoryRow): Repository {
  const isPublic = is_public === undefined || is_public === null ? {} : { isPublic: is_public }
  return { id, owner, name, defaultBranch: default_branch, ...isPublic }
}

/** The id of the repository with this name, in any case; if several had it, the one that was saved last. */
export async function findRepositoryId(
  tx: Prisma.TransactionClient,
  { owner, name }: { owner: string; name: string },
): Promise<bigint | undefined> {
  // Without case, Prisma compares by a pattern.
  const exactly = (text: string) => ({ equals: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const })
  const where = { owner: exactly(owner), name: exactly(name) }
  const found = await tx.repository.findFirst({ where, orderBy: { updated_at: 'desc' } })
  return found?.repository_id
}

/** What an event says of a repository. */
interface RepositoryFacts extends Pick<Repository, 'id' | 'owner' | 'name'> {
  defaultBranch: string | null
  isPublic?: boolean | undefined
}

/**
 * Updates the names of a known repository, and whether it is public, after an event of this time, unless newer ones are saved
 * (docs/rules.md#late-events). A repository that nobody has used stays unknown.
 */
export async function renameRepository(
  tx: Prisma.TransactionClient,
  { id, owner, name, defaultBranch, isPublic }: RepositoryFacts,
  at: Date,
): Promise<number> {
  const { count } = await tx.repository.updateMany({
    where: { repository_id: id, updated_at: { lte: at } },
    data: {
      ...{ owner, name, ...publicColumn(isPublic), updated_at: at },
      ...(defaultBranch === null ? {} : { default_branch: defaultBranch }),
    },
  })
  return count
}

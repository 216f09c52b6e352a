import { LRUCache } from 'lru-cache'
import type { Repository } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { Prisma } from '../db/generated/client.ts'

interface Written {
  spelling: string
  at: Date
}

/** What this process wrote not long ago: the row is touched only where GitHub's answer says something new. */
const written = new WeakMap<Database, LRUCache<bigint, Written>>()
/** In ms. Not for ever: an event, or another instance, may have written something else since. */
const believedMs = 600_000

function writtenTo(db: Database): LRUCache<bigint, Written> {
  const known = written.get(db) ?? new LRUCache<bigint, Written>({ max: 10_000 })
  written.set(db, known)
  return known
}

/** Keeps the names by which GitHub knows a repository today: background jobs ask GitHub by name. */
export async function rememberRepository(db: Database, repository: Repository, now: Date): Promise<void> {
  const { id, owner, name, defaultBranch } = repository
  const spelling = JSON.stringify([owner, name, defaultBranch])
  const known = writtenTo(db)
  const last = known.get(id)
  if (last?.spelling === spelling && now.getTime() < last.at.getTime() + believedMs) return
  await db.pool.query(
    `insert into repositories (repository_id, owner, name, default_branch, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (repository_id) do update
       set owner = excluded.owner, name = excluded.name, default_branch = excluded.default_branch, updated_at = excluded.updated_at
       where (repositories.owner, repositories.name, repositories.default_branch) is distinct from (excluded.owner, excluded.name, excluded.default_branch)`,
    [id, owner, name, defaultBranch, now],
  )
  known.set(id, { spelling, at: now })
}

/** The id of a repository of that name, as the service last knew it; where it knew several, the one it heard of last. */
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

/** How the service last knew a repository; undefined where nobody used it. */
export async function findRepository(tx: Prisma.TransactionClient, id: bigint): Promise<Repository | undefined> {
  const [found] = await tx.$queryRaw<Repository[]>`
    select repository_id as id, owner, name, default_branch as "defaultBranch" from repositories where repository_id = ${id}`
  return found
}

/** Lets what is kept of a known repository follow an event; a repository that nobody used stays unknown. */
export async function renameRepository(
  tx: Prisma.TransactionClient,
  { id, owner, name, defaultBranch }: { id: bigint; owner: string; name: string; defaultBranch: string | null },
  now: Date,
): Promise<number> {
  return tx.$executeRaw`
    update repositories
       set owner = ${owner}, name = ${name}, default_branch = coalesce(${defaultBranch}, default_branch), updated_at = ${now}
     where repository_id = ${id}`
}

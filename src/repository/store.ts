import { LRUCache } from 'lru-cache'
import type { Repository } from '../context.ts'
import type { Database } from '../db/client.ts'

/** Names already written by this process: the row is touched only where GitHub's answer says something new. */
const written = new WeakMap<Database, LRUCache<bigint, string>>()

function writtenTo(db: Database): LRUCache<bigint, string> {
  const known = written.get(db) ?? new LRUCache<bigint, string>({ max: 10_000 })
  written.set(db, known)
  return known
}

/** Keeps the names by which GitHub knows a repository today: background jobs ask GitHub by name. */
export async function rememberRepository(db: Database, repository: Repository, now: Date): Promise<void> {
  const { id, owner, name, defaultBranch } = repository
  const spelling = JSON.stringify([owner, name, defaultBranch])
  const known = writtenTo(db)
  if (known.get(id) === spelling) return
  await db.pool.query(
    `insert into repositories (repository_id, owner, name, default_branch, updated_at) values ($1, $2, $3, $4, $5)
     on conflict (repository_id) do update
       set owner = excluded.owner, name = excluded.name, default_branch = excluded.default_branch, updated_at = excluded.updated_at
       where (repositories.owner, repositories.name, repositories.default_branch) is distinct from (excluded.owner, excluded.name, excluded.default_branch)`,
    [id, owner, name, defaultBranch, now],
  )
  known.set(id, spelling)
}

import { Prisma } from '../db/generated/client.ts'

export interface RepositoryOfApp {
  id: bigint
  owner: string
  name: string
  /** Null if it is not known: then the names that are known stay until the repository is listed. */
  defaultBranch: string | null
  /** Whether everybody can see it. Absent: not known. */
  isPublic?: boolean | undefined
}

/**
 * Records that the App reads these repositories, their names, which its jobs need, and whether they are public. A repository that callers'
 * tokens read before is listed again, since they list less.
 */
export async function observeByApp(
  tx: Prisma.TransactionClient,
  repositories: readonly RepositoryOfApp[],
  now: Date,
): Promise<void> {
  const sorted = repositories.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  const ids = sorted.map(({ id }) => id)
  const named = (known: boolean) => sorted.filter(({ defaultBranch }) => (defaultBranch !== null) === known)
  await saveNames(tx, named(false), {
    now,
    onConflict: Prisma.sql`do update set is_public = excluded.is_public where excluded.is_public is not null`,
  })
  const replace = Prisma.sql`do update
    set owner = excluded.owner, name = excluded.name, default_branch = excluded.default_branch,
        is_public = coalesce(excluded.is_public, repositories.is_public), updated_at = excluded.updated_at`
  await saveNames(tx, named(true), { now, onConflict: replace })
  await tx.$executeRaw`
    insert into observed_repositories as known (repository_id, by_app) select id, true from unnest(${ids}::bigint[]) as id
    on conflict (repository_id) do update set by_app = true, walked_at = null, listed_at = null, failed_at = null
     where not known.by_app`
}

async function saveNames(
  tx: Prisma.TransactionClient,
  repositories: readonly RepositoryOfApp[],
  { now, onConflict }: { now: Date; onConflict: Prisma.Sql },
): Promise<void> {
  if (repositories.length === 0) return
  const ids = repositories.map(({ id }) => id)
  const owners = repositories.map(({ owner }) => owner)
  const names = repositories.map(({ name }) => name)
  const branches = repositories.map(({ defaultBranch }) => defaultBranch ?? 'main')
  const publics = repositories.map(({ isPublic = null }) => isPublic)
  await tx.$executeRaw`
    insert into repositories (repository_id, owner, name, default_branch, is_public, updated_at)
    select id, owner, name, branch, public, ${now}
      from unnest(${ids}::bigint[], ${owners}::text[], ${names}::text[], ${branches}::text[], ${publics}::boolean[])
             as named(id, owner, name, branch, public)
    on conflict (repository_id) ${onConflict}`
}

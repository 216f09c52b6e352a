import type { Database } from '../../db/database.ts'
import type { Repository } from '../../records/repository/repository.ts'
import { type RepositoryRow, repositoryIn } from '../../records/repository/repository-store.ts'

/** An open pull request whose files are to be read. */
export interface UnreadPull {
  number: number
  head_sha: string
  read_attempts: number
  marked_by_webhook: boolean
}

/** A pushed branch whose files are to be read. */
export interface UnreadBranch {
  branch: string
  head_sha: string
  read_attempts: number
}

/** A pull request that was put aside has no record, and its files are not read. */
export const isUnread = `pull.state = 'open' and pull.files_head_sha is distinct from pull.head_sha and pull.activity_id is not null`
const isUnreadBranch = 'pushed.files_head_sha is distinct from pushed.head_sha'

/** How many repositories of one owner are found at a time. */
const mostOfOwner = 20

/**
 * The repositories that the App reads and that have files to be read now, the longest waiting first, of each owner at most 20.
 * Branches are read once the pull requests were listed: these decide which branches are observed.
 */
export async function findUnreadRepositories(
  db: Database,
  now: Date,
  without: readonly bigint[],
): Promise<Repository[]> {
  const [urgent, waiting] = ['max(unread.marked_by_webhook::integer)', 'min(unread.read_after)']
  const { rows } = await db.query<RepositoryRow>(
    `select repository_id, owner, name, default_branch from (
      select unread.repository_id, known.owner, known.name, known.default_branch, ${urgent} as is_urgent, ${waiting} as since,
             row_number() over (partition by lower(known.owner) order by ${urgent} desc, ${waiting}) as place
       from (
         select repository_id, read_after, marked_by_webhook, false as is_branch from pull_requests as pull
          where ${isUnread} and read_after <= $1 and repository_id <> all($2::bigint[])
         union all
         select repository_id, read_after, true, true from pushed_branches as pushed
          where ${isUnreadBranch} and read_after <= $1 and repository_id <> all($2::bigint[])) as unread
       join observed_repositories as observed on observed.repository_id = unread.repository_id and observed.by_app
       join repositories as known on known.repository_id = unread.repository_id
      where not unread.is_branch or observed.walked_at is not null
      group by unread.repository_id, known.owner, known.name, known.default_branch) as due
      where place <= ${mostOfOwner} order by is_urgent desc, since`,
    [now, without],
  )
  return rows.map(repositoryIn)
}

/** The pull request of a repository to read next: those of webhooks first. */
export async function findNextUnread(
  db: Database,
  repositoryId: bigint,
  { now, without }: { now: Date; without: readonly number[] },
): Promise<UnreadPull | undefined> {
  const { rows } = await db.query<UnreadPull>(
    `select number, head_sha, read_attempts, marked_by_webhook from pull_requests as pull
      where repository_id = $1 and ${isUnread} and read_after <= $2 and number <> all($3::integer[])
      order by marked_by_webhook desc, read_after, opened_at, number limit 1`,
    [repositoryId, now, without],
  )
  return rows[0]
}

/** The branch of a repository to read next. */
export async function findNextUnreadBranch(
  db: Database,
  repositoryId: bigint,
  { now, without }: { now: Date; without: readonly string[] },
): Promise<UnreadBranch | undefined> {
  const { rows } = await db.query<UnreadBranch>(
    `select branch, head_sha, read_attempts from pushed_branches as pushed
      where repository_id = $1 and ${isUnreadBranch} and read_after <= $2 and branch <> all($3::text[])
        and exists (select from observed_repositories where repository_id = $1 and walked_at is not null)
      order by read_after, branch limit 1`,
    [repositoryId, now, without],
  )
  return rows[0]
}

/** Records a failed reading, and when the next one may begin. A head that moved on meanwhile is read at once. */
export async function recordFailedReading(
  db: Database,
  repositoryId: bigint,
  unread: UnreadPull | UnreadBranch,
  readAfter: Date,
): Promise<void> {
  const [table, key, value] =
    'number' in unread ? ['pull_requests', 'number', unread.number] : ['pushed_branches', 'branch', unread.branch]
  await db.query(
    `update ${table} set read_attempts = $4, read_after = $5
      where repository_id = $1 and ${key} = $2 and head_sha = $3`,
    [repositoryId, value, unread.head_sha, unread.read_attempts + 1, readAfter],
  )
}

/** Postpones the readings of a repository, without those for webhooks unless `isAll`. */
export async function postponeReadings(
  db: Database,
  repositoryId: bigint,
  until: Date,
  { isAll }: { isAll: boolean },
): Promise<void> {
  await db.query(
    `update pull_requests as pull set read_after = $2
      where repository_id = $1 and ${isUnread} and read_after < $2 and ($3 or not marked_by_webhook)`,
    [repositoryId, until, isAll],
  )
  if (isAll) await postponeBranches(db, repositoryId, until)
}

/** Postpones the readings of the branches of a repository. */
export async function postponeBranches(db: Database, repositoryId: bigint, until: Date): Promise<void> {
  await db.query(
    `update pushed_branches as pushed set read_after = $2 where repository_id = $1 and ${isUnreadBranch} and read_after < $2`,
    [repositoryId, until],
  )
}

/**
 * Records that the first reading of a repository is complete: it was listed, and no files wait but those whose reading
 * failed. The time is that of the listing.
 */
export async function completeFirstReading(db: Database, repositoryId: bigint): Promise<void> {
  await db.query(completeFirstReadingsSql('observed.repository_id = $1'), [repositoryId])
}

/** The same for all repositories of the App: the last files may have been read with the token of a caller. */
export async function completeFirstReadings(db: Database): Promise<void> {
  await db.query(completeFirstReadingsSql('observed.by_app'))
}

function completeFirstReadingsSql(condition: string): string {
  return `update observed_repositories as observed set completed_at = walked_at
           where ${condition} and completed_at is null and walked_at is not null and failed_at is null
             and not exists (select from pull_requests as pull
                              where pull.repository_id = observed.repository_id and ${isUnread} and pull.read_attempts = 0)`
}

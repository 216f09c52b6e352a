import type { AttributeRules } from '../../changes/git-attributes.ts'
import type { Database } from '../../db/database.ts'

/** How far the open pull requests of a repository are read. */
export interface Observation {
  byApp: boolean
  completedAt: Date | null
  /** When all open pull requests were listed last. */
  walkedAt: Date | null
  newestUpdatedAt: Date | null
  failedAt: Date | null
  askedAt: Date | null
  attributesReadAt: Date | null
  /** How many pull requests are open, and how many of them have files that are not read. */
  open: number
  unread: number
  /** How many of those may be read now. */
  readable: number
  unreadSince: Date | null
}

const nothingRead: Observation = {
  ...{ byApp: false, completedAt: null, walkedAt: null, newestUpdatedAt: null, failedAt: null, askedAt: null },
  ...{ attributesReadAt: null, open: 0, unread: 0, readable: 0, unreadSince: null },
}

export async function findObservation(db: Database, repositoryId: bigint, now: Date): Promise<Observation> {
  const { rows } = await db.query<Observation>(
    `select repository.by_app as "byApp", repository.completed_at as "completedAt", repository.walked_at as "walkedAt",
            repository.newest_updated_at as "newestUpdatedAt", repository.failed_at as "failedAt",
            repository.asked_at as "askedAt", repository.attributes_read_at as "attributesReadAt", pulls.*
       from observed_repositories as repository,
            lateral (select count(*)::integer as open,
                            count(unread_since)::integer as unread,
                            (count(*) filter (where unread_since is not null and read_after <= $2))::integer as readable,
                            min(unread_since) as "unreadSince"
                       from pull_requests where repository_id = $1 and state = 'open') as pulls
      where repository.repository_id = $1`,
    [repositoryId, now],
  )
  return rows[0] ?? nothingRead
}

/** Saves that a caller asked about the repository. */
export async function saveAsked(db: Database, repositoryId: bigint, now: Date): Promise<void> {
  await db.query(
    `insert into observed_repositories (repository_id, asked_at) values ($1, $2)
     on conflict (repository_id) do update set asked_at = excluded.asked_at`,
    [repositoryId, now],
  )
}

export interface CompletedReading {
  began: Date
  /** Whether all open pull requests were listed. */
  isWalk: boolean
  /** The newest `updated_at` that was listed; null if none was. */
  newestUpdatedAt: Date | null
}

/** Saves a complete reading. The App may have taken over the repository meanwhile: then nothing is saved. */
export async function saveCompleted(db: Database, repositoryId: bigint, reading: CompletedReading): Promise<void> {
  await db.query(
    `update observed_repositories
        set completed_at = $2, failed_at = null, walked_at = case when $3 then $2 else walked_at end,
            newest_updated_at = greatest(newest_updated_at, $4)
      where repository_id = $1 and not by_app`,
    [repositoryId, reading.began, reading.isWalk, reading.newestUpdatedAt],
  )
}

export async function saveFailed(db: Database, repositoryId: bigint, now: Date): Promise<void> {
  await db.query(`update observed_repositories set failed_at = $2 where repository_id = $1 and not by_app`, [
    repositoryId,
    now,
  ])
}

/** Saves the rules of `.gitattributes`; null: there are none. */
export async function saveAttributes(
  db: Database,
  repositoryId: bigint,
  rules: AttributeRules | null,
  now: Date,
): Promise<void> {
  await db.query(
    `update observed_repositories set ignored_by_attributes = $2, attributes_read_at = $3 where repository_id = $1`,
    [repositoryId, rules && JSON.stringify(rules), now],
  )
}

export interface UnreadPull {
  number: number
  headSha: string
  attempts: number
}

/** The open pull requests whose files may be read now, those updated last first. */
export async function findUnread(db: Database, repositoryId: bigint, now: Date): Promise<UnreadPull[]> {
  const { rows } = await db.query<UnreadPull>(
    `select number, head_sha as "headSha", read_attempts as attempts from pull_requests
      where repository_id = $1 and state = 'open' and unread_since is not null and read_after <= $2
      order by github_updated_at desc, number desc limit 300`,
    [repositoryId, now],
  )
  return rows
}

/** The open pull requests that are none of these, those that are known longest first. */
export async function findOthers(
  db: Database,
  repositoryId: bigint,
  numbers: readonly number[],
): Promise<{ number: number }[]> {
  const { rows } = await db.query<{ number: number }>(
    `select number from pull_requests where repository_id = $1 and state = 'open' and not number = any($2)
      order by github_updated_at limit 300`,
    [repositoryId, numbers],
  )
  return rows
}

/** Leaves the files of a pull request alone for a while after a failure: 1 minute, then twice as long, up to an hour. */
export async function deferReading(
  db: Database,
  repositoryId: bigint,
  { number, headSha }: UnreadPull,
  now: Date,
): Promise<void> {
  await db.query(
    `update pull_requests
        set read_attempts = read_attempts + 1,
            read_after = $4::timestamptz + least(60, power(2, least(read_attempts, 10))) * interval '1 minute'
      where repository_id = $1 and number = $2 and head_sha = $3`,
    [repositoryId, number, headSha, now],
  )
}

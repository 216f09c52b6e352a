import type { PartlyListedPull } from '../../../core/schemas/observation.ts'
import type { Database } from '../../db/database.ts'
import { readPrepared } from '../../db/sql/prepared.ts'
import { isUnread, type UnreadPull } from '../pulls/unread.sql.ts'

export type { UnreadPull } from '../pulls/unread.sql.ts'

/** How far the open pull requests of a repository are read. */
export interface Observation {
  byApp: boolean
  completedAt: Date | null
  /** When all open pull requests were listed last. */
  fullyListedAt: Date | null
  newestUpdatedAt: Date | null
  failedAt: Date | null
  askedAt: Date | null
  attributesReadAt: Date | null
  /** Whether any pull request is open. */
  hasOpen: boolean
  /** How many open pull requests have files that are not read. */
  unread: number
  /** How many of those may be read now. */
  readable: number
  unreadSince: Date | null
  /** The open pull requests of which GitHub does not list all files. */
  partlyListed: readonly PartlyListedPull[]
}

const neverRead: Observation = {
  ...{ byApp: false, completedAt: null, fullyListedAt: null, newestUpdatedAt: null, failedAt: null, askedAt: null },
  ...{ attributesReadAt: null, hasOpen: false, unread: 0, readable: 0, unreadSince: null, partlyListed: [] },
}

/**
 * Whether a pull request of the repository `$1` meets the condition of a partial index. Ordered by that index, so that PostgreSQL
 * takes one step in it, also where most of the table is of this repository.
 */
function anyPull(condition: string, column: 'head_ref' | 'read_after'): string {
  return `coalesce((
    select true from pull_requests as pull where repository_id = $1 and ${condition} order by ${column} limit 1), false)`
}

/** Few of many: ordered by their partial index. */
const partlyListed = `array(
  select json_build_object('number', number, 'branch', case when head_repository_id = repository_id then head_ref end)
    from pull_requests where repository_id = $1 and state = 'open' and partly_listed and activity_id is not null
   order by number limit 100)`

/** Every check asks this. Pull requests are counted only where some are unread: a repository may have thousands. */
export async function findObservation(
  db: Pick<Database, 'pool'>,
  repositoryId: bigint,
  now: Date,
): Promise<Observation> {
  const rows = await readPrepared<Observation>(
    db,
    ['pull_requests'],
    `select repository.by_app as "byApp", repository.completed_at as "completedAt", repository.walked_at as "fullyListedAt",
            repository.newest_updated_at as "newestUpdatedAt", repository.failed_at as "failedAt",
            repository.asked_at as "askedAt", repository.attributes_read_at as "attributesReadAt",
            ${anyPull(`state = 'open'`, 'head_ref')} as "hasOpen", ${partlyListed} as "partlyListed", pulls.*
       from observed_repositories as repository,
            lateral (select count(*)::integer as unread,
                            (count(*) filter (where read_after <= $2))::integer as readable,
                            min(unread_since) as "unreadSince"
                       from pull_requests as pull
                      where repository_id = $1 and ${isUnread} and ${anyPull(isUnread, 'read_after')}) as pulls
      where repository.repository_id = $1`,
    [repositoryId, now],
  )
  return rows[0] ?? neverRead
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
  isFullList: boolean
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
    [repositoryId, reading.began, reading.isFullList, reading.newestUpdatedAt],
  )
}

export async function saveFailed(db: Database, repositoryId: bigint, now: Date): Promise<void> {
  await db.query(`update observed_repositories set failed_at = $2 where repository_id = $1 and not by_app`, [
    repositoryId,
    now,
  ])
}

/** The open pull requests whose files may be read now, those updated last first. */
export async function findUnread(db: Database, repositoryId: bigint, now: Date): Promise<UnreadPull[]> {
  const { rows } = await db.query<UnreadPull>(
    `select number, head_sha, read_attempts, marked_by_webhook from pull_requests as pull
      where repository_id = $1 and ${isUnread} and read_after <= $2
      order by github_updated_at desc, number desc limit 300`,
    [repositoryId, now],
  )
  return rows
}

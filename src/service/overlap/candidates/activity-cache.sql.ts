import { LRUCache } from 'lru-cache'
import type { FileChange } from '../../../core/changes/file-change.ts'
import { getOrCreate } from '../../../core/lib/maps.ts'
import { hidesWords } from '../../../core/rules/author.ts'
import type { CachedActivity, PullRequestInfo, RowVersion } from '../../../core/rules/candidates/rows.ts'
import { type ComparableWork, comparableWork } from '../../../core/rules/changed/changed-work.ts'
import { namedIssues, noIssues } from '../../../core/rules/duplicates/same-issue-rules.ts'
import { listColumns } from '../../../core/scope/columns.ts'
import type { Database } from '../../db/database.ts'
import { unionOfWork } from './covered-work.ts'

/** The transaction that wrote the row's version. A version is visible to others once it is committed, and never changes. */
export const versionColumn = 'xmin::text as version'

const columns = `id, title, actor, agent, status, branch, base_branch, risk, blocking, ${listColumns}, source,
  (source = 'recorded' or 'scope' = any(edited_fields)) as is_declared, author_login, author_id,
  array_to_json(issues) as issues, issues_from, pr_url, ended_at, ${versionColumn}, case when pr_repository_id = repository_id then pr_number end as pr_number,
  coalesce(opened_at, created_at) as began_at, heartbeat_at as seen_at`

/** Selected only where they exist: most activities are recorded, and have no changes. */
const changesColumns = `
  case when has_changes then (
    select json_object_agg(by, json_build_object('head_sha', head_sha, 'files', files, 'files_total', files_total))
      from activity_changes as known where known.repository_id = activities.repository_id and activity_id = id) end as changes,
  case when source = 'pull_request' then (
    select json_build_object('number', number, 'is_fork', head_repository_id is distinct from pull.repository_id,
        'head_ref', head_ref, 'head_sha', head_sha, 'association', author_association,
        'commits', case when files_head_sha = head_sha then array_to_json(commits) else '[]' end, 'version', pull.xmin::text, 'pushed_at', pushed_at)
      from pull_requests as pull where pull.repository_id = activities.repository_id and number = pr_number) end as pull,
  case when source = 'branch' then (
    select json_build_object('commits', case when files_head_sha = head_sha then array_to_json(commits) else '[]' end, 'version', pushed.xmin::text)
      from pushed_branches as pushed where pushed.repository_id = activities.repository_id and pushed.branch = activities.branch) end as pushed`

interface KnownFiles {
  head_sha: string | null
  files: FileChange[]
  files_total: number
}

interface Row extends Omit<CachedActivity, 'changed' | 'client' | 'pull' | 'issues'>, RowVersion {
  issues: number[]
  issues_from: string | null
  changes: { github?: KnownFiles; client?: KnownFiles } | null
  pull: (PullRequestInfo & { commits: string[]; version: string; pushed_at: string }) | null
  /** The branch of a record of the source `branch`. */
  pushed: { commits: string[]; version: string } | null
}

/** By the estimate of `sizeOf`, which a test compares with the memory that is taken. Room for thousands of pull requests. */
const MAX_CACHE_BYTES = 100_000_000

/** By activity id. If two repositories have the same id, the one read last is cached. */
type Cache = LRUCache<string, { repositoryId: bigint; version: string; activity: CachedActivity }>
type CachedDatabase = Pick<Database, 'query' | 'onConnectionLost'>

/** How many activities the first statement reads. Each further one reads about so many bytes, by the size of the activities before. */
const firstRead = 200
const bytesAtOnce = 8_000_000

/** How many more bytes may be read, by the estimate of `sizeOf`. */
export interface ReadingBudget {
  left: number
}

interface Holder {
  cache: Cache
  /** The epoch that the cached versions belong to. */
  epoch: string | undefined
}
const holders = new WeakMap<CachedDatabase, Holder>()

function newCache(): Cache {
  return new LRUCache({ maxSize: MAX_CACHE_BYTES, sizeCalculation: ({ activity }) => sizeOf(activity) })
}

/**
 * A new cache after a lost connection: a restored or lagging server may have given a version to another row. Behind a pooler
 * no connection is lost, and the epoch changes.
 */
function newHolder(db: CachedDatabase): Holder {
  const holder: Holder = { cache: newCache(), epoch: undefined }
  db.onConnectionLost(() => {
    holder.cache = newCache()
  })
  return holder
}

/** The cache of this epoch. What was cached in another one is forgotten. */
function cacheOf(db: CachedDatabase, epoch: string | undefined): Cache {
  const holder = getOrCreate(holders, db, () => newHolder(db))
  if (epoch !== undefined && holder.epoch !== epoch) {
    holder.cache = newCache()
    holder.epoch = epoch
  }
  return holder.cache
}

/** The approximate size of an activity in bytes. */
export function sizeOf({ areas, paths, changed, client, ...activity }: CachedActivity): number {
  const { title, actor, agent, branch, base_branch, pr_url } = activity
  const lists = [...areas, ...paths]
  const texts = bytesOfTexts(title, actor, agent ?? '', branch ?? '', base_branch ?? '', pr_url ?? '', ...lists)
  return 800 + 40 * lists.length + texts + sizeOfChanges(changed) + (client === changed ? 0 : sizeOfChanges(client))
}

function sizeOfChanges(known: ComparableWork | null): number {
  if (known === null) return 0
  const { files, commits } = known.work
  let bytes = 600 + 120 * commits.size
  for (const { path, previous_path, lines, blob } of files)
    bytes += 260 + bytesOfTexts(path, previous_path ?? '') + 70 * (lines?.length ?? 0) + (blob ? 24 + blob.length : 0)
  return bytes
}

/** Two bytes a character: V8 stores a text so if one of its characters is above U+00FF. */
function bytesOfTexts(...texts: string[]): number {
  return texts.reduce((sum, text) => sum + 2 * text.length, 0)
}

/**
 * The version of observed work: that of its activity and that of the row of its pull request or branch. Without such a
 * row, that of the activity.
 */
export function jointVersion(activity: string, head: string | undefined): string {
  return head === undefined ? activity : `${activity} ${head}`
}

/**
 * Loads these versions of activities, in this order. Only versions that are not cached are read: selecting and parsing a row
 * costs several times as much as naming its version. If a row has changed since, it is returned as it is now. A deleted row is
 * left out. `epoch` is that of the statement that found the versions; without it, that of the last check. Once `bytes` are read,
 * the others are left out.
 */
export async function loadActivities(
  db: CachedDatabase,
  repositoryId: bigint,
  versions: readonly RowVersion[],
  epoch?: string,
  bytes: ReadingBudget = { left: Number.POSITIVE_INFINITY },
): Promise<CachedActivity[]> {
  const cache = cacheOf(db, epoch)
  const activities = versions.map(({ id, version }) => {
    const cached = cache.get(id)
    const isCurrent = cached?.version === version || cached?.version.startsWith(`${version} `)
    return isCurrent && cached?.repositoryId === repositoryId ? cached.activity : undefined
  })
  const read = new Map<string, CachedActivity>()
  const missing = versions.filter((_, at) => activities[at] === undefined).map(({ id }) => id)
  for (let from = 0, count = firstRead; from < missing.length && bytes.left > 0; ) {
    const { rows } = await db.query<Row>(
      `select ${columns}, ${changesColumns} from activities where repository_id = $1 and id = any($2)`,
      [repositoryId, missing.slice(from, from + count)],
    )
    let size = 0
    for (const row of rows) {
      const activity = preparedActivity(row)
      size += sizeOf(activity)
      cache.set(activity.id, {
        repositoryId,
        version: jointVersion(row.version, (row.pull ?? row.pushed)?.version),
        activity,
      })
      read.set(activity.id, activity)
    }
    from += count
    bytes.left -= size
    count = Math.max(1, Math.floor((bytesAtOnce * count) / Math.max(size, 1)))
  }
  return versions.flatMap(({ id }, at) => activities[at] ?? read.get(id) ?? [])
}

function preparedActivity({ version, changes, pull, pushed, issues, issues_from, ...row }: Row): CachedActivity {
  const named = issues.length === 0 ? noIssues : namedIssues({ issues, issues_from })
  const prepared = (known: KnownFiles | undefined, commits: readonly string[]) =>
    known
      ? comparableWork({
          baseBranch: row.base_branch,
          author: row.author_login,
          headSha: known.head_sha,
          commits: new Set(commits),
          files: known.files,
          filesTotal: known.files_total,
          hidesWords: hidesWords({ source: row.source, pull }),
        })
      : null
  const github = prepared(changes?.github, (pull ?? pushed)?.commits ?? [])
  const client = prepared(changes?.client, [])
  const changed = unionOfWork(github, client)
  if (pull === null) return { ...row, issues: named, pull, changed, client }
  const { version: _version, commits: _commits, pushed_at, ...info } = pull
  // A heartbeat of a caller is no push.
  return { ...row, issues: named, seen_at: new Date(pushed_at), pull: info, changed, client }
}

import { LRUCache } from 'lru-cache'
import type { AttributeRules } from '../../../core/changes/git-attributes.ts'
import { getOrCreate } from '../../../core/lib/maps.ts'
import { ofStrangerSql, type PullAuthor } from '../../../core/rules/author.ts'
import type { LiveFilter, RowVersion } from '../../../core/rules/candidates/rows.ts'
import type { BranchInfo } from '../../../core/rules/relationship/relationship.ts'
import { isGraveSql } from '../../../core/rules/severity.ts'
import type { Database } from '../../db/database.ts'
import { readPrepared } from '../../db/sql/prepared.ts'
import { coveringActivitySql, coveringBranchWorkSql } from '../../records/activity/pull-request/covered.sql.ts'

/** Live observed work that a check has found, and the recorded activity that covers it (docs/rules.md#covered-work). */
export interface FoundObserved {
  id: string
  /** Null for a pushed branch. */
  number: number | null
  /** The version of its row of `pull_requests` or `pushed_branches`. */
  head_version: string
  /** Whether it is a pull request of a stranger, where the repository is public. */
  of_stranger: boolean
  cover: (RowVersion & BranchInfo & { is_grave: boolean }) | null
}

/** What a check reads of a repository's observed work, beside the activities. */
export interface ObservedFacts {
  works: FoundObserved[]
  /** The rules of `.gitattributes` that make files ignored; null if there are none. */
  attributes: AttributeRules | null
}

/** The attributes of the repositories that were checked last, and when they were read from GitHub. */
type Attributes = LRUCache<bigint, { readAt: Date; rules: AttributeRules | null }>
const attributesOf = new WeakMap<Pick<Database, 'query'>, Attributes>()

interface FactsRow {
  id: null
  attributes: AttributeRules | null
  attributes_read_at: Date | null
}

/**
 * Which of these live activities are observed, what covers them, and which files the repository ignores. One statement. Pull requests
 * come first: of several works that one activity covers, the last decides about the base.
 */
export async function loadObserved(
  db: Pick<Database, 'pool' | 'query'>,
  { repositoryId, now }: Pick<LiveFilter, 'repositoryId' | 'now'>,
  ids: readonly string[],
): Promise<ObservedFacts> {
  const cache = getOrCreate(attributesOf, db, (): Attributes => new LRUCache({ max: 500 }))
  const cached = cache.get(repositoryId)
  const rows = await readPrepared<(FoundObserved & { attributes: null }) | FactsRow>(
    db,
    ['activities', 'pull_requests'],
    `with found as materialized (
       select activity.* from unnest($2::text[]) as asked(id)
         cross join lateral (
           select repository_id, id, source, pr_number, branch from activities
            where repository_id = $1 and id = asked.id and source <> 'recorded' offset 0) as activity)
     select work.id, work.number, work.head_version, work.of_stranger, cover.cover, null::jsonb as attributes, null::timestamptz as attributes_read_at
       from (
         select activity.id, pull.number, pull.xmin::text as head_version, ${ofStrangerSql('pull')} as of_stranger, ${coveringActivitySql('pull', '$3')} as cover_id
           from found as activity
             cross join lateral (
               select *, xmin from pull_requests where repository_id = $1 and number = activity.pr_number offset 0) as pull
          where activity.source = 'pull_request'
         union all
         select pushed.id, null, branch.xmin::text, false, ${coveringBranchWorkSql('pushed', '$3')}
           from found as pushed
             cross join lateral (
               select xmin from pushed_branches where repository_id = $1 and branch = pushed.branch offset 0) as branch
          where pushed.source = 'branch') as work
         left join lateral (
           select json_build_object('id', id, 'version', xmin::text, 'branch', branch, 'base_branch', base_branch, 'is_grave', ${isGraveSql}) as cover
             from activities where repository_id = $1 and id = work.cover_id offset 0) as cover on true
     union all
     select null, null, null, null, null, case when attributes_read_at is distinct from $4 then ignored_by_attributes end, attributes_read_at
       from observed_repositories where repository_id = $1
     order by number, id`,
    [repositoryId, ids, now, cached?.readAt ?? null],
  )
  const facts = rows.find((row) => row.id === null)
  return { works: rows.flatMap((row) => (row.id === null ? [] : row)), attributes: attributesIn(facts) }

  /** Uses the cached rules if they are current, since rules may be long. */
  function attributesIn(row: FactsRow | undefined): AttributeRules | null {
    if (!row?.attributes_read_at) return null
    if (cached?.readAt.getTime() === row.attributes_read_at.getTime()) return cached.rules
    cache.set(repositoryId, { readAt: row.attributes_read_at, rules: row.attributes })
    return row.attributes
  }
}

/** How many live pull requests of a repository merge into a branch. Kept for a minute: the share of 5 % needs no exact number. */
const liveCounts = new WeakMap<Pick<Database, 'query'>, LRUCache<string, number>>()
const newCounts = () => new LRUCache<string, number>({ max: 1_000, ttl: 60_000 })

/**
 * How much live observed work merges into this branch, in a public repository without that of strangers. Counted only where many
 * change one file.
 */
export async function countLiveObserved(
  db: Pick<Database, 'query'>,
  { repositoryId, now }: LiveFilter,
  { baseBranch, isPublic }: { baseBranch: string; isPublic: boolean },
): Promise<number> {
  const counts = getOrCreate(liveCounts, db, newCounts)
  const known = counts.get(`${repositoryId} ${baseBranch}`)
  if (known !== undefined) return known
  const { rows } = await db.query<{ count: number }>(
    `select count(*)::int as count from activities
      where repository_id = $1 and ended_at is null and expires_at > $2 and source <> 'recorded' and coalesce(base_branch, '') = $3
        and not ($4 and exists (
          select from pull_requests as pull where repository_id = $1 and number = pr_number and ${ofStrangerSql('pull')}))`,
    [repositoryId, now, baseBranch, isPublic],
  )
  const count = rows[0]?.count ?? 0
  counts.set(`${repositoryId} ${baseBranch}`, count)
  return count
}

/** Who wrote those of these activities that are pull requests, and when they were pushed last, by the ids of the activities. */
export async function findPullAuthors(
  db: Pick<Database, 'query'>,
  repositoryId: bigint,
  works: readonly { id: string; source: string; pr_number: number | null }[],
): Promise<ReadonlyMap<string, PullAuthor & { pushed_at: Date }>> {
  const byNumber = new Map(works.map(({ id, source, pr_number }) => [source === 'pull_request' ? pr_number : null, id]))
  byNumber.delete(null)
  if (byNumber.size === 0) return new Map()
  const { rows } = await db.query<PullAuthor & { number: number; pushed_at: Date }>(
    `select number, author_association as association, head_repository_id is distinct from repository_id as is_fork, pushed_at
       from pull_requests where repository_id = $1 and number = any($2::int[])`,
    [repositoryId, [...byNumber.keys()]],
  )
  return new Map(
    rows.flatMap(({ number, ...author }) => {
      const id = byNumber.get(number)
      return id === undefined ? [] : [[id, author]]
    }),
  )
}

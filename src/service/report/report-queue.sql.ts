import type { Database } from '../db/database.ts'
import type { Prisma } from '../db/generated/client.ts'
import type { Repository } from '../records/repository/repository.ts'
import { type RepositoryRow, repositoryIn } from '../records/repository/repository-store.ts'

/** An entry of the queue of check runs: a pull request whose report has to be computed again. Triggers insert it into `report_marks`. */
export interface QueuedReport {
  number: number
  /** Whether the reports of the pull requests that it names are queued afterwards (`spreads`). */
  affectsOthers: boolean
  /** Whether somebody requested a re-run at GitHub: then the report is written even if nothing changed (`forced`). */
  isRerun: boolean
  /** Whether it was queued only because of a notable. */
  byNotable: boolean
  /** Changes each time it is queued again. */
  seq: bigint
  attempts: number
  /** Whether a request to create its check run was sent: GitHub may have it although no response says so (`tried`). */
  mayExist: boolean
}

/** How many repositories of one owner are found at a time. */
const mostOfOwner = 100

/**
 * The repositories with reports that are due: at most 100 of each owner, the longest waiting first. Those where only notables
 * queued reports come last.
 */
export async function findQueuedRepositories(db: Database, now: Date): Promise<Repository[]> {
  const columns = 'known.owner, known.name, known.default_branch, known.is_public'
  const { rows } = await db.query<RepositoryRow>(
    `select repository_id, owner, name, default_branch, is_public from (
       select mark.repository_id, ${columns}, bool_and(by_notable) as only_notables, min(mark.seq) as first,
              row_number() over (partition by lower(known.owner) order by bool_and(by_notable), min(mark.seq)) as place
         from (select repository_id, seq, by_notable from report_marks where due_at <= $1
                union all
               select notable.repository_id, notable.seq, true
                 from notable_marks as notable
                 join observed_repositories as observed on observed.repository_id = notable.repository_id and observed.by_app
                where notable.due_at <= $1) as mark
         join repositories as known on known.repository_id = mark.repository_id
        group by mark.repository_id, ${columns}) as due
      where place <= ${mostOfOwner} order by only_notables, first`,
    [now],
  )
  return rows.map(repositoryIn)
}

/**
 * The next report of a repository. Pushes come first, then collisions, each by how long they wait. Reports that only a notable
 * queued come last, the newest push first, and only with `withNotables`.
 */
export async function findNextReport(
  db: Database,
  repositoryId: bigint,
  { now, withNotables }: { now: Date; withNotables: boolean },
): Promise<QueuedReport | undefined> {
  const { rows } = await db.query<QueuedReport>(
    `select mark.number, spreads as "affectsOthers", forced as "isRerun", by_notable as "byNotable", seq, attempts, tried as "mayExist"
       from report_marks as mark
       left join pull_requests as pull on pull.repository_id = mark.repository_id and pull.number = mark.number
      where mark.repository_id = $1 and due_at <= $2 and (not by_notable or $3)
      order by by_notable, spreads desc, case when by_notable then pull.pushed_at end desc nulls last, seq limit 1`,
    [repositoryId, now, withNotables],
  )
  return rows[0]
}

/** Removes a report from the queue, unless it was queued again meanwhile. */
export async function removeReport(
  db: Database,
  repositoryId: bigint,
  { number, seq }: Pick<QueuedReport, 'number' | 'seq'>,
): Promise<void> {
  await db.query('delete from report_marks where repository_id = $1 and number = $2 and seq = $3', [
    repositoryId,
    number,
    seq,
  ])
}

/** Records that a check run is about to be created: GitHub may have it although no response says so. */
export async function recordCreateRequest(db: Database, repositoryId: bigint, number: number): Promise<void> {
  await db.query('update report_marks set tried = true where repository_id = $1 and number = $2', [
    repositoryId,
    number,
  ])
}

/** Postpones a report after a failure, unless it was queued again meanwhile. */
export async function postponeReport(
  db: Database,
  repositoryId: bigint,
  { number, seq, attempts }: QueuedReport,
  until: Date,
): Promise<void> {
  await db.query(
    'update report_marks set due_at = $4, attempts = $5 where repository_id = $1 and number = $2 and seq = $3',
    [repositoryId, number, seq, until, attempts + 1],
  )
}

/** Postpones all reports of a repository: GitHub takes no requests now. */
export async function postponeReports(db: Database, repositoryId: bigint, until: Date): Promise<void> {
  await db.query('update report_marks set due_at = $2 where repository_id = $1 and due_at < $2', [repositoryId, until])
}

/** Queues the reports of pull requests that the event of another one affects. These affect no others in turn. */
export async function queueReports(
  db: Database,
  repositoryId: bigint,
  numbers: readonly number[],
  dueAt: Date,
): Promise<void> {
  if (numbers.length === 0) return
  await db.query(
    `insert into report_marks (repository_id, number, spreads, due_at)
     select $1, number, false, $3 from unnest($2::integer[]) as number order by number
     on conflict (repository_id, number) do update
       set seq = nextval('report_marks_seq'), by_notable = false, due_at = least(report_marks.due_at, excluded.due_at)`,
    [repositoryId, numbers, dueAt],
  )
}

/**
 * Queues the report of a head after somebody requested its re-run at GitHub. Returns 1, or 0 if no open pull request has this head.
 */
export async function queueRerun(tx: Prisma.TransactionClient, repositoryId: bigint, headSha: string): Promise<number> {
  return tx.$executeRaw`
    insert into report_marks (repository_id, number, spreads, forced)
    select repository_id, number, false, true from pull_requests
     where repository_id = ${repositoryId} and head_sha = ${headSha} and state = 'open' order by number limit 1
    on conflict (repository_id, number) do update
      set forced = true, by_notable = false, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch'`
}

import type { Database } from '../db/database.ts'
import type { Prisma } from '../db/generated/client.ts'
import type { Repository } from '../records/repository/repository.ts'
import { type RepositoryRow, repositoryIn } from '../records/repository/repository-store.ts'

/** A pull request whose report has to be computed again. Triggers mark it (prisma/migrations). */
export interface ReportMark {
  number: number
  /** Whether the reports of those that it names are to be looked at too. */
  spreads: boolean
  /** Whether its report is written even if nothing changed. */
  forced: boolean
  /** Whether only a notable marked it. */
  by_notable: boolean
  /** Changes with each mark. */
  seq: bigint
  attempts: number
  /** Whether a request to create its check run was sent: GitHub may have it although no response says so. */
  tried: boolean
}

/** How many repositories of one owner are found at a time. */
const mostOfOwner = 100

/**
 * The repositories with marks that are due, those with more than notables' first, then the longest waiting. Of each owner at
 * most 100.
 */
export async function findMarkedRepositories(db: Database, now: Date): Promise<Repository[]> {
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
 * The next mark of a repository: those of pushes, then those of collisions, each by how long they wait. After all of these, if
 * `withNotables`, those of notables alone, the newest push first.
 */
export async function findNextMark(
  db: Database,
  repositoryId: bigint,
  { now, withNotables }: { now: Date; withNotables: boolean },
): Promise<ReportMark | undefined> {
  const { rows } = await db.query<ReportMark>(
    `select mark.number, spreads, forced, by_notable, seq, attempts, tried
       from report_marks as mark
       left join pull_requests as pull on pull.repository_id = mark.repository_id and pull.number = mark.number
      where mark.repository_id = $1 and due_at <= $2 and (not by_notable or $3)
      order by by_notable, spreads desc, case when by_notable then pull.pushed_at end desc nulls last, seq limit 1`,
    [repositoryId, now, withNotables],
  )
  return rows[0]
}

/** Deletes a mark that was dealt with, unless the pull request was marked again meanwhile. */
export async function deleteMark(
  db: Database,
  repositoryId: bigint,
  { number, seq }: Pick<ReportMark, 'number' | 'seq'>,
): Promise<void> {
  await db.query('delete from report_marks where repository_id = $1 and number = $2 and seq = $3', [
    repositoryId,
    number,
    seq,
  ])
}

/** Notes that a check run is about to be created: GitHub may have it although no response says so. */
export async function noteTry(db: Database, repositoryId: bigint, number: number): Promise<void> {
  await db.query('update report_marks set tried = true where repository_id = $1 and number = $2', [
    repositoryId,
    number,
  ])
}

/** Lets a mark wait, unless the pull request was marked again meanwhile. */
export async function postponeMark(
  db: Database,
  repositoryId: bigint,
  { number, seq, attempts }: ReportMark,
  until: Date,
): Promise<void> {
  await db.query(
    'update report_marks set due_at = $4, attempts = $5 where repository_id = $1 and number = $2 and seq = $3',
    [repositoryId, number, seq, until, attempts + 1],
  )
}

/** Lets all marks of a repository wait: GitHub takes no requests now. */
export async function postponeMarks(db: Database, repositoryId: bigint, until: Date): Promise<void> {
  await db.query('update report_marks set due_at = $2 where repository_id = $1 and due_at < $2', [repositoryId, until])
}

/** Marks pull requests that others' events affect. Those that they name are not looked at. */
export async function markAffected(
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
 * Marks the open pull requests of a head after a person requested their report at GitHub. Returns how many there are.
 */
export async function markHead(tx: Prisma.TransactionClient, repositoryId: bigint, headSha: string): Promise<number> {
  return tx.$executeRaw`
    insert into report_marks (repository_id, number, spreads, forced)
    select repository_id, number, false, true from pull_requests
     where repository_id = ${repositoryId} and head_sha = ${headSha} and state = 'open' order by number limit 1
    on conflict (repository_id, number) do update
      set forced = true, by_notable = false, seq = nextval('report_marks_seq'), attempts = 0, due_at = 'epoch'`
}

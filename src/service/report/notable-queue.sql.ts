import { indexLookups } from '../../core/rules/candidates/index-lookups.ts'
import { comparedPaths } from '../../core/scope/columns.ts'
import { isAboutRepository } from '../../core/scope/is-about-repository.ts'
import { parseScope } from '../../core/scope/parse-scope.ts'
import type { Database } from '../db/database.ts'
import { sqlParams } from '../db/sql/sql-params.ts'
import { activityIndex, selectByIndex } from '../overlap/candidates/find-by-index.sql.ts'
import type { ReportContext } from './compare-head.ts'

/** A notable that changed or ended, so that the check runs that meet it have to be computed again. A trigger inserts it into `notable_marks`. */
export interface QueuedNotable {
  id: string
  /** Changes each time it is queued again. */
  seq: bigint
  areas: string[]
  paths: string[]
  /** When it ends, if it is active and stands in titles. */
  ends_at: Date | null
}

/** The next notable of a repository that changed or ended. */
export async function findNextNotable(
  db: Database,
  repositoryId: bigint,
  now: Date,
): Promise<QueuedNotable | undefined> {
  const { rows } = await db.query<QueuedNotable>(
    `select notable.id, mark.seq, notable.areas, notable.paths,
            case when notable.ended_at is null and (notable.blocking or notable.importance = 'critical')
                  and least(notable.expires_at, notable.applies_until) > $2
                 then least(notable.expires_at, notable.applies_until) end as ends_at
       from notable_marks as mark
       join notables as notable on notable.repository_id = mark.repository_id and notable.id = mark.notable_id
      where mark.repository_id = $1 and mark.due_at <= $2 order by mark.seq limit 1`,
    [repositoryId, now],
  )
  return rows[0]
}

/**
 * Queues the reports of the open pull requests that a notable meets. Found by the index of scopes, they may be a few more. Every
 * pull request meets a notable about the whole repository.
 */
export async function queueReportsOf(context: ReportContext, { areas, paths }: QueuedNotable): Promise<void> {
  const { db, now, repository, settings, readGlob } = context
  const values: unknown[] = [repository.id, now]
  const compared = comparedPaths(paths)
  const isMet =
    isAboutRepository(areas, paths) || compared.length < paths.length
      ? 'true'
      : `pull.activity_id in (select id from (${selectByIndex(
          [indexLookups(parseScope({ areas, paths: [...compared] }, settings.areas, readGlob), [])],
          sqlParams(values),
          activityIndex,
        )}) as found)`
  await db.query(
    `insert into report_marks (repository_id, number, spreads, by_notable, due_at)
     select pull.repository_id, pull.number, false, true, $2 from pull_requests as pull
      where pull.repository_id = $1 and pull.state = 'open' and ${isMet} order by pull.number
     on conflict (repository_id, number) do update
       set seq = nextval('report_marks_seq'), due_at = least(report_marks.due_at, excluded.due_at)`,
    values,
  )
}

/** Postpones the notable until it ends, or removes it from the queue, unless it was queued again meanwhile. */
export async function finishNotable(
  db: Database,
  repositoryId: bigint,
  { id, seq, ends_at }: QueuedNotable,
): Promise<void> {
  const where = 'repository_id = $1 and notable_id = $2 and seq = $3'
  if (ends_at === null) await db.query(`delete from notable_marks where ${where}`, [repositoryId, id, seq])
  else await db.query(`update notable_marks set due_at = $4 where ${where}`, [repositoryId, id, seq, ends_at])
}

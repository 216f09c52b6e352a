import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type ActivityRow, insertActivity } from '../../../src/service/records/activity/activities.sql.ts'
import {
  coveringActivity,
  coveringActivitySql,
} from '../../../src/service/records/activity/pull-request/covered.sql.ts'
import { activityRow } from '../../support/activity-row.ts'
import { minute } from '../../support/clock.ts'
import { insertPullRequest } from '../../support/observed.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const start = new Date('2026-11-20T09:30:00.000Z')
const now = new Date(start.getTime() + 10 * minute)

let repositories = 0n

const db = await openTestDatabase()

/** Recorded work: of the branch or another one, linked in one of several ways, and live or not. */
const recorded = fc.record({
  elsewhere: fc.boolean(),
  observed: fc.boolean(),
  branch: fc.constantFrom('sessions', 'other', null),
  link: fc.constantFrom('none', 'none', 'this', 'other number', 'other repository', 'plain'),
  end: fc.constantFrom('live', 'live', 'live', 'ended', 'expired'),
})

function linkColumns(link: string, repository: bigint): Partial<ActivityRow> {
  const pr_url = 'https://github.com/acme/app/pull/12'
  if (link === 'none') return {}
  if (link === 'plain') return { pr_url }
  const pr_repository_id = link === 'other repository' ? repository + 1n : repository
  return { pr_url, pr_repository_id, pr_number: link === 'other number' ? 13 : 12 }
}

function endColumns(end: string): Partial<ActivityRow> {
  if (end === 'live') return {}
  if (end === 'expired') return { expires_at: now }
  return { status: 'abandoned', ended_at: start }
}

it('the activity that covers a pull request is the same in SQL and in the pure function', async () => {
  const pull = fc.constantFrom('own branch', 'own branch', 'fork', 'fork that is gone')
  await fc.assert(
    fc.asyncProperty(fc.array(recorded, { maxLength: 6 }), pull, async (works, head) => {
      repositories += 10n
      const repository = { id: repositories, owner: 'acme', name: 'app' }
      const head_repository_id = head === 'own branch' ? repository.id : head === 'fork' ? 99n : null
      await insertPullRequest(db, repository, start, { pull: { head_repository_id } })
      const live: ActivityRow[] = []
      for (const { elsewhere, observed, branch, link, end } of works) {
        const repository_id = repository.id + (elsewhere ? 1n : 0n)
        const columns = { ...linkColumns(link, repository.id), ...endColumns(end), repository_id, branch }
        const row = activityRow(start, { ...columns, source: observed ? 'branch' : 'recorded' })
        await insertActivity(db.prisma, row)
        if (end === 'live' && !observed) live.push(row)
      }
      const { rows } = await db.query<{ covering: string | null }>(
        `select ${coveringActivitySql('pull', '$2')} as covering from pull_requests as pull where repository_id = $1`,
        [repository.id, now],
      )
      const work = { repository_id: repository.id, number: 12, head_ref: 'sessions', head_repository_id }
      expect(rows[0]?.covering).toBe(coveringActivity(work, live)?.id ?? null)
    }),
    { numRuns: 60 },
  )
})

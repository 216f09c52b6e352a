import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type ActivityRow,
  findActivity,
  heartbeatRow,
  insertActivity,
} from '../../../src/service/records/activity/activities.sql.ts'
import {
  archiveBranch,
  archiveMerged,
  heartbeatBranch,
  linkPullRequest,
} from '../../../src/service/records/activity/events/branch-events.ts'
import { eventToleranceMs, latestCreatedAt } from '../../../src/service/records/activity/events/event-time.ts'
import { extendedExpiry } from '../../../src/service/records/activity/lifetime.ts'
import { activityRow } from '../../support/activity-row.ts'
import { day } from '../../support/clock.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const repositoryId = 1n
const start = new Date('2026-11-20T09:30:00.000Z')
const later = (ms: number, from = start) => new Date(from.getTime() + ms)

const db = await openTestDatabase()

/** Inserts a live activity on a branch of its own. */
async function insert(changes: Partial<ActivityRow> = {}) {
  const row = activityRow(start, changes)
  await insertActivity(db.prisma, row)
  return { ...row, branch: row.id }
}

async function read(id: string): Promise<ActivityRow> {
  const row = await findActivity(db, repositoryId, id)
  if (!row) throw new Error(`There is no activity ${id}`)
  return row
}

describe('the expiry after a heartbeat', () => {
  const duration = fc.integer({ min: 60_000, max: 30 * day })
  const heartbeat = fc.record({
    expires: duration,
    ms: fc.integer({ min: 0, max: 60 * day }),
    settings: fc.record({ activity_ttl_ms: duration, max_activity_ttl_ms: fc.option(duration) }),
  })

  it('is what `extendedExpiry` returns, for a heartbeat of one activity and of a branch', async () => {
    await fc.assert(
      fc.asyncProperty(heartbeat, async ({ expires, ms, settings }) => {
        const now = later(Math.min(ms, expires - 1))
        const [one, onBranch] = [
          await insert({ expires_at: later(expires) }),
          await insert({ expires_at: later(expires) }),
        ]
        const { activity_ttl_ms: ttlMs, max_activity_ttl_ms: maxTtlMs } = settings
        await heartbeatRow(db, { repositoryId, id: one.id, now, ttlMs, maxTtlMs, endedAfter: start, observed: false })
        const { branch } = onBranch
        const count = await db.transaction((tx) =>
          heartbeatBranch(tx, { repositoryId, branch }, { now, pushedAt: now }, async () => settings),
        )
        expect(count).toBe(1)
        const expected = { heartbeat_at: now, expires_at: extendedExpiry(one, now, settings) }
        expect(await read(one.id)).toMatchObject(expected)
        expect(await read(onBranch.id)).toMatchObject(expected)
      }),
    )
  })
})

describe('the activities that an event of a branch concerns', () => {
  const eventAge = fc.option(
    fc.oneof(fc.integer({ min: 0, max: 9 * day }), fc.constant(8 * day), fc.constant(8 * day + 1)),
  )
  /** How long after the event the activity was created, in ms: often at the eventToleranceMs. */
  const gap = fc.oneof(
    fc.integer({ min: -day, max: day }),
    fc.integer({ min: -2, max: 2 }).map((ms) => eventToleranceMs + ms),
  )
  const now = later(10 * day)

  it('are those created until `latestCreatedAt`, for a deletion and for an opened pull request', async () => {
    await fc.assert(
      fc.asyncProperty(eventAge, gap, async (age, ms) => {
        const eventAt = age === null ? null : later(-age, now)
        const created_at = later(ms, eventAt ?? now)
        const latest = latestCreatedAt(eventAt, now)
        const concerned = latest === null || created_at <= latest ? 1 : 0
        const [deleted, opened] = [await insert({ created_at }), await insert({ created_at })]
        const result = await db.transaction(async (tx) => ({
          deletion: await archiveBranch(tx, { repositoryId, branch: deleted.branch, pushedAt: eventAt }, now),
          opening: await linkPullRequest(tx, { ...pullRequest, head: opened.branch, updatedAt: eventAt }, now),
        }))
        expect(result).toMatchObject({ deletion: { archived: concerned }, opening: { linked: concerned } })
      }),
    )
  })

  it('are those created until the merge and the eventToleranceMs, for a merge, however late it arrives', async () => {
    await fc.assert(
      fc.asyncProperty(eventAge, gap, async (age, ms) => {
        const mergedAt = age === null ? null : later(-age, now)
        const { branch: head } = await insert({ created_at: later(ms, mergedAt ?? now) })
        const merge = { repositoryId, number: 8, head, base: null, defaultBranch: 'main', mergedAt }
        const { merged } = await db.transaction((tx) => archiveMerged(tx, merge, now))
        expect(merged).toBe(mergedAt === null || ms <= eventToleranceMs ? 1 : 0)
      }),
    )
  })
})

const pullRequest = {
  repositoryId,
  number: 7,
  url: 'https://github.com/octocat/hello-world/pull/7',
  defaultBranch: 'main',
  draft: false,
  opened: false,
}

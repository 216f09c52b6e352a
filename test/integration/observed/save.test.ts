import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { FileChange } from '../../../src/core/changes/file-change.ts'
import type { Database } from '../../../src/service/db/database.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { extendOpen } from '../../../src/service/observed/observed-activity.sql.ts'
import type {
  PullRequestEventFacts,
  PullRequestFacts,
} from '../../../src/service/observed/pull-requests/pull-request.ts'
import { endMissingPullRequest } from '../../../src/service/observed/pull-requests/pull-request-ended.ts'
import { saveFiles } from '../../../src/service/observed/pull-requests/save-files.ts'
import { savePullRequest } from '../../../src/service/observed/pull-requests/save-pull-request.ts'
import {
  type ActivityRow,
  changeActivity,
  findActivity,
  insertActivity,
} from '../../../src/service/records/activity/activities.sql.ts'
import { loadChanges } from '../../../src/service/records/activity/details/changes.sql.ts'
import { activityRow } from '../../support/activity-row.ts'
import { type Clock, day, hour, minute, startClock } from '../../support/clock.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { pullRequestFacts } from '../../support/pull-request-facts.ts'

const repository = { id: 1n, owner: 'acme', name: 'app', defaultBranch: 'main', serverUrl: 'https://github.com' }
const [headA, headB] = ['a'.repeat(40), 'b'.repeat(40)]

let db: Database
let drop: () => Promise<void>
let clock: Clock
let number = 0

beforeAll(async () => {
  const database = await createTestDatabase()
  drop = database.drop
  db = databaseAt(database.url)
})
beforeEach(() => {
  clock = startClock()
  number++
})
afterAll(async () => {
  await db.close()
  await drop()
})

const save = (changes: Partial<PullRequestFacts> = {}, event?: Partial<PullRequestEventFacts>) =>
  db.transaction((tx) =>
    savePullRequest(
      tx,
      repository,
      pullRequestFacts({ number, updatedAt: clock.now(), ...changes }),
      clock.now(),
      event && { reopened: false, pushedAt: null, ...event },
    ),
  )
const push = (headSha: string) => save({ headSha }, { pushedAt: clock.now() })

const file = (path: string): FileChange => ({ path, previous_path: null, status: 'modified', lines: [[3, 4]] })
const read = (headSha: string, paths: string[], committedAt: Date | null = null) => {
  const files = {
    headSha,
    files: paths.map(file),
    filesTotal: paths.length,
    isPartlyListed: false,
    commits: ['c1', headSha],
    committedAt,
  }
  return db.transaction((tx) => saveFiles(tx, repository, number, files, clock.now()))
}
const row = () =>
  db.prisma.pullRequest.findUniqueOrThrow({ where: { repository_id_number: { repository_id: 1n, number } } })
const records = () =>
  db.prisma.activity.findMany({
    where: { repository_id: 1n, pr_number: number, source: 'pull_request' },
    orderBy: { id: 'asc' },
  })
const record = async () => (await records()).at(-1) ?? expect.fail('no record')
const isRead = async () => {
  const { head_sha, files_head_sha } = await row()
  return head_sha === files_head_sha
}
const edit = async (columns: Partial<ActivityRow>) => changeActivity(db.prisma, await record(), columns)
const archiveByCaller = () =>
  edit({ status: 'archived', archived_reason: 'caller', archived_at: clock.now(), ended_at: clock.now() })

describe('an open pull request', () => {
  it('becomes an activity, whose files are unread until they are read', async () => {
    expect(await save()).toEqual({ observed: 1, ended: 0, merged: 0, unread: 1 })
    expect(await record()).toMatchObject({
      source: 'pull_request',
      title: 'Rework the login',
      summary: `Pull request #${number}`,
      status: 'ready-for-review',
      opened_at: new Date('2026-11-18T08:00:00Z'),
      created_at: clock.now(),
      expires_at: new Date(clock.now().getTime() + 48 * hour),
      heartbeat_at: null,
      has_changes: false,
    })
    expect(await row()).toMatchObject({ files_head_sha: null, unread_since: clock.now(), marked_by_webhook: false })
    const committedAt = new Date('2026-11-19T07:00:00Z')
    expect(await read(headA, ['src/a.ts', 'src/b.ts'], committedAt)).toBe(true)
    expect(await record()).toMatchObject({
      summary: `Pull request #${number}: 2 files`,
      paths: ['src/a.ts', 'src/b.ts'],
      heartbeat_at: committedAt,
      has_changes: true,
    })
    expect(await row()).toMatchObject({ files_head_sha: headA, unread_since: null, commits: ['c1', headA] })
    const [changes] = await loadChanges(db.prisma, 1n, [(await record()).id])
    expect(changes).toMatchObject({
      by: 'github',
      head_sha: headA,
      files_total: 2,
      files: [file('src/a.ts'), file('src/b.ts')],
    })
  })

  it('saved again unchanged writes nothing that a caller could see', async () => {
    await save()
    const before = await record()
    clock.advance(minute)
    expect(await save()).toEqual({ observed: 0, ended: 0, merged: 0, unread: 0 })
    expect(await record()).toEqual(before)
  })

  it('follows title, draft and base, but not over what a caller has set', async () => {
    await save()
    await edit({ title: 'Mine', edited_fields: ['title'] })
    clock.advance(minute)
    await save({ title: 'Other', draft: true, baseRef: 'next' })
    expect(await record()).toMatchObject({
      title: 'Mine',
      status: 'draft-pr-open',
      draft_pr: true,
      base_branch: 'next',
      updated_at: clock.now(),
    })
  })

  it('keeps a scope that a caller has set when its files are read', async () => {
    await save()
    await edit({ paths: ['docs/**'], edited_fields: ['scope'] })
    await read(headA, ['src/a.ts'])
    expect(await record()).toMatchObject({ paths: ['docs/**'], summary: `Pull request #${number}: 1 file` })
  })

  it('is unread again after a push, whose time a webhook says exactly', async () => {
    await save()
    await read(headA, ['a'])
    clock.advance(hour)
    expect(await push(headB)).toMatchObject({ unread: 1 })
    const pushed = clock.now()
    expect(await isRead()).toBe(false)
    expect(await row()).toMatchObject({ marked_by_webhook: true, unread_since: pushed })
    expect(await record()).toMatchObject({ heartbeat_at: pushed })
    clock.advance(minute)
    await read(headB, ['b'], new Date('2020-01-01T00:00:00Z'))
    expect(await record()).toMatchObject({ heartbeat_at: pushed, paths: ['b'] })
    expect(await row()).toMatchObject({ pushed_at: pushed, marked_by_webhook: false })
  })

  it('was never pushed later than it was updated, whatever the last commit says', async () => {
    await save()
    await read(headA, [], new Date('2031-01-01T00:00:00Z'))
    expect(await row()).toMatchObject({ pushed_at: clock.now() })
  })

  it('is not changed by older facts', async () => {
    await save({ headSha: headB })
    const late = { title: 'Old', updatedAt: new Date(clock.now().getTime() - minute) }
    expect(await save(late)).toMatchObject({ observed: 0, unread: 0 })
    expect(await save({ ...late, state: 'closed' })).toMatchObject({ ended: 0 })
    expect(await record()).toMatchObject({ title: 'Rework the login', ended_at: null })
    expect(await row()).toMatchObject({ head_sha: headB })
  })

  it('takes the time of the push from a late event of its head', async () => {
    await save({ headSha: headB })
    const pushedAt = new Date(clock.now().getTime() - minute)
    await save({ headSha: headB, title: 'Old', updatedAt: pushedAt }, { pushedAt })
    expect(await row()).toMatchObject({ pushed_at: pushedAt, push_reported_sha: headB, title: 'Rework the login' })
    expect(await record()).toMatchObject({ heartbeat_at: pushedAt })
  })

  it('discards files of an older head', async () => {
    await save()
    clock.advance(minute)
    await push(headB)
    expect(await read(headA, ['a'])).toBe(false)
    expect(await record()).toMatchObject({ paths: [], has_changes: false })
    expect(await isRead()).toBe(false)
  })

  it('has one record, however many save it at the same time', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 === 0 ? save() : push(headB))))
    expect(await records()).toHaveLength(1)
  })

  it('gets a new record where the old one has expired', async () => {
    await save()
    await read(headA, ['a'])
    clock.advance(49 * hour)
    expect(await save()).toMatchObject({ observed: 1, unread: 1 })
    expect(await records()).toHaveLength(2)
    expect(await isRead()).toBe(false)
  })
})

describe('an extension', () => {
  const expiry = async () => (await record()).expires_at.getTime() - clock.now().getTime()

  it('is written where less than 36 hours are left, and leaves the version of the record otherwise', async () => {
    await save()
    const extend = (numbers: number[] | 'all') => db.transaction((tx) => extendOpen(tx, 1n, numbers, clock.now()))
    clock.advance(11 * hour)
    expect(await extend([number])).toBe(0)
    clock.advance(2 * hour)
    expect(await extend([number + 1])).toBe(0)
    expect(await extend([number])).toBe(1)
    expect(await expiry()).toBe(48 * hour)
    clock.advance(day)
    expect(await extend('all')).toBeGreaterThanOrEqual(1)
    expect(await expiry()).toBe(48 * hour)
  })

  it('revives nothing that has expired', async () => {
    await save()
    clock.advance(49 * hour)
    expect(await db.transaction((tx) => extendOpen(tx, 1n, [number], clock.now()))).toBe(0)
  })
})

describe('a pull request that was put aside', () => {
  it('has no record until its next push', async () => {
    await save()
    await archiveByCaller()
    clock.advance(minute)
    expect(await save({ title: 'Other' })).toMatchObject({ observed: 0, unread: 0 })
    expect(await row()).toMatchObject({ activity_id: null, put_aside_head_sha: headA, unread_since: null })
    clock.advance(minute)
    expect(await push(headB)).toMatchObject({ observed: 1, unread: 1 })
    expect(await row()).toMatchObject({ put_aside_head_sha: null })
    expect(await records()).toHaveLength(2)
  })

  it('has a new record after its reopening', async () => {
    await save()
    await archiveByCaller()
    clock.advance(minute)
    await save({ state: 'closed', endedAt: clock.now() })
    clock.advance(minute)
    expect(await save({}, { reopened: true })).toMatchObject({ observed: 1 })
    expect(await record()).toMatchObject({ ended_at: null, status: 'ready-for-review' })
  })

  it('stays so when its files are read late', async () => {
    await save()
    await archiveByCaller()
    expect(await read(headA, ['a'])).toBe(true)
    expect(await record()).toMatchObject({ status: 'archived', archived_reason: 'caller', paths: [] })
  })
})

describe('the end of a pull request', () => {
  const ended = { state: 'merged' } as const

  it('archives its record as closed or merged', async () => {
    await save()
    clock.advance(minute)
    expect(await save({ state: 'closed', endedAt: clock.now() })).toMatchObject({ ended: 1, merged: 0 })
    expect(await record()).toMatchObject({ status: 'archived', archived_reason: 'closed', archived_at: clock.now() })
    number++
    await save()
    expect(await save({ ...ended, endedAt: clock.now() })).toMatchObject({ ended: 1, merged: 0 })
    expect(await record()).toMatchObject({ archived_reason: 'merged' })
  })

  it('archives recorded work on its branch when it was merged, as a webhook would', async () => {
    const work = activityRow(new Date(clock.now().getTime() - hour), { branch: `feat-${number}` })
    await insertActivity(db.prisma, work)
    await save({ headRef: `feat-${number}` })
    expect(await save({ ...ended, headRef: `feat-${number}`, endedAt: clock.now() })).toMatchObject({
      ended: 1,
      merged: 1,
    })
    expect(await findActivity(db, 1n, work.id)).toMatchObject({ archived_reason: 'merged' })
    expect(await record()).toMatchObject({ archived_reason: 'merged' })
  })

  it('of a fork leaves recorded work on a branch of the same name', async () => {
    const work = activityRow(clock.now(), { branch: `feat-${number}` })
    await insertActivity(db.prisma, work)
    const fork = { headRef: `feat-${number}`, headRepositoryId: 2n, headOwner: 'bob' }
    await save(fork)
    expect(await save({ ...fork, ...ended, endedAt: clock.now() })).toMatchObject({ ended: 1, merged: 0 })
    expect(await findActivity(db, 1n, work.id)).toMatchObject({ ended_at: null })
  })

  it('comes before a late event of its opening', async () => {
    const opened = clock.now()
    clock.advance(minute)
    await save({ state: 'closed', endedAt: clock.now() })
    expect(await save({ updatedAt: opened })).toMatchObject({ observed: 0 })
    expect(await records()).toEqual([])
  })

  it('wins over an open state of the same second, but for a reopening', async () => {
    await save()
    await save({ state: 'closed', endedAt: clock.now() })
    expect(await save()).toMatchObject({ observed: 0 })
    expect(await save({}, { reopened: true })).toMatchObject({ observed: 1 })
  })

  it('discards files that are read late', async () => {
    await save()
    await save({ state: 'closed', endedAt: clock.now() })
    expect(await read(headA, ['a'])).toBe(false)
  })

  it('is that of a pull request that GitHub no longer has', async () => {
    await save()
    const end = () => db.transaction((tx) => endMissingPullRequest(tx, 1n, number, clock.now()))
    expect([await end(), await end()]).toEqual([1, 0])
    expect(await record()).toMatchObject({ archived_reason: 'closed' })
  })
})

describe('a sweep', () => {
  it('deletes pull requests that ended before the retention, and no open one', async () => {
    const rows = () => db.prisma.pullRequest.count({ where: { repository_id: 1n, number: { gte: number - 1 } } })
    await save()
    number++
    await save()
    await save({ state: 'closed', endedAt: clock.now() })
    const options = { retentionMs: 30 * day }
    await sweep(db, { ...options, now: new Date(clock.now().getTime() + 29 * day) })
    expect(await rows()).toBe(2)
    await sweep(db, { ...options, now: new Date(clock.now().getTime() + 31 * day) })
    expect(await rows()).toBe(1)
    number--
    expect(await row()).toMatchObject({ state: 'open' })
  })
})

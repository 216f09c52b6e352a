import { afterAll, beforeAll, expect, it } from 'vitest'
import { createActivity } from '../../../src/service/api/operations/create-activity.ts'
import { updateActivity } from '../../../src/service/api/operations/update-activity.ts'
import type { Context } from '../../../src/service/context.ts'
import type { Database } from '../../../src/service/db/database.ts'
import { lockPullRequest } from '../../../src/service/observed/pull-requests/pull-requests.sql.ts'
import { savePullRequest } from '../../../src/service/observed/pull-requests/save-pull-request.ts'
import { insertActivity } from '../../../src/service/records/activity/activities.sql.ts'
import { archiveActivity } from '../../../src/service/records/activity/archive.ts'
import { activityRow } from '../../support/activity-row.ts'
import { testContext } from '../../support/context.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { insertPullRequest } from '../../support/observed.ts'
import { pullRequestFacts } from '../../support/pull-request-facts.ts'

const now = new Date('2026-11-20T09:30:00.000Z')

let db: Database
let other: Database
let drop: () => Promise<void>
let repositories = 0n

beforeAll(async () => {
  const database = await createTestDatabase()
  drop = database.drop
  db = databaseAt(database.url)
  other = databaseAt(database.url)
})
afterAll(async () => {
  await db.close()
  await other.close()
  await drop()
})

const input = { title: 'Login', summary: 'Rework it.', actor: 'Bob', scope: undefined, risk: 'low' } as const
const url = 'https://github.com/acme/app/pull/12'

/** A repository with an open pull request on `sessions`, and recorded work on another branch. */
async function setUp() {
  const repository = { id: ++repositories, owner: 'acme', name: 'app', defaultBranch: 'main' }
  const { id: observed } = await insertPullRequest(other, repository, now)
  const row = activityRow(now, { repository_id: repository.id, branch: 'other' })
  await insertActivity(other.prisma, row)
  return { repository, observed, recorded: row.id, context: testContext(db, repository, now) }
}

/** Waits until a connection of this database waits for a row that another one has locked. */
async function untilBlocked(): Promise<void> {
  for (;;) {
    const { rows } = await other.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    if (rows.length > 0) return
  }
}

const create = (context: Context, fields: object) =>
  createActivity(context, { ...input, draft_pr: false, blocking: false, issues: [], ...fields }, undefined)

it.each<[string, (set: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>]>([
  ['a create on its branch', ({ context }) => create(context, { branch: 'sessions' })],
  ['a create with its link', ({ context }) => create(context, { pr_url: url })],
  ['a PATCH to its branch', ({ context, recorded }) => updateActivity(context, recorded, { branch: 'sessions' })],
  ['a PATCH to its link', ({ context, recorded }) => updateActivity(context, recorded, { pr_url: url })],
  ['an archive of its record', ({ context, observed }) => archiveActivity(context, observed)],
  [
    'a PATCH that ends its record',
    ({ context, observed }) => updateActivity(context, observed, { status: 'abandoned' }),
  ],
])('%s waits for a reading that has locked the pull request', async (_what, work) => {
  const set = await setUp()
  const finished: string[] = []
  let waiting: Promise<unknown> = Promise.resolve()
  await other.transaction(
    async (tx) => {
      await lockPullRequest(tx, set.repository.id, 12)
      waiting = work(set).then(() => finished.push('work'))
      await untilBlocked()
      finished.push('reading')
    },
    { timeout: 30_000 },
  )
  await waiting
  expect(finished).toEqual(['reading', 'work'])
})

it.each<[string, (set: Awaited<ReturnType<typeof setUp>>) => Promise<unknown>]>([
  ['a create on another branch', ({ context }) => create(context, { branch: 'elsewhere' })],
  ['a PATCH of its title', ({ context, recorded }) => updateActivity(context, recorded, { title: 'Other' })],
])('%s does not wait', async (_what, work) => {
  const set = await setUp()
  await other.transaction(
    async (tx) => {
      await lockPullRequest(tx, set.repository.id, 12)
      await work(set)
    },
    { timeout: 30_000 },
  )
})

it('creates, PATCHes and readings at the same time leave each pull request with one record', async () => {
  for (let round = 0; round < 15; round++) {
    const { repository, context, recorded } = await setUp()
    const facts = (changes: object) =>
      pullRequestFacts({ headRef: 'sessions', headRepositoryId: repository.id, updatedAt: now, ...changes })
    const save = (changes: object) =>
      other.transaction((tx) =>
        savePullRequest(tx, { ...repository, serverUrl: 'https://github.com' }, facts(changes), now),
      )
    await Promise.all([
      create(context, { branch: 'sessions' }),
      save({ title: 'Renamed' }),
      updateActivity(context, recorded, { pr_url: url }),
      save({ headSha: 'b'.repeat(40) }),
      save({ number: 13 }),
      create(context, { branch: 'sessions', pr_url: url }),
    ])
    const records = await db.prisma.activity.groupBy({
      by: ['pr_number'],
      where: { repository_id: repository.id, source: 'pull_request', ended_at: null },
      _count: true,
      orderBy: { pr_number: 'asc' },
    })
    expect(records).toEqual([
      { pr_number: 12, _count: 1 },
      { pr_number: 13, _count: 1 },
    ])
  }
})

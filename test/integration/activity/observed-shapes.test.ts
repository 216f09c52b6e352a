import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Activity, RetrievedActivity } from '../../../src/core/schemas/activity.ts'
import { saveChanges } from '../../../src/service/records/activity/details/changes.sql.ts'
import { refusal } from '../../support/client.ts'
import { day, hour } from '../../support/clock.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf })
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Bob' }

async function ids(repository: TestRepository, query = ''): Promise<string[]> {
  return (await repository.page(`/activity${query}`)).items.map(({ id }) => id)
}

async function retrieved(repository: TestRepository, id: string): Promise<RetrievedActivity> {
  const { status, body } = await repository.get(`/activity/${id}`)
  expect(status).toBe(200)
  return body as RetrievedActivity
}

const observe = (repository: TestRepository, parts?: Parameters<typeof insertPullRequest>[3]) =>
  insertPullRequest(service.db, repository, service.clock.now(), parts)

describe('recorded work', () => {
  it('is its own source, begins when it was created, and has no changes', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    expect(activity).toMatchObject({
      source: 'recorded',
      began_at: activity.created_at,
      covered_by: null,
      changes: null,
    })
    expect(await retrieved(repository, activity.id)).toMatchObject({ source: 'recorded', changes: null })
  })
})

describe('observed work', () => {
  it('is listed with a count of its changes, and shown with its files', async () => {
    const repository = service.newRepository()
    const files = [changedFile('src/b.ts', { lines: null }), changedFile('src/a.ts', { lines: [[120, 164]] })]
    const { id } = await observe(repository, { files })
    const now = service.clock.now().toISOString()
    const { items } = await repository.page('/activity')
    const counts = { by: 'github', head_sha: 'a1', files_total: 2, files_compared: 2, read_at: now }
    expect(items).toMatchObject([
      {
        ...{ id, source: 'pull_request', author_login: 'alice', covered_by: null, changes: counts },
        began_at: new Date(service.clock.now().getTime() - hour).toISOString(),
      },
    ])
    expect(items[0]?.changes).not.toHaveProperty('files')
    const one = await retrieved(repository, id)
    expect(one).toMatchObject({ pr_reminder_due: false, changes: { ...counts, files: [files[1], files[0]] } })
  })

  it('shows 300 files and counts all', async () => {
    const repository = service.newRepository()
    const files = Array.from({ length: 400 }, (_, n) => changedFile(`src/${n}.ts`))
    const { id } = await observe(repository, { files })
    const { changes } = await retrieved(repository, id)
    expect(changes).toMatchObject({ files_total: 400, files_compared: 400 })
    expect(changes?.files).toHaveLength(300)
  })

  it('is never due for a pull request', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository, {
      activity: { source: 'branch', pr_url: null, pr_repository_id: null, pr_number: null },
    })
    service.clock.advance(3 * day)
    expect(await retrieved(repository, id)).toMatchObject({ pr_reminder_due: false })
  })

  it('is not there for a caller who may not read pull requests, and nor is what GitHub says', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository, { files: [changedFile('src/a.ts')] })
    const { activity } = await repository.created('/activity', { ...work, branch: 'sessions' })
    expect(await retrieved(repository, activity.id)).toMatchObject({ changes: { by: 'github' } })
    await viewer.as({ mayRead: false }, async () => {
      expect(refusal(await repository.get(`/activity/${id}`))).toEqual({ status: 404, code: 'not_found' })
      for (const [method, path, body] of [
        ['PATCH', `/activity/${id}`, { title: 'x' }],
        ['POST', `/activity/${id}/heartbeat`, undefined],
        ['POST', `/activity/${id}/archive`, undefined],
      ] as const)
        expect(refusal(await repository.call(method, path, { body }))).toEqual({ status: 404, code: 'not_found' })
      expect(await ids(repository)).toEqual([activity.id])
      expect(await ids(repository, '?source=pull_request')).toEqual([])
      expect(await retrieved(repository, activity.id)).toMatchObject({ changes: null })
      expect((await repository.page('/activity')).items).toMatchObject([{ changes: null }])
    })
  })
})

describe('covered work', () => {
  it('is not listed, names what covers it, and lends that its changes', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository, { files: [changedFile('src/a.ts')] })
    const { activity } = await repository.created('/activity', { ...work, branch: 'sessions' })
    expect(activity).toMatchObject({ covered_by: null, changes: { by: 'github', files_total: 1 } })
    expect((await repository.page('/activity')).items).toMatchObject([
      { id: activity.id, changes: { by: 'github', files_compared: 1 } },
    ])
    expect(await retrieved(repository, id)).toMatchObject({ covered_by: activity.id, status: 'ready-for-review' })
    expect((await retrieved(repository, activity.id)).changes?.files).toEqual([
      { ...changedFile('src/a.ts'), inserts: [] },
    ])
  })

  it('counts again the instant that the other ends', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository)
    const { activity } = await repository.created('/activity', { ...work, branch: 'sessions' })
    expect(await ids(repository)).toEqual([activity.id])
    service.clock.advance(day - 1)
    expect(await ids(repository)).toEqual([activity.id])
    service.clock.advance(1)
    expect(await ids(repository)).toEqual([id])
    expect(await retrieved(repository, id)).toMatchObject({ covered_by: null })
    const { activity: next } = await repository.created('/activity', { ...work, branch: 'sessions' })
    expect(await ids(repository)).toEqual([next.id])
    await repository.post(`/activity/${next.id}/archive`)
    expect(await ids(repository)).toEqual([id])
  })

  it('is not that of a fork with a branch of the same name', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository, {
      pull: { head_repository_id: 99n },
      activity: { branch: 'eve:sessions' },
    })
    const { activity } = await repository.created('/activity', { ...work, branch: 'sessions' })
    expect(await ids(repository)).toEqual([activity.id, id])
    expect(await ids(repository, '?branch=eve:sessions')).toEqual([id])
  })

  it('joins what the client and GitHub say, and counts each path once', async () => {
    const repository = service.newRepository()
    await observe(repository, { files: [changedFile('src/a.ts'), changedFile('src/b.ts')] })
    const { activity } = await repository.created('/activity', { ...work, branch: 'sessions' })
    const row = await service.db.prisma.activity.findFirstOrThrow({ where: { id: activity.id } })
    const client = { by: 'client', headSha: null, filesTotal: 2, readAt: service.clock.now() } as const
    const files = [changedFile('src/b.ts', { lines: [[9, 9]] }), changedFile('src/c.ts')]
    await service.db.transaction((tx) => saveChanges(tx, row, { ...client, files }))
    const both = { by: 'both', head_sha: 'a1', files_total: 3, files_compared: 3 }
    expect((await repository.page('/activity')).items).toMatchObject([{ changes: both }])
    const lines = [
      [1, 5],
      [9, 9],
    ]
    const { changes } = await retrieved(repository, activity.id)
    expect(changes).toMatchObject(both)
    expect(changes?.files).toEqual([
      { ...changedFile('src/a.ts'), inserts: [] },
      { ...changedFile('src/b.ts'), lines, inserts: [] },
      { ...changedFile('src/c.ts'), inserts: [] },
    ])
    await viewer.as({ mayRead: false }, async () => {
      expect(await retrieved(repository, activity.id)).toMatchObject({ changes: { by: 'client', files_total: 2 } })
      expect((await repository.page('/activity')).items).toMatchObject([
        { changes: { by: 'client', files_compared: 2 } },
      ])
    })
  })
})

describe('the filters of observed work', () => {
  it('keep the named sources', async () => {
    const repository = service.newRepository()
    const { id: pull } = await observe(repository)
    const { id: branch } = await observe(repository, { pull: { number: 13 }, activity: { source: 'branch' } })
    const { activity } = await repository.created('/activity', work)
    expect(await ids(repository)).toEqual([activity.id, branch, pull])
    expect(await ids(repository, '?source=recorded')).toEqual([activity.id])
    expect(await ids(repository, '?source=pull_request')).toEqual([pull])
    expect(await ids(repository, '?source=pull_request,branch')).toEqual([branch, pull])
    expect(await ids(repository, '?source=branch,recorded,recorded')).toEqual([activity.id, branch])
    for (const source of ['', 'pull', 'recorded,', 'recorded, branch'])
      expect(refusal(await repository.get(`/activity?source=${source}`))).toMatchObject({
        status: 400,
        details: ['source invalid_value'],
      })
  })

  it('give each order of the sources the same cursor', async () => {
    const repository = service.newRepository()
    for (let n = 0; n < 3; n++) await repository.created('/activity', work)
    const { next_cursor } = await repository.page('/activity?limit=1&source=recorded,branch')
    const next = await repository.page(`/activity?limit=1&source=branch,recorded&cursor=${next_cursor}`)
    expect(next.items).toHaveLength(1)
    expect(refusal(await repository.get(`/activity?source=recorded&cursor=${next_cursor}`))).toMatchObject({
      code: 'invalid_cursor',
    })
  })

  it('keep the work of the account of the caller, recorded and observed', async () => {
    const repository = service.newRepository()
    const { id: mine } = await observe(repository)
    await observe(repository, { pull: { number: 13 }, activity: { author_id: 8n, author_login: 'alice' } })
    expect(await ids(repository, '?mine=true')).toEqual([mine])
    expect(await ids(repository, '?mine=false')).toHaveLength(2)
  })

  it('say so where the account of the caller is not known', async () => {
    const repository = service.newRepository()
    const answer = await viewer.as({ account: null }, () => repository.get('/activity?mine=true'))
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['mine invalid_value'] })
  })

  it('keep the branch of a fork, which no request may name for its own work', async () => {
    const repository = service.newRepository()
    const branch = `${'o'.repeat(39)}:${'b'.repeat(255)}`
    const { id } = await observe(repository, { activity: { branch } })
    expect(await ids(repository, `?branch=${branch}`)).toEqual([id])
    const refused = await repository.post('/activity', { ...work, branch: 'eve:sessions', base_branch: 'a:b' })
    expect(refusal(refused).details).toEqual(['branch invalid_value', 'base_branch invalid_value'])
    const { activity } = await repository.created('/activity', work)
    expect(refusal(await repository.patch(`/activity/${activity.id}`, { branch: 'a:b' })).status).toBe(400)
    expect(refusal(await repository.post('/activity/check', { branch: 'a:b' })).status).toBe(400)
  })
})

describe('pages with covered work', () => {
  it('are as long as requested', async () => {
    const repository = service.newRepository()
    const { id: last } = await observe(repository)
    for (let number = 20; number < 25; number++)
      await observe(repository, { pull: { number, head_ref: `b${number}` }, activity: { branch: `b${number}` } })
    for (let number = 20; number < 25; number++)
      await repository.created('/activity', { ...work, branch: `b${number}` })
    const first = await repository.page('/activity?limit=5')
    expect(first.items.map(({ source }: Activity) => source)).toEqual(Array(5).fill('recorded'))
    const rest = await repository.page(`/activity?limit=5&cursor=${first.next_cursor}`)
    expect(rest.items.map(({ id }) => id)).toEqual([last])
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { RetrievedActivity } from '../../../src/core/schemas/activity.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import {
  archiveBranch,
  archiveMerged,
  heartbeatBranch,
  linkPullRequest,
} from '../../../src/service/records/activity/events/branch-events.ts'
import { errorOf, refusal } from '../../support/client.ts'
import { day, hour, minute } from '../../support/clock.ts'
import { changedFile, insertPullRequest, type ObservedPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { alice, bob, testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf, recordLimits: { liveActivities: 2, records: 3 } })
})
afterAll(() => service.stop())

const observe = (repository: TestRepository, parts?: Parameters<typeof insertPullRequest>[3]) =>
  insertPullRequest(service.db, repository, service.clock.now(), parts)

async function retrieved(repository: TestRepository, id: string): Promise<RetrievedActivity> {
  return (await repository.get(`/activity/${id}`)).body as RetrievedActivity
}

const stored = (id: string) => service.db.prisma.activity.findFirstOrThrow({ where: { id } })
const pullOf = ({ repositoryId, number }: ObservedPullRequest) =>
  service.db.prisma.pullRequest.findFirstOrThrow({ where: { repository_id: repositoryId, number } })

describe('a PATCH of observed work', () => {
  it('may set fields that do not follow the pull request, and saves that a caller did', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository)
    const fields = { title: 'Ours', risk: 'high', blocking: true, agent: 'claude-code' }
    const { status, body } = await repository.patch(`/activity/${id}`, { ...fields, scope: { areas: ['Auth'] } })
    expect(status).toBe(200)
    expect(body).toMatchObject({ ...fields, scope: { areas: ['Auth'], paths: [] }, source: 'pull_request' })
    expect((await stored(id)).edited_fields).toEqual(['title', 'risk', 'blocking', 'agent', 'scope'])
    await repository.patch(`/activity/${id}`, { summary: 'Ours too.' })
    expect((await stored(id)).edited_fields).toEqual(['title', 'summary', 'risk', 'blocking', 'agent', 'scope'])
  })

  it('makes a scope declared work, which the index finds beside the files', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository, { files: [changedFile('src/a.ts')] })
    await repository.patch(`/activity/${id}`, { scope: { paths: ['docs/**'] } })
    const { rows } = await service.db.query<{ key: string }>('select key from scope_keys where activity_id = $1', [id])
    expect(rows.map(({ key }) => key).sort()).toEqual(['docs/', 'src/a.ts/'])
  })

  it.each([
    ['pr_url', 'https://github.com/acme/other/pull/1'],
    ['pr_url', null],
    ['branch', 'other'],
    ['base_branch', 'release'],
    ['draft_pr', true],
    ['status', 'paused'],
    ['status', 'draft-pr-open'],
    ['status', 'merged'],
  ])('may not set %s to %s', async (field, value) => {
    const repository = service.newRepository()
    const { id } = await observe(repository)
    const before = await retrieved(repository, id)
    const refused = await repository.patch(`/activity/${id}`, { [field]: value, title: 'Ours' })
    expect(refusal(refused)).toEqual({ status: 409, code: 'observed' })
    expect(errorOf(refused).message).toContain(field)
    expect(await retrieved(repository, id)).toEqual(before)
  })

  it('may send what is so already', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository)
    const { branch, base_branch, pr_url, draft_pr, status } = await retrieved(repository, id)
    const same = await repository.patch(`/activity/${id}`, { branch, base_branch, pr_url, draft_pr, status })
    expect(same.status).toBe(200)
  })

  it('may add what a client changed, which counts beside what GitHub says', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository, { files: [changedFile('src/a.ts')] })
    const changes = { files: [{ path: 'src/b.ts' }] }
    expect((await repository.patch(`/activity/${id}`, { changes })).body).toMatchObject({
      changes: { by: 'both', files_total: 2 },
    })
    expect((await repository.patch(`/activity/${id}`, { changes: null })).body).toMatchObject({
      changes: { by: 'github', files_total: 1 },
    })
  })
})

describe('putting observed work aside', () => {
  const ways: [string, (repository: TestRepository, id: string) => Promise<{ status: number }>, string][] = [
    ['archive', (repository, id) => repository.post(`/activity/${id}/archive`), 'archived'],
    ['PATCH archived', (repository, id) => repository.patch(`/activity/${id}`, { status: 'archived' }), 'archived'],
    ['PATCH abandoned', (repository, id) => repository.patch(`/activity/${id}`, { status: 'abandoned' }), 'abandoned'],
  ]

  it.each(ways)('by %s ends it, and saves who did it at which head', async (_way, end, status) => {
    const repository = service.newRepository()
    const pull = await observe(repository)
    const ended = await viewer.as({ account: bob }, () => end(repository, pull.id))
    expect(ended.status).toBe(200)
    expect(await pullOf(pull)).toMatchObject({
      ...{ state: 'open', activity_id: null, put_aside_by: 'bob', put_aside_head_sha: 'a1' },
    })
    expect(await retrieved(repository, pull.id)).toMatchObject({ status, covered_by: null })
    expect((await repository.page('/activity')).items).toEqual([])
  })

  it('needs no account', async () => {
    const repository = service.newRepository()
    const pull = await observe(repository)
    await viewer.as({ account: null }, () => repository.post(`/activity/${pull.id}/archive`))
    expect(await pullOf(pull)).toMatchObject({ activity_id: null, put_aside_by: '', put_aside_head_sha: 'a1' })
  })

  it('is done once: a second archive keeps the first time and the first person', async () => {
    const repository = service.newRepository()
    const pull = await observe(repository)
    const first = await viewer.as({ account: alice }, () => repository.post(`/activity/${pull.id}/archive`))
    service.clock.advance(minute)
    const second = await viewer.as({ account: bob }, () => repository.post(`/activity/${pull.id}/archive`))
    expect(second.body).toEqual(first.body)
    expect(await pullOf(pull)).toMatchObject({ put_aside_by: 'alice' })
  })

  it('touches no pull request whose record is another one', async () => {
    const repository = service.newRepository()
    const pull = await observe(repository, { pull: { activity_id: 'act_01h455vb4pex5vsknk084sn02q' } })
    await repository.post(`/activity/${pull.id}/archive`)
    expect(await pullOf(pull)).toMatchObject({
      put_aside_head_sha: null,
      activity_id: 'act_01h455vb4pex5vsknk084sn02q',
    })
  })

  it('cannot be undone: ended work is never revived', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository)
    await repository.post(`/activity/${id}/archive`)
    expect(refusal(await repository.patch(`/activity/${id}`, { status: 'ready-for-review' })).code).toBe(
      'invalid_transition',
    )
    await repository.post(`/activity/${id}/heartbeat`)
    expect(await retrieved(repository, id)).toMatchObject({ status: 'archived' })
  })
})

describe('a heartbeat of observed work', () => {
  it('says that somebody is at it, and never brings its end nearer', async () => {
    const repository = service.newRepository()
    const expires_at = new Date(service.clock.now().getTime() + 48 * hour)
    const { id } = await observe(repository, { activity: { expires_at } })
    service.clock.advance(minute)
    const { body } = await repository.post(`/activity/${id}/heartbeat`)
    expect(body).toEqual({
      id,
      heartbeat_at: service.clock.now().toISOString(),
      expires_at: expires_at.toISOString(),
    })
    expect((await repository.patch(`/activity/${id}`, { heartbeat: true })).body).toMatchObject({
      expires_at: expires_at.toISOString(),
    })
  })
})

describe('events of its branch', () => {
  it('are not about observed work', async () => {
    const repository = service.newRepository()
    const { id } = await observe(repository)
    const before = await stored(id)
    const now = new Date(service.clock.now().getTime() + minute)
    const branch = { repositoryId: repository.id, branch: 'sessions' }
    const settings = async () => ({ activity_ttl_ms: 30 * day, max_activity_ttl_ms: null })
    const event = { ...{ repositoryId: repository.id, number: 12, head: 'sessions', defaultBranch: 'main' } }
    const counts = await service.db.transaction(async (tx) => ({
      pushed: await heartbeatBranch(tx, branch, { now, pushedAt: now }, settings),
      ...(await linkPullRequest(tx, { ...event, url: 'u', draft: true, opened: true, updatedAt: now }, now)),
      ...(await archiveMerged(tx, { ...event, base: 'main', mergedAt: now }, now)),
      ...(await archiveBranch(tx, { ...branch, pushedAt: now }, now)),
    }))
    expect(counts).toEqual({ pushed: null, linked: 0, followed: 0, merged: 0, archived: 0, already_merged: 0 })
    expect(await stored(id)).toEqual(before)
  })
})

describe('the sweeper', () => {
  const sweepNow = () => sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })

  it('extends open pull requests that no reading has extended, however long ago', async () => {
    const repository = service.newRepository()
    const expires_at = new Date(service.clock.now().getTime() + hour)
    const { id } = await observe(repository, { activity: { expires_at } })
    service.clock.advance(3 * day)
    await sweepNow()
    const { ended_at, expires_at: extended } = await stored(id)
    expect(ended_at).toBeNull()
    expect(extended.getTime() - service.clock.now().getTime()).toBeGreaterThanOrEqual(24 * hour)
    expect((await repository.page('/activity')).items).toMatchObject([{ id }])
  })

  it('lets observed work expire that is no open pull request any more', async () => {
    const repository = service.newRepository()
    const expires_at = new Date(service.clock.now().getTime() + hour)
    const closed = await observe(repository, { pull: { state: 'closed' }, activity: { expires_at } })
    const replaced = await observe(repository, { pull: { number: 13, activity_id: null }, activity: { expires_at } })
    service.clock.advance(hour)
    await sweepNow()
    for (const { id } of [closed, replaced])
      expect(await stored(id)).toMatchObject({ archived_reason: 'expired', ended_at: expires_at })
  })
})

describe('limits', () => {
  it('do not count observed work', async () => {
    const repository = service.newRepository()
    for (let number = 1; number <= 4; number++) await observe(repository, { pull: { number } })
    const work = { title: 'Login', summary: 'Rework it.', actor: 'Bob' }
    await repository.created('/activity', work)
    await repository.created('/activity', work)
    service.clock.advance(minute)
    expect(refusal(await repository.post('/activity', work)).code).toBe('limit_reached')
  })
})

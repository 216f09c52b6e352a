import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Activity } from '../../../src/core/schemas/activity.ts'
import { refusal } from '../../support/client.ts'
import { openStream, type TestStream } from '../../support/event-stream.ts'
import { insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
const streams: TestStream[] = []
let service: TestService
beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf, live: { pollMs: 30 } })
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Bob' }
const largest = 2_147_483_647

const record = async (repository: TestRepository, fields: object = {}) =>
  (await repository.created('/activity', { ...work, ...fields })).activity
const issuesOf = async (repository: TestRepository, id: string) => {
  const { issues, issues_from } = (await repository.get(`/activity/${id}`)).body as Activity
  return { issues, issues_from }
}
const listed = async (repository: TestRepository, query: string) => {
  const { status, body } = await repository.get(`/activity?${query}`)
  expect(status).toBe(200)
  return (body as { items: Activity[] }).items.map(({ id }) => id)
}

describe('the issues of an activity', () => {
  it('are stored once each, in order, and are empty by default', async () => {
    const repository = service.newRepository()
    const { id, issues } = await record(repository, { issues: [42, 7, 42, largest] })
    expect(issues).toEqual([7, 42, largest])
    expect(await issuesOf(repository, id)).toEqual({ issues: [7, 42, largest], issues_from: null })
    expect(await record(repository)).toMatchObject({ issues: [], issues_from: null })
  })

  it('are replaced by a PATCH, which leaves them alone if it does not name them', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository, { issues: [42] })
    service.clock.advance(1_000)
    const changed = await repository.patch(`/activity/${id}`, { issues: [9, 3] })
    expect(changed).toMatchObject({ status: 200, body: { issues: [3, 9] } })
    await repository.patch(`/activity/${id}`, { title: 'Logout' })
    expect(await issuesOf(repository, id)).toEqual({ issues: [3, 9], issues_from: null })
    await repository.patch(`/activity/${id}`, { issues: [] })
    expect(await issuesOf(repository, id)).toEqual({ issues: [], issues_from: null })
  })

  it('are from the name of the branch until somebody states them', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository, { issues: [42], issues_from: 'branch' })
    expect(await issuesOf(repository, id)).toEqual({ issues: [42], issues_from: 'branch' })
    await repository.patch(`/activity/${id}`, { issues: [42] })
    expect(await issuesOf(repository, id)).toEqual({ issues: [42], issues_from: null })
  })

  it.each([
    ['null', null, 'issues invalid_type'],
    ['a number', 42, 'issues invalid_type'],
    ['0', [0], 'issues[0] invalid_value'],
    ['a negative number', [1, -1], 'issues[1] invalid_value'],
    ['a number beyond the greatest', [largest + 1], 'issues[0] invalid_value'],
    ['a fraction', [1.5], 'issues[0] invalid_type'],
    ['a text', ['42'], 'issues[0] invalid_type'],
    ['21 numbers', Array.from({ length: 21 }, (_, n) => n + 1), 'issues too_many'],
  ])('are refused in a create, a check and a PATCH if they are %s', async (_, issues, detail) => {
    const repository = service.newRepository()
    const { id } = await record(repository)
    const refused = { status: 400, code: 'validation_failed', details: [detail] }
    expect(refusal(await repository.post('/activity', { ...work, issues }))).toEqual(refused)
    expect(refusal(await repository.post('/activity/check', { issues }))).toEqual(refused)
    expect(refusal(await repository.patch(`/activity/${id}`, { issues }))).toEqual(refused)
  })

  it('are in the history', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository, { issues: [42] })
    await repository.patch(`/activity/${id}`, { issues: [43] })
    const { body } = await repository.get(`/activity/${id}/history`)
    expect(body).toMatchObject({
      items: [{ change: 'updated', fields: { issues: [[42], [43]] } }, { change: 'created' }],
    })
  })

  it('are in the stream of events as soon as they alone change', async () => {
    const repository = service.newRepository()
    const { id } = await record(repository, { issues: [42] })
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
    streams.push(stream)
    expect(await stream.data('snapshot')).toMatchObject([{ activities: [{ issues: [42] }] }])
    await repository.patch(`/activity/${id}`, { issues: [43] })
    expect(await stream.data('activity')).toMatchObject([{ id, issues: [43] }])
  })
})

describe('GET /activity?issue=', () => {
  it('lists the live work for the issue, newest first, and ended work with a status', async () => {
    const repository = service.newRepository()
    const first = await record(repository, { issues: [42, 7] })
    await record(repository, { issues: [7] })
    const last = await record(repository, { issues: [42] })
    expect(await listed(repository, 'issue=42')).toEqual([last.id, first.id])
    expect(await listed(repository, 'issue=42&limit=1')).toEqual([last.id])
    await repository.patch(`/activity/${first.id}`, { issues: [] })
    await repository.post(`/activity/${last.id}/archive`)
    expect(await listed(repository, 'issue=42')).toEqual([])
    expect(await listed(repository, 'issue=42&status=archived')).toEqual([last.id])
  })

  it.each(['0', '-1', '1.5', 'x', '2147483648', '042'])('refuses %s', async (number) => {
    const answer = await service.newRepository().get(`/activity?issue=${number}`)
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['issue invalid_value'] })
  })

  it('is answered by an index', async () => {
    const own = await startTestService({ database: { poolSize: 1 } })
    const repository = own.newRepository()
    await own.fill(repository, 500, ['src/**'])
    await own.db.query(`update activities set issues = array[100 + abs(hashtext(id)) % 1000]`)
    await record(repository, { issues: [42] })
    await own.db.query('analyze')
    const plans: string[] = []
    const client = await own.db.pool.connect()
    await client.query(`load 'auto_explain'`)
    await client.query('set auto_explain.log_min_duration = 0; set client_min_messages = log')
    client.on('notice', ({ message = '' }) => plans.push(message))
    client.release()
    expect(await listed(repository, 'issue=42')).toHaveLength(1)
    const plan = plans.find((text) => text.includes('activity_issues')) ?? ''
    expect(plan).toMatch(/activity_issues_pkey/)
    expect(plan).not.toMatch(/Seq Scan on (activities|activity_issues)/)
    await own.stop()
  })
})

describe('a recorded activity that covers a pull request', () => {
  const covered = async (fields: object) => {
    const repository = service.newRepository()
    const pull = await insertPullRequest(service.db, repository, service.clock.now(), { activity: { issues: [7, 42] } })
    return { repository, pull, recorded: await record(repository, { branch: 'sessions', ...fields }) }
  }

  it('shows the issues of both, and a PATCH replaces its own', async () => {
    const { repository, recorded } = await covered({ issues: [50] })
    expect(recorded.issues).toEqual([7, 42, 50])
    await repository.patch(`/activity/${recorded.id}`, { issues: [60] })
    expect(await issuesOf(repository, recorded.id)).toEqual({ issues: [7, 42, 60], issues_from: null })
  })

  it('is listed by the issues of the pull request, and the pull request is not', async () => {
    const { repository, recorded } = await covered({ issues: [50] })
    expect(await listed(repository, 'issue=42')).toEqual([recorded.id])
    expect(await listed(repository, 'issue=50')).toEqual([recorded.id])
  })

  it('shows its own alone to who may not see pull requests, and is not listed by others', async () => {
    const { repository, recorded } = await covered({ issues: [50] })
    viewer.mayRead = false
    expect(await issuesOf(repository, recorded.id)).toEqual({ issues: [50], issues_from: null })
    expect(await listed(repository, 'issue=42')).toEqual([])
    viewer.mayRead = true
  })

  it('is sent anew when the issues of the pull request alone change', async () => {
    const { repository, pull, recorded } = await covered({})
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
    streams.push(stream)
    await stream.data('snapshot')
    await service.db.query('update activities set issues = array[8] where repository_id = $1 and id = $2', [
      repository.id,
      pull.id,
    ])
    const sent = await stream.data('activity', 2)
    expect(sent).toContainEqual(expect.objectContaining({ id: recorded.id, issues: [8] }))
  })
})

describe('the issues of an observed pull request', () => {
  it('follow GitHub: a PATCH of others is 409', async () => {
    const repository = service.newRepository()
    const { id } = await insertPullRequest(service.db, repository, service.clock.now(), { activity: { issues: [42] } })
    expect(await repository.patch(`/activity/${id}`, { issues: [7] })).toMatchObject({
      status: 409,
      body: { error: { code: 'observed' } },
    })
    expect(await repository.patch(`/activity/${id}`, { issues: [42] })).toMatchObject({ status: 200 })
  })
})

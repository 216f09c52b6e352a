import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Collisions } from '../../../src/core/schemas/live.ts'
import { openStream } from '../../support/event-stream.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { bob, testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf, live: { pollMs: 30 } })
})
afterAll(() => service.stop())

const work = { title: 'Login', summary: 'Rework it.', actor: 'Bob' }
const touching = { files: [{ path: 'src/session.ts', lines: [[10, 20]] }] }
const session = changedFile('src/session.ts', { lines: [[15, 16]] })
const nothing = { overlap_detected: false, severity: null, related_activity_ids: [] }

/** An open pull request of dependabot. */
const openByBot = (repository: TestRepository) =>
  insertPullRequest(service.db, repository, service.clock.now(), {
    files: [session],
    activity: { actor: 'dependabot[bot]', author_login: 'dependabot[bot]', author_id: 49n },
    pull: { author_login: 'dependabot[bot]', author_id: 49n },
  })

async function pairs(repository: TestRepository): Promise<Collisions['items']> {
  const { status, body } = await repository.get('/collisions')
  expect(status).toBe(200)
  return (body as Collisions).items
}

describe('a pull request of an ignored author', () => {
  it('is no alarm in a check by its own id, whoever asks, and is near the other', async () => {
    const repository = service.newRepository()
    const { id } = await openByBot(repository)
    const { activity, overlap } = await repository.created('/activity', { ...work, branch: 'b', changes: touching })
    expect(overlap).toMatchObject({ ...nothing, nearby_activity_ids: [id] })
    for (const account of [bob, null]) {
      const own = await viewer.as({ account }, () => repository.check({ activity_id: id }))
      expect(own).toMatchObject({ ...nothing, nearby_activity_ids: [activity.id] })
    }
  })

  it('is in no pair of /collisions and of the stream', async () => {
    const repository = service.newRepository()
    await openByBot(repository)
    await repository.created('/activity', { ...work, branch: 'b', changes: touching })
    expect(await pairs(repository)).toEqual([])
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
    expect(await stream.data('snapshot')).toMatchObject([{ collisions: [] }])
    stream.close()
  })

  it('does not collide with a declared scope by its changed files, and a notable about them matches', async () => {
    const repository = service.newRepository()
    const { id } = await openByBot(repository)
    for (const paths of [['src/session.ts'], ['src/**']])
      await repository.created('/activity', { ...work, branch: paths.join(), scope: { paths } })
    const many = { ...work, scope: { areas: ['auth'], paths: ['docs/**'] } }
    await repository.created('/activity', { ...many, branch: 'docs', changes: touching })
    const notable = await repository.raised({ scope: { paths: ['src/**'] } })
    const overlap = await repository.check({ activity_id: id })
    expect(overlap).toMatchObject({ related_activity_ids: [], related_notable_ids: [notable.id], severity: 'low' })
    const collides = (await pairs(repository)).filter(({ activity_ids }) => activity_ids.includes(id))
    expect(collides).toEqual([])
  })

  it('counts by the scope that somebody declared for it', async () => {
    const repository = service.newRepository()
    const { id } = await openByBot(repository)
    await repository.patch(`/activity/${id}`, { scope: { paths: ['docs/**'] } })
    const { activity } = await repository.created('/activity', {
      ...work,
      branch: 'b',
      scope: { paths: ['docs/a.md'] },
    })
    expect(await repository.check({ activity_id: id })).toMatchObject({ related_activity_ids: [activity.id] })
    expect(await pairs(repository)).toMatchObject([{ severity: 'medium' }])
  })

  it('is an alarm once a person has recorded it as theirs, from either side', async () => {
    const repository = service.newRepository()
    await openByBot(repository)
    const own = await repository.created('/activity', { ...work, branch: 'sessions', base_branch: 'main' })
    const other = await repository.created('/activity', { ...work, branch: 'b', changes: touching })
    expect(other.overlap).toMatchObject({ severity: 'high', related_activity_ids: [own.activity.id] })
    expect(await repository.check({ activity_id: own.activity.id })).toMatchObject({
      ...{ severity: 'high', related_activity_ids: [other.activity.id] },
    })
  })
})

describe('an ignored caller', () => {
  it('who checks the record of somebody else is told as that person would be', async () => {
    const repository = service.newRepository()
    const first = await repository.created('/activity', { ...work, branch: 'a', changes: touching })
    const second = await repository.created('/activity', { ...work, branch: 'b', changes: touching })
    await viewer.as({ account: { id: 49n, login: 'dependabot[bot]' } }, async () => {
      const overlap = await repository.check({ activity_id: first.activity.id })
      expect(overlap).toMatchObject({ severity: 'high', related_activity_ids: [second.activity.id] })
      expect(await repository.check({ branch: 'c', changes: touching })).toMatchObject(nothing)
    })
  })
})

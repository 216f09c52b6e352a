import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ListedCollisions } from '../../../src/core/schemas/live.ts'
import { hour } from '../../support/clock.ts'
import { openStream, type TestStream } from '../../support/event-stream.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { bob, testViewer } from '../../support/viewer.ts'

const viewer = testViewer()
let service: TestService
const streams: TestStream[] = []

beforeAll(async () => {
  service = await startTestService({ viewerOf: viewer.viewerOf, live: { pollMs: 30 } })
  viewer.account = bob
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => service.stop())

const blob = (letter: string) => letter.repeat(40)
const alike = [changedFile('src/a.ts', { blob: blob('a') }), changedFile('src/b.ts', { blob: blob('b') })]
const sent = (first = blob('a')) => ({
  files: [
    { path: 'src/a.ts', lines: [[1, 5]], blob: first },
    { path: 'src/b.ts', lines: [[1, 5]], blob: blob('b') },
  ],
})
const work = { title: 'Copy', summary: 'x', actor: 'Bob', branch: 'copy', base_branch: 'main' }

const open = (repository: TestRepository, parts: Parameters<typeof insertPullRequest>[3] = {}) =>
  insertPullRequest(service.db, repository, service.clock.now(), { files: alike, ...parts })

async function pairs(repository: TestRepository): Promise<ListedCollisions['items']> {
  const { status, body } = await repository.get('/collisions')
  expect(status).toBe(200)
  return (body as ListedCollisions).items
}

describe('the same change as an open pull request', () => {
  it('is told to a check that sends the blobs of its files, and no answer shows a blob', async () => {
    const repository = service.newRepository()
    const { id } = await open(repository)
    const overlap = await repository.check({ base_branch: 'main', changes: sent() })
    expect(overlap).toMatchObject({
      ...{ severity: 'high', clear: false },
      collisions: [{ activity_id: id, severity: 'high', same_change: true, example_path: 'src/a.ts' }],
      candidates: [{ activity_id: id, same_change: true, severity_without_lines: 'high', distance: null }],
    })
    expect(overlap.reason).toContain(
      'this change is open already as #12, in “src/a.ts” and 1 more file (high severity).',
    )
    expect(JSON.stringify(overlap)).not.toContain(blob('a'))
  })

  it('does not collide in equal files that both scopes name, where most files are other ones', async () => {
    const repository = service.newRepository()
    const others = ['c', 'd', 'e', 'f'].map((name) => changedFile(`src/${name}.ts`, { blob: blob('c') }))
    const { id } = await open(repository, { files: [...alike, ...others] })
    const more = ['u', 'v', 'w'].map((name) => ({ path: `src/${name}.ts`, blob: blob('d') }))
    const overlap = await repository.check({
      base_branch: 'main',
      scope: { paths: ['src/a.ts', 'src/b.ts'] },
      changes: { files: [...sent().files, ...more] },
    })
    expect(overlap).toMatchObject({ overlap_detected: false, nearby_activity_ids: [id] })
    expect(overlap.reason).toContain('#12 by “alice” (“src/a.ts”, the same change)')
  })

  it('is a pair, which is sent anew where only a blob changes', async () => {
    const repository = service.newRepository()
    const { id } = await open(repository)
    const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
    streams.push(stream)
    await stream.data('snapshot')
    service.clock.advance(1000)
    const { activity } = await repository.created('/activity', { ...work, changes: sent() })
    const pair = { activity_ids: [activity.id, id], severity: 'high', same_change: true, example_path: 'src/a.ts' }
    expect(await stream.data('collision')).toMatchObject([pair])
    expect(await pairs(repository)).toMatchObject([
      {
        ...pair,
        reason:
          '“alice” has pull request #12 “Rework sessions” on branch “sessions”: “Bob”’s change is open already as #12, in “src/a.ts” and 1 more file (high severity).',
      },
    ])
    await repository.patch(`/activity/${activity.id}`, { changes: sent(blob('c')) })
    const [, changed] = await stream.data('collision', 2)
    expect(changed).toMatchObject({ severity: 'high', same_change: true, example_path: 'src/b.ts' })
  })

  it('that a stranger copied from a member is a `low` pair, and told to the member as a repetition', async () => {
    const repository = service.newRepository()
    repositoryOf(service.github.data, Number(repository.id)).private = false
    const { activity } = await repository.created('/activity', { ...work, changes: sent() })
    service.clock.advance(2 * hour)
    const { id } = await open(repository, {
      pull: { author_association: 'NONE', head_repository_id: 1n, author_login: 'evil0', author_id: 666n },
      activity: { actor: 'evil0', author_login: 'evil0', author_id: 666n },
    })
    expect(await pairs(repository)).toMatchObject([
      { activity_ids: [id, activity.id], severity: 'low', same_change: true, outside_ids: [id] },
    ])
    const overlap = await repository.check({ activity_id: activity.id })
    expect(overlap.collisions).toMatchObject([{ severity: 'low', same_change: true, outside: true }])
    expect(overlap.reason).toContain('#12 repeats your change')
  })
})

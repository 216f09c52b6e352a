import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { ListedCollisions } from '../../../src/core/schemas/live.ts'
import { openStream, type TestStream } from '../../support/event-stream.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
const streams: TestStream[] = []
beforeAll(async () => {
  service = await startTestService({ live: { pollMs: 30 }, permissionCacheMs: 200, callers: {} })
})
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close()
})
afterAll(() => service.stop())

async function open(
  repository: TestRepository,
  { token = repository.reader, from = service, lastEventId = '' }: Opening = {},
) {
  const headers = lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }
  const stream = await openStream(`${from.url}/api/v1${repository.path}/events`, token, headers)
  streams.push(stream)
  return stream
}

interface Opening {
  token?: string
  from?: TestService
  lastEventId?: string
}

const work = { title: 'Login', summary: 'x', actor: 'carol', branch: 'login', scope: { paths: ['src/login.ts'] } }

/** A token that sees the repository, but not its pull requests. */
function tokenWithoutPulls({ id }: TestRepository): string {
  return service.github.addToken(`github_pat_narrow${id}`, `reader${id}`, { repositories: [Number(id)] })
}

/** Opens a pull request that collides with `work`, and waits until it is read. */
async function openPull(repository: TestRepository): Promise<void> {
  const files = [{ path: 'src/login.ts', lines: [[10, 12]] as const }]
  await service.github.openPullRequest(repository, { head: 'feature', author: 'dora', files })
  await expect.poll(async () => (await repository.page('/activity')).items, { timeout: 20_000 }).toHaveLength(1)
}

describe('a stream whose repository changes at GitHub', () => {
  it('ends with not_found where its name leads to another repository by then', async () => {
    const repository = service.newRepository()
    const stream = await open(repository)
    await stream.data('snapshot')
    await service.github.renameRepository(repository, `${repository.name}-moved`)
    const { id } = service.github.addRepository(repository.name, repository.owner)
    service.github.allow({ id }, repository.reader)
    expect(await stream.data('bye')).toMatchObject([{ code: 'not_found' }])
  })

  it('goes on after a rename while the old name still leads to it', async () => {
    const repository = service.newRepository()
    const stream = await open(repository)
    await stream.data('snapshot')
    const asked = service.github.requests.length
    await service.github.renameRepository(repository, `${repository.name}-moved`)
    await expect.poll(() => service.github.requests.length, { timeout: 10_000 }).toBeGreaterThan(asked + 1)
    await repository.created('/activity', work)
    expect(await stream.data('activity')).toMatchObject([{ title: 'Login' }])
  })

  it('ends where it becomes private for a token that may not list its pull requests, and shows none of them then', async () => {
    const repository = service.newRepository()
    await service.github.setPrivate(repository, false)
    await openPull(repository)
    const { activity } = await repository.created('/activity', work)
    const token = tokenWithoutPulls(repository)
    const stream = await open(repository, { token })
    const [snapshot] = await stream.data('snapshot')
    expect(snapshot).toMatchObject({ activities: [{}, {}], collisions: [{}] })
    await service.github.setPrivate(repository, true)
    expect(await stream.data('bye')).toMatchObject([{ code: 'unavailable' }])
    const again = await open(repository, { token, lastEventId: stream.events[0]?.id ?? '' })
    expect(await again.data('snapshot')).toMatchObject([{ activities: [{ id: activity.id }], collisions: [] }])
  })
})

it('GET /collisions shows pairs with pull requests only to tokens that may list those', async () => {
  const repository = service.newRepository()
  await openPull(repository)
  await repository.created('/activity', work)
  const listed = async (token: string) =>
    ((await repository.get('/collisions', { token })).body as ListedCollisions).items
  const token = tokenWithoutPulls(repository)
  expect(await listed(repository.reader)).toHaveLength(1)
  expect(await listed(token)).toHaveLength(0)
  expect(await listed(repository.reader)).toHaveLength(1)
})

it('one account opens 50 streams with all of its tokens, and others go on opening theirs', async () => {
  const repository = service.newRepository()
  const login = `reader${repository.id}`
  for (let n = 0; n < 5; n++) {
    const token = service.github.addToken(`ghp_more${n}of${repository.id}`, login)
    for (let count = 0; count < 10; count++) expect((await open(repository, { token })).status).toBe(200)
  }
  expect(await repository.get('/events', { token: repository.reader })).toMatchObject({
    status: 429,
    body: { error: { code: 'rate_limited', message: 'At most 50 streams of one account are open at a time.' } },
  })
  expect((await open(repository, { token: repository.writer })).status).toBe(200)
})

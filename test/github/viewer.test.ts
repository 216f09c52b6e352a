import nock from 'nock'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readingState } from '../../src/service/github/observation.ts'
import { waitMs } from '../../src/service/github/viewer.ts'
import { query } from '../support/database.ts'
import { githubApiUrl, newRepository, type TestRepository } from '../support/github.ts'
import { addPull, addRepository, emptyData, modified, type Repository } from '../support/github-server/data.ts'
import { answerPulls } from '../support/pulls.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'
import { settingsFile } from '../support/settings-file.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterEach(() => nock.cleanAll())
afterAll(() => service.stop())

interface Seen {
  client: Client
  repository: Repository
  tested: TestRepository
  asked: string[]
}

/** A caller, and a repository whose pull requests GitHub lists. */
function observed(given: Partial<TestRepository> = {}): Seen {
  const tested = newRepository(given)
  const data = emptyData()
  const { id, owner, name } = tested
  const repository = addRepository(data, { id, owner, name, isPrivate: tested.isPrivate })
  const asked: string[] = []
  answerPulls(data, repository, asked)
  return { client: clientOf(service, { repository: tested }), repository, tested, asked }
}

const check = { scope: { paths: ['src/a.ts'] } }

describe('§8 without the App', () => {
  it('a check waits for the first reading with the caller’s token, and is current', async () => {
    // Long enough for a busy machine; another test has the real one.
    const { pulls } = waitMs
    onTestFinished(() => void Object.assign(waitMs, { pulls }))
    waitMs.pulls = 20_000
    const { client, repository, asked } = observed()
    addPull(repository, { author: 'bob', files: [modified('src/a.ts', [1, 3])] })
    const { body } = await client.post('/activity/check', check)
    expect(body.observed).toMatchObject({ pull_requests: 'current', unread: 0 })
    expect(body.collisions).toMatchObject([{ number: 1, by: 'file', severity: 'low', source: 'pull_request' }])
    // Within a minute nothing is read again.
    const before = asked.length
    await client.post('/activity/check', check)
    expect(asked).toHaveLength(before)
  })

  it('nothing waits with `Prefer: wait=0`, and the answer says that it is being read', async () => {
    const { client, repository } = observed()
    addPull(repository)
    const { body } = await client.post('/activity/check', check, { Prefer: 'wait=0' })
    expect(body).toMatchObject({ clear: false, observed: { pull_requests: 'reading', as_of: null } })
    expect(body.obstacles).toContain('not_read')
  })

  it.each(['/activity', '/collisions'])('%s begins the reading, and does not wait for it', async (path) => {
    const { client, tested } = observed()
    await client.get(path)
    const at = 'select from repositories where repository_id = $1 and pulls_read_at is not null'
    const read = async () => (await query(service.databaseUrl, at, [tested.id])).length > 0
    await vi.waitUntil(read, { timeout: 20_000 })
  })

  it('a create waits for it as well, and a PATCH with overlap=true begins it', async () => {
    const { client, tested, asked } = observed()
    const { body } = await client.post('/activity', work)
    expect(body.overlap.observed.pull_requests).toBe('current')
    const before = asked.length
    const never = 'update repositories set pulls_asked_at = null where repository_id = $1'
    await query(service.databaseUrl, never, [tested.id])
    await client.patch(`/activity/${body.activity.id}?overlap=true`, { title: 'Another' })
    await vi.waitUntil(() => asked.length > before, { timeout: 20_000 })
  })

  it('a check waits no longer than 2.5 s for a GitHub that is slow', async () => {
    const { client, tested } = observed()
    nock.cleanAll()
    nock(githubApiUrl).get(`/repos/${tested.owner}/${tested.name}/pulls`).query(true).delay(4_000).reply(200, [])
    const again = clientOf(service, { repository: tested })
    const { body } = await again.post('/activity/check', check)
    expect(body.observed.pull_requests).toBe('reading')
    expect(client.repository).toBe(tested)
  })

  it('a reading that fails is told, and not waited for again', async () => {
    const tested = newRepository()
    nock(githubApiUrl).get(`/repos/${tested.owner}/${tested.name}/pulls`).query(true).reply(502, 'Bad gateway')
    const client = clientOf(service, { repository: tested })
    expect((await client.post('/activity/check', check)).body.observed.pull_requests).toBe('reading')
    expect((await client.post('/activity/check', check)).body.observed.pull_requests).toBe('reading')
  })

  it('a token that GitHub refuses the list changes nothing for others', async () => {
    const tested = newRepository()
    const at = `/repos/${tested.owner}/${tested.name}/pulls`
    nock(githubApiUrl).get(at).query(true).reply(403, { message: 'Resource not accessible' })
    const first = clientOf(service, { repository: tested })
    expect((await first.post('/activity/check', check)).body.observed.pull_requests).toBe('reading')
    const other = clientOf(service, { repository: tested })
    expect((await other.post('/activity/check', check)).body.observed.pull_requests).toBe('current')
  })

  it('a token that has less than a fifth of its limit reads no files', async () => {
    const tested = newRepository()
    const repository = addRepository(emptyData(), { id: tested.id, owner: tested.owner, name: tested.name })
    addPull(repository)
    const asked: string[] = []
    answerPulls(emptyData(), repository, asked, { 'X-RateLimit-Limit': '5000', 'X-RateLimit-Remaining': '900' })
    const client = clientOf(service, { repository: tested })
    const { body } = await client.post('/activity/check', check)
    expect(body.observed).toMatchObject({ pull_requests: 'current', unread: 1 })
    expect(asked.filter((path) => path.includes('files'))).toEqual([])
  })

  it('a settings file that turns `enabled` off stops the observation', async () => {
    const { tested, repository } = observed()
    nock.cleanAll()
    settingsFile(tested, 'enabled: false')
    addPull(repository)
    const client = clientOf(service, { repository: tested })
    await client.post('/activity', { title: 'A', summary: 'B', actor: 'C' })
    const { body } = await client.post('/activity/check', check)
    expect(body.observed).toEqual({ pull_requests: 'off', as_of: null, unread: 0 })
  })
})

it.each([
  ['none has succeeded yet', null, 0, 'reading', 'reading'],
  ['the last is younger than 5 minutes', 4.9, null, 'current', 'current'],
  ['the last is 5 minutes old', 5, null, 'stale', 'current'],
  ['the last is 2 hours old', 120, null, 'stale', 'stale'],
  ['one failed since', 4, 3, 'stale', 'stale'],
  ['one failed before', 3, 4, 'current', 'current'],
])('§8 where %s, a caller’s reading and the App’s are told so', (_what, readAgo, failedAgo, ofCallers, ofApp) => {
  const now = new Date()
  const ago = (minutes: number | null) => (minutes === null ? null : new Date(now.getTime() - minutes * 60_000))
  const times = { pulls_read_at: ago(readAgo), pulls_failed_at: ago(failedAgo) }
  expect([false, true].map((byApp) => readingState(times, byApp, now))).toEqual([ofCallers, ofApp])
})

describe('§7 in a repository that is not public', () => {
  it('only tokens that may list pull requests are told of them', async () => {
    const { client, repository, tested } = observed({ isPrivate: true })
    addPull(repository, { files: [modified('src/a.ts', [1, 3])] })
    expect((await client.post('/activity/check', check)).body.collisions).toHaveLength(1)
    nock.cleanAll()
    const blind = clientOf(service, { repository: tested, seesPulls: false })
    const { body } = await blind.post('/activity/check', check)
    expect(body).toMatchObject({ collisions: [], observed: { pull_requests: 'unavailable' }, clear: false })
    expect((await blind.get('/activity')).body.items).toEqual([])
  })
})

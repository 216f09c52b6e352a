import nock from 'nock'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { readingState } from '../../src/service/github/observation.ts'
import { waitMs } from '../../src/service/github/viewer.ts'
import { query } from '../support/database.ts'
import { githubApiUrl, newRepository, type TestRepository } from '../support/github.ts'
import { addPull, addRepository, emptyData, modified, type Repository } from '../support/github-server/data.ts'
import { answerPulls } from '../support/pulls.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

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

describe('§9 the settings file', () => {
  const path = '/contents/.github%2Fheadsup.yml'

  function settings(tested: TestRepository, text: string, at = `${tested.owner}/${tested.name}`): void {
    const content = Buffer.from(text).toString('base64')
    nock(githubApiUrl)
      .persist()
      .get(`/repos/${at}${path}`)
      .reply(200, { type: 'file', size: content.length, encoding: 'base64', content, sha: '1' })
  }

  function none(at: string): void {
    nock(githubApiUrl).persist().get(`/repos/${at}${path}`).reply(404, {})
  }

  it('of the repository holds for the first create already', async () => {
    const tested = newRepository()
    settings(tested, 'activity_ttl_ms: 60000\ndisabled_notable_categories: [testing]\n')
    const client = clientOf(service, { repository: tested })
    const texts = { title: 'A', summary: 'B', importance: 'low', category: 'testing' }
    expect((await client.post('/notables', texts)).body.error.code).toBe('category_not_allowed')
    const { body } = await client.get('/settings')
    expect(body).toMatchObject({
      settings: { activity_ttl_ms: 60_000, pull_request_report: 'check' },
      file: { repository: `acme/${tested.name}`, path: '.github/headsup.yml' },
      ...{ problems: [], app: { state: 'absent' }, report: { state: 'off', approve_url: null } },
    })
  })

  it('is read every 10 minutes, and the last good one holds while a newer one is not valid', async () => {
    const tested = newRepository()
    let [text, reads] = ['activity_ttl_ms: 60000', 0]
    nock(githubApiUrl)
      .persist()
      .get(`/repos/acme/${tested.name}${path}`)
      .reply(200, () => {
        reads += 1
        return { type: 'file', size: 9, encoding: 'base64', content: Buffer.from(text).toString('base64') }
      })
    const client = clientOf(service, { repository: tested })
    const settings = async () => (await client.get('/settings')).body
    await client.post('/activity', work)
    text = 'activity_ttl_ms: 1'
    expect(await settings()).toMatchObject({ problems: [] })
    const older = "update repositories set settings_asked_at = now() - interval '10 minutes' where repository_id = $1"
    await query(service.databaseUrl, older, [tested.id])
    await vi.waitUntil(async () => (await settings()).problems.length > 0, { timeout: 20_000 })
    expect(await settings()).toMatchObject({
      file: { path: '.github/headsup.yml' },
      settings: { activity_ttl_ms: 60_000 },
    })
    expect(reads).toBe(2)
  })

  it('of the owner holds where the repository has none; a private one in private repositories alone', async () => {
    for (const [isPrivate, isOwnersPrivate, isTaken] of [
      [false, false, true],
      [true, true, true],
      [false, true, false],
    ] as const) {
      const tested = newRepository({ owner: `org-${isPrivate}-${isOwnersPrivate}`, isPrivate })
      none(`${tested.owner}/${tested.name}`)
      settings(tested, 'notable_ttl_ms: 60000', `${tested.owner}/.github`)
      nock(githubApiUrl).persist().get(`/repos/${tested.owner}/.github`).reply(200, { private: isOwnersPrivate })
      const client = clientOf(service, { repository: tested })
      await client.post('/activity', { title: 'A', summary: 'B', actor: 'C' })
      const { body } = await client.get('/settings')
      expect(body.settings.notable_ttl_ms).toBe(isTaken ? 60_000 : 604_800_000)
    }
  })

  it('of the owner holds on while it is read with a token that does not see that repository', async () => {
    const tested = newRepository({ owner: 'org-unseen', isPrivate: true })
    const askedAt = async () => {
      const text = 'select settings_asked_at as at from repositories where repository_id = $1'
      return (await query<{ at: Date }>(service.databaseUrl, text, [tested.id]))[0]?.at.getTime()
    }
    settings(tested, 'notable_ttl_ms: 60000', 'org-unseen/.github')
    await clientOf(service, { repository: tested }).post('/activity', work)
    nock.cleanAll()
    const unseen = nock(githubApiUrl).get('/repos/org-unseen/.github').reply(404, {})
    const blind = clientOf(service, { repository: tested })
    const older = "update repositories set settings_asked_at = now() - interval '1 hour' where repository_id = $1"
    await query(service.databaseUrl, older, [tested.id])
    const before = await askedAt()
    await blind.get('/settings')
    // Another token may read it at once.
    await vi.waitUntil(async () => unseen.isDone() && (await askedAt()) === before, { timeout: 20_000 })
    expect((await blind.get('/settings')).body.settings.notable_ttl_ms).toBe(60_000)
  })

  it.each([
    ['an unknown key', 'enabeld: true', 'enabeld'],
    ['_extends', '_extends: other', '_extends'],
    ['a wrong value', 'activity_ttl_ms: 1', 'activity_ttl_ms'],
    ['no YAML', 'a: [', 'file'],
    ['a key that is there twice', 'enabled: true\nenabled: false', 'file'],
    ['a glob without quotes', 'ignored_paths: [*.md]', 'file'],
    ['a tag, which would hide what it stands before', 'ignored_paths: [!not src/**]', 'file'],
    ['too deep', `a: ${'['.repeat(60_000)}`, 'file'],
    ['too large', `# ${'x'.repeat(70_000)}`, 'file'],
    ['no mapping', '- a', 'file'],
    ['too many aliases', `a: &a [x]\nb: &b [${'*a,'.repeat(200)}]\nareas: [*b,*b,*b]`, 'file'],
  ])('that is not valid (%s) is a problem, and the defaults hold', async (_what, text, field) => {
    const tested = newRepository()
    settings(tested, text)
    const client = clientOf(service, { repository: tested })
    await client.post('/activity', { title: 'A', summary: 'B', actor: 'C' })
    const { body } = await client.get('/settings')
    expect(body.problems[0]).toMatchObject({ field })
    expect(body).toMatchObject({ file: null, settings: { activity_ttl_ms: 86_400_000 } })
  })

  it('holds on while a later one is not valid, and no longer than it is there', async () => {
    const tested = newRepository()
    settings(tested, 'notable_ttl_ms: 60000')
    await clientOf(service, { repository: tested }).post('/activity', work)
    const readNow = async (prepare: () => void) => {
      nock.cleanAll()
      prepare()
      const client = clientOf(service, { repository: tested })
      const due = 'update repositories set settings_asked_at = null, settings_read_at = null where repository_id = $1'
      await query(service.databaseUrl, due, [tested.id])
      await client.post('/activity', work)
      const { settings, problems } = (await client.get('/settings')).body
      return [settings.notable_ttl_ms, problems.length]
    }
    expect(await readNow(() => settings(tested, 'notable_ttl_ms: soon'))).toEqual([60_000, 1])
    expect(await readNow(() => {})).toEqual([604_800_000, 0])
  })

  it('moves nothing where it is read again as it was', async () => {
    const tested = newRepository()
    settings(tested, 'notable_ttl_ms: 60000\nenabled: false\nareas: { b: [x] }')
    const client = clientOf(service, { repository: tested })
    const readNow = async () => {
      const due = 'update repositories set settings_asked_at = null, settings_read_at = null where repository_id = $1'
      await query(service.databaseUrl, due, [tested.id])
      await client.post('/activity', work)
      return query(service.databaseUrl, 'select updated_at from repositories where repository_id = $1', [tested.id])
    }
    await client.post('/activity', work)
    expect(await readNow()).toEqual(await readNow())
  })

  it('is waited for by a create no longer than 5 s: then the defaults hold', async () => {
    const tested = newRepository()
    const { owner, name } = tested
    nock(githubApiUrl).get(`/repos/${owner}/${name}${path}`).delay(3_000).reply(404, {})
    const content = Buffer.from('activity_ttl_ms: 60000').toString('base64')
    const file = { type: 'file', size: 9, encoding: 'base64', content }
    const late = nock(githubApiUrl).get(`/repos/${owner}/.github${path}`).delay(2_400).reply(200, file)
    nock(githubApiUrl).get(`/repos/${owner}/.github`).reply(200, { private: false })
    const client = clientOf(service, { repository: tested })
    const { created_at, expires_at } = (await client.post('/activity', work)).body.activity
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(86_400_000)
    await vi.waitUntil(async () => (await client.get('/settings')).body.settings.activity_ttl_ms === 60_000, {
      timeout: 20_000,
    })
    expect(late.isDone()).toBe(true)
  })

  it('that turns `enabled` off stops the observation', async () => {
    const { tested, repository } = observed()
    nock.cleanAll()
    settings(tested, 'enabled: false')
    addPull(repository)
    const client = clientOf(service, { repository: tested })
    await client.post('/activity', { title: 'A', summary: 'B', actor: 'C' })
    const { body } = await client.post('/activity/check', check)
    expect(body.observed).toEqual({ pull_requests: 'off', as_of: null, unread: 0 })
  })
})

import nock from 'nock'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { query } from '../support/database.ts'
import { githubApiUrl, newRepository, type TestRepository } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'
import { noSettingsFile, settingsAt, settingsFile } from '../support/settings-file.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterEach(() => nock.cleanAll())
afterAll(() => service.stop())

/** The file is due, and a create waits for it. */
async function readAgain(client: Client, { id }: TestRepository): Promise<void> {
  const due = 'update repositories set settings_asked_at = null, settings_read_at = null where repository_id = $1'
  await query(service.databaseUrl, due, [id])
  await client.post('/activity', work)
}

describe('§9 the settings file', () => {
  it('of the repository holds for the first create already', async () => {
    const tested = newRepository()
    settingsFile(tested, 'activity_ttl_ms: 60000\ndisabled_notable_categories: [testing]\n')
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
      .get(`/repos/acme/${tested.name}${settingsAt}`)
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
      noSettingsFile(`${tested.owner}/${tested.name}`)
      settingsFile(tested, 'notable_ttl_ms: 60000', `${tested.owner}/.github`)
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
    settingsFile(tested, 'notable_ttl_ms: 60000', 'org-unseen/.github')
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
    settingsFile(tested, text)
    const client = clientOf(service, { repository: tested })
    await client.post('/activity', { title: 'A', summary: 'B', actor: 'C' })
    const { body } = await client.get('/settings')
    expect(body.problems[0]).toMatchObject({ field })
    expect(body).toMatchObject({ file: null, settings: { activity_ttl_ms: 86_400_000 } })
  })

  it.each([
    ['holds no longer than it is there', 404, {}, 604_800_000],
    ['holds on where a directory is in its place', 200, [], 60_000],
  ])('%s', async (_, status, content, notable_ttl_ms) => {
    const tested = newRepository()
    settingsFile(tested, 'notable_ttl_ms: 60000')
    await clientOf(service, { repository: tested }).post('/activity', work)
    nock.cleanAll()
    const read = nock(githubApiUrl).get(`/repos/acme/${tested.name}${settingsAt}`).reply(status, content)
    const later = clientOf(service, { repository: tested })
    await readAgain(later, tested)
    expect((await later.get('/settings')).body.settings).toMatchObject({ notable_ttl_ms })
    expect(read.isDone()).toBe(true)
  })

  it('moves nothing where it is read again as it was', async () => {
    const tested = newRepository()
    settingsFile(tested, 'notable_ttl_ms: 60000\nenabled: false\nareas: { b: [x] }')
    const client = clientOf(service, { repository: tested })
    const updatedAt = () =>
      query(service.databaseUrl, 'select updated_at from repositories where repository_id = $1', [tested.id])
    await client.post('/activity', work)
    const before = await updatedAt()
    await readAgain(client, tested)
    expect(await updatedAt()).toEqual(before)
  })

  it('is waited for by a create no longer than 5 s: then the defaults hold', async () => {
    const tested = newRepository()
    const { owner, name } = tested
    nock(githubApiUrl).get(`/repos/${owner}/${name}${settingsAt}`).delay(3_000).reply(404, {})
    const content = Buffer.from('activity_ttl_ms: 60000').toString('base64')
    const file = { type: 'file', size: 9, encoding: 'base64', content }
    const late = nock(githubApiUrl).get(`/repos/${owner}/.github${settingsAt}`).delay(2_400).reply(200, file)
    nock(githubApiUrl).get(`/repos/${owner}/.github`).reply(200, { private: false })
    const client = clientOf(service, { repository: tested })
    const { created_at, expires_at } = (await client.post('/activity', work)).body.activity
    expect(Date.parse(expires_at) - Date.parse(created_at)).toBe(86_400_000)
    await vi.waitUntil(async () => (await client.get('/settings')).body.settings.activity_ttl_ms === 60_000, {
      timeout: 20_000,
    })
    expect(late.isDone()).toBe(true)
  })
})

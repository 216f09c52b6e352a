import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { builtInSettings } from '../../../src/service/records/settings/schema.ts'
import { minute } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { fileOf, githubRepository, settingsOf, withSettings } from './settings.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ githubApp: true, settings: { notable_ttl_ms: 5_000, pr_reminder_after_ms: 7 } })
})
afterAll(() => service.stop())
afterEach(() => service.github.heal())

describe('a settings file', () => {
  it('on the default branch overrides the defaults of the operator and the built-in ones, key by key', async () => {
    const { repository } = withSettings(service, 'activity_ttl_ms: 120000\npr_reminder_after_ms: 0\n')
    const { settings, sources, file, problems } = await settingsOf(repository)
    expect(settings).toMatchObject({ activity_ttl_ms: 120_000, pr_reminder_after_ms: 0, notable_ttl_ms: 5_000 })
    expect(sources).toMatchObject({
      activity_ttl_ms: 'file',
      pr_reminder_after_ms: 'file',
      notable_ttl_ms: 'environment',
      areas: 'default',
    })
    expect(file).toEqual({
      repository: `${repository.owner}/${repository.name}`,
      path: '.github/headsup.yml',
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      read_at: service.clock.now().toISOString(),
    })
    expect(problems).toEqual([])
  })

  it('applies to created records', async () => {
    const { repository } = withSettings(service, 'activity_ttl_ms: 120000\ndisabled_notable_categories: [release]\n')
    const { activity } = await repository.created('/activity', { title: 'Work', summary: 'It is.', actor: 'Alice' })
    expect(Date.parse(activity.expires_at) - Date.parse(activity.created_at)).toBe(120_000)
    const notable = { title: 'Out', summary: 'It is.', importance: 'low', category: 'release' }
    const refused = await repository.post('/notables', notable)
    expect(refused.body).toMatchObject({ error: { code: 'category_not_allowed' } })
  })

  it('adds to the lists of the operator, and shows its own name as the source', async () => {
    const operator = await startTestService({
      sharedWith: service,
      githubApp: true,
      writesReports: true,
      settings: { ignored_paths: ['gen/**'] },
    })
    const { repository } = withSettings(
      service,
      'enabled: false\nignored_paths: [default, "*.po"]\nignored_authors: [Alice]\npull_request_report: off\n',
    )
    const { settings, sources, report } = await settingsOf(operator.as(repository))
    expect(report).toEqual({ state: 'off', reason: 'setting', approve_url: null })
    expect(settings).toMatchObject({
      enabled: false,
      ignored_paths: ['gen/**', '*.po'],
      ignored_authors: ['Alice'],
      pull_request_report: 'off',
      ignored_branches: builtInSettings.ignored_branches,
    })
    expect(sources).toMatchObject({ enabled: 'file', ignored_paths: 'file', ignored_branches: 'default' })
    // An instance that reads the saved file from the database has lists of its own.
    const other = await settingsOf(repository)
    expect(other.report).toMatchObject({ state: 'off', reason: 'shadow' })
    expect(other.settings.ignored_paths).toEqual([...builtInSettings.ignored_paths, '*.po'])
    await operator.stop()
  })

  it('of the owner applies if the repository has none', async () => {
    const { repository, owner } = withSettings(service, null)
    fileOf(service, owner, 'activity_ttl_ms: 180000\n')
    const { settings, file } = await settingsOf(repository)
    expect(settings).toMatchObject({ activity_ttl_ms: 180_000 })
    expect(file).toMatchObject({ repository: `${owner}/.github` })
  })

  it('of the owner does not apply if the repository has its own, even one without keys', async () => {
    const { repository, owner } = withSettings(service, '')
    fileOf(service, owner, 'activity_ttl_ms: 180000\n')
    const { sources, file } = await settingsOf(repository)
    expect(sources).toMatchObject({ activity_ttl_ms: 'default' })
    expect(file).toMatchObject({ repository: `${owner}/${repository.name}` })
  })

  it.each([
    ['private', 'public', false],
    ['private', 'private', true],
    ['public', 'public', true],
    ['public', 'private', true],
  ])('of the owner, in a %s `.github` repository, of a %s repository: applies is %s', async (theirs, own, applies) => {
    const { repository, owner } = withSettings(service, null)
    const id = BigInt(fileOf(service, owner, 'activity_ttl_ms: 180000\n'))
    githubRepository(service, { id }).private = theirs === 'private'
    githubRepository(service, repository).private = own === 'private'
    const { file, sources } = await settingsOf(repository)
    expect(file?.repository).toBe(applies ? `${owner}/.github` : undefined)
    expect(sources).toMatchObject({ activity_ttl_ms: applies ? 'file' : 'default' })
  })

  it('of a private `.github` repository no longer applies once the repository is public', async () => {
    const { repository, owner } = withSettings(service, null)
    fileOf(service, owner, 'activity_ttl_ms: 180000\n')
    expect(await settingsOf(repository)).toMatchObject({ sources: { activity_ttl_ms: 'file' } })
    githubRepository(service, repository).private = false
    service.clock.advance(11 * minute)
    await expect.poll(async () => (await settingsOf(repository)).file).toBeNull()
  })

  it('of the owner is not read through a redirect', async () => {
    const { repository, owner } = withSettings(service, null)
    const id = fileOf(service, owner, 'activity_ttl_ms: 180000\n')
    await service.github.renameRepository({ id }, 'moved')
    expect(await settingsOf(repository)).toMatchObject({ file: null, sources: { activity_ttl_ms: 'default' } })
  })

  it('is requested once for the `.github` repository itself', async () => {
    const owner = newOwner()
    service.github.install(owner)
    const repository = service.newRepository(owner)
    await service.github.renameRepository(repository, '.github')
    const itself = service.as({ ...repository, name: '.github' })
    const before = service.github.requests.length
    expect(await settingsOf(itself)).toMatchObject({ file: null })
    expect(service.github.requests.slice(before).filter((path) => path.includes('/contents/'))).toHaveLength(1)
  })

  it('that does not exist leaves the defaults', async () => {
    const { repository } = withSettings(service, null)
    expect(await settingsOf(repository)).toMatchObject({
      file: null,
      problems: [],
      sources: { activity_ttl_ms: 'default', notable_ttl_ms: 'environment' },
    })
  })
})

describe('an App that may not read the file', () => {
  const text = 'activity_ttl_ms: 120000\n'

  it.each<[string, (owner: string, repository: TestRepository) => unknown]>([
    ['that is not installed', () => {}],
    ['that is suspended', (owner) => service.github.install(owner, { suspendedAt: new Date() })],
    ['that is installed on other repositories', (owner) => service.github.install(owner, { repositories: [] })],
    [
      'that has no permission for contents',
      (owner) => service.github.install(owner, { permissions: { metadata: 'read' } }),
    ],
  ])('%s leaves the defaults', async (_, install) => {
    const owner = newOwner()
    const repository = service.newRepository(owner)
    githubRepository(service, repository).files.set('.github/headsup.yml', text)
    install(owner, repository)
    expect(await settingsOf(repository)).toMatchObject({ file: null, problems: [], sources: { areas: 'default' } })
  })

  it('any more leaves the defaults, once the last read is over 10 minutes old', async () => {
    const { repository, installation } = withSettings(service, text)
    expect(await settingsOf(repository)).toMatchObject({ settings: { activity_ttl_ms: 120_000 } })
    service.github.data.installations.delete(installation.id)
    service.clock.advance(11 * minute)
    await expect.poll(async () => (await settingsOf(repository)).file).toBeNull()
    expect(await settingsOf(repository)).toMatchObject({ sources: { activity_ttl_ms: 'default' } })
  })

  it('of a private `.github` repository that is not selected leaves the defaults', async () => {
    const owner = newOwner()
    const repository = service.newRepository(owner)
    fileOf(service, owner, text)
    service.github.install(owner, { repositories: [Number(repository.id)] })
    expect(await settingsOf(repository)).toMatchObject({ file: null })
  })
})

describe('an invalid settings file', () => {
  it('leaves the defaults, and readers of the repository see the problems', async () => {
    const { repository } = withSettings(service, 'activity_ttl: 5\nactivity_ttl_ms: 5\n')
    const { sources, file, problems } = await settingsOf(repository)
    expect(sources).toMatchObject({ activity_ttl_ms: 'default' })
    expect(file).toBeNull()
    expect(problems.map(({ field }) => field).sort()).toEqual(['activity_ttl', 'activity_ttl_ms'])
  })

  it('is a problem if it is too large or a directory', async () => {
    const large = withSettings(service, `#${'x'.repeat(1_000_000)}`)
    expect((await settingsOf(large.repository)).problems[0]?.message).toContain('65536')
    const larger = withSettings(service, `#${'x'.repeat(1_100_000)}`)
    expect((await settingsOf(larger.repository)).problems[0]?.message).toContain('1100001')
    const directory = withSettings(service, null)
    githubRepository(service, directory.repository).files.set('.github/headsup.yml/x', 'x')
    expect((await settingsOf(directory.repository)).problems[0]?.message).toBe('is a directory')
  })

  it('leaves the last valid one in force until there is a valid one again', async () => {
    const { repository, write } = withSettings(service, 'activity_ttl_ms: 120000\n')
    const good = await settingsOf(repository)
    // The file is saved in the background.
    const query = 'select 1 from repository_settings where repository_id = $1'
    await expect.poll(async () => (await service.db.query(query, [repository.id])).rowCount).toBe(1)
    write('activity_ttl_ms: soon\n')
    service.clock.advance(11 * minute)
    await expect.poll(async () => (await settingsOf(repository)).problems.length).toBe(1)
    expect(await settingsOf(repository)).toMatchObject({ settings: good.settings, file: good.file })
    write('activity_ttl_ms: 180000\n')
    service.clock.advance(11 * minute)
    await expect.poll(async () => (await settingsOf(repository)).problems.length).toBe(0)
    expect(await settingsOf(repository)).toMatchObject({ settings: { activity_ttl_ms: 180_000 } })
  })
})

let owners = 0
const newOwner = () => `files-${++owners}`

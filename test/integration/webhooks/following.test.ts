import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minute } from '../../support/clock.ts'
import { deliver, pullRequestPayload, repositoryPayload } from '../../support/deliveries.ts'
import {
  type InstallationAction,
  installationEvent,
  installationRepositoriesEvent,
} from '../../support/github/app-payloads.ts'
import { addAccount } from '../../support/github/build-data.ts'
import type { Installation } from '../../support/github/data.ts'
import { startTestService, type TestRepository, type TestService, twoConnections } from '../../support/service.ts'
import { fileOf, settingsOf, withSettings } from '../settings/settings.ts'
import { hookUp, read, record } from './recovery.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ ...twoConnections, githubApp: true })
  hookUp(service)
  service.github.install('acme')
})
afterAll(() => service.stop())

async function known({ id }: { id: bigint }) {
  const query = 'select owner, name, default_branch from repositories where repository_id = $1'
  const { rows } = await service.db.query(query, [id])
  return rows[0]
}

const receive = (event: string, payload: object) =>
  deliver(service, event, payload, { secret: service.github.data.app.webhookSecret })

/** Counts the requests to GitHub during the work. */
async function countRequests(work: () => Promise<unknown>): Promise<number> {
  const before = service.github.requests.length
  await work()
  return service.github.requests.length - before
}

describe('names', () => {
  it('follow a rename: the work is only found under the new name', async () => {
    const { github } = service
    const repository = service.newRepository()
    const id = await record(repository)
    await github.renameRepository(repository, `${repository.name}-new`)
    expect(await known(repository)).toEqual({ owner: 'acme', name: `${repository.name}-new`, default_branch: 'main' })
    const renamed = service.as({ ...repository, name: `${repository.name}-new` })
    expect(await read(renamed, id)).toMatchObject({ status: 'active' })
    const successor = service.as({ ...repository, ...github.addRepository(repository.name) })
    expect((await successor.page('/activity')).items).toEqual([])
  })

  it('follow a transfer, also for links with the old name', async () => {
    const { github } = service
    addAccount(github.data, 'elsewhere', { type: 'Organization' })
    github.install('elsewhere')
    const repository = service.newRepository()
    const id = await record(repository, { branch: null, pr_url: `https://github.com/acme/${repository.name}/pull/1` })
    await github.transferRepository(repository, 'elsewhere')
    expect(await known(repository)).toMatchObject({ owner: 'elsewhere', name: repository.name })
    const { number } = await github.openPullRequest(repository, { head: 'feat' })
    expect(number).toBe(1)
    await github.mergePullRequest(repository, number)
    const moved = service.as({ ...repository, owner: 'elsewhere' })
    expect(await read(moved, id)).toMatchObject({ archived_reason: 'merged' })
  })

  it('follow a change of the default branch, which is then no head branch', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { branch: 'trunk' })
    await service.github.setDefaultBranch(repository, 'trunk')
    expect(await known(repository)).toMatchObject({ default_branch: 'trunk' })
    const merged = { head: 'trunk', merged: true, state: 'closed', repository: { default_branch: undefined } }
    await receive('pull_request', pullRequestPayload(repository, 'closed', merged))
    await receive('pull_request', pullRequestPayload(repository, 'opened', { ...merged, merged: false, state: 'open' }))
    expect(await read(repository, id)).toMatchObject({ status: 'active', pr_url: null })
  })

  it('missing in a payload are those that the service has for the id', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const nameless = { name: undefined, full_name: undefined, owner: undefined }
    await receive('pull_request', pullRequestPayload(repository, 'opened', { repository: nameless }))
    expect(await read(repository, id)).toMatchObject({ pr_url: `https://github.com/acme/${repository.name}/pull/7` })
  })

  it('without an id belong to the repository that had them last, in any case', async () => {
    const { github } = service
    const repository = service.newRepository()
    const before = await record(repository)
    await github.renameRepository(repository, `${repository.name}-away`)
    service.clock.advance(minute)
    const successor = service.as({ ...repository, ...github.addRepository(repository.name) })
    const after = await record(successor)
    const payload = { id: undefined, name: successor.name.toUpperCase(), owner: { login: 'Acme' } }
    await receive('delete', { ref: 'feat', ref_type: 'branch', repository: repositoryPayload(successor, payload) })
    expect(await read(successor, after)).toMatchObject({ archived_reason: 'branch_deleted' })
    expect(await read(service.as({ ...repository, name: `${repository.name}-away` }), before)).toMatchObject({
      status: 'active',
    })
  })

  it('from an old payload are corrected by the next record, after 10 minutes at the latest', async () => {
    const repository = service.newRepository()
    await record(repository)
    const old = { ...repositoryPayload(repository), name: 'former', full_name: 'acme/former' }
    await receive('repository', { action: 'renamed', repository: old })
    expect(await known(repository)).toMatchObject({ name: 'former' })
    service.clock.advance(10 * minute)
    await record(repository)
    expect(await known(repository)).toMatchObject({ name: repository.name })
  })

  it('do not change on other actions, and are not saved for an unused repository', async () => {
    const repository = service.newRepository()
    const unknown = service.github.addRepository('unknown')
    await record(repository)
    const other = { name: 'other', full_name: 'acme/other' }
    await receive('repository', { action: 'archived', repository: repositoryPayload(repository, other) })
    expect(await known(repository)).toMatchObject({ name: repository.name })
    await service.github.renameRepository(unknown, 'still-unknown')
    expect(await known(unknown)).toBeUndefined()
  })
})

describe('cached permissions', () => {
  it('end when a repository becomes private', async () => {
    const { github } = service
    const repository = service.newRepository()
    const stranger = { token: repository.stranger }
    await github.setPrivate(repository, false)
    expect((await repository.get('/activity', stranger)).status).toBe(200)
    await github.setPrivate(repository, true)
    expect((await repository.get('/activity', stranger)).status).toBe(404)
    await github.setPrivate(repository, false)
    expect((await repository.get('/activity', stranger)).status).toBe(200)
  })

  it('end for the old name when a repository is renamed', async () => {
    const { github } = service
    const repository = service.newRepository()
    const old = await record(repository)
    await repository.get('/activity')
    await github.renameRepository(repository, `${repository.name}-gone`)
    github.addRepository(repository.name)
    expect((await repository.get(`/activity/${old}`)).status).toBe(404)
  })

  it('end for a name that a new repository takes, though the rename was not delivered', async () => {
    const { github } = service
    const repository = service.newRepository()
    const old = await record(repository)
    const stored = github.data.repositories.get(Number(repository.id))
    if (!stored) throw new Error('the stand-in has lost its repository')
    stored.name = `${repository.name}-gone`
    const successor = service.as({ ...repository, ...github.addRepository(repository.name) })
    expect((await repository.get(`/activity/${old}`)).status).toBe(200)
    await receive('repository', { action: 'created', repository: repositoryPayload(successor) })
    expect((await repository.get(`/activity/${old}`)).status).toBe(404)
  })

  it('end when a repository is deleted', async () => {
    const repository = service.newRepository()
    await repository.get('/activity')
    service.github.data.repositories.delete(Number(repository.id))
    await receive('repository', { action: 'deleted', repository: repositoryPayload(repository) })
    expect((await repository.get('/activity')).status).toBe(404)
  })

  it.each<InstallationAction>(['created', 'deleted', 'suspend', 'unsuspend', 'new_permissions_accepted'])(
    'of the owner end when the installation is %s, and no others',
    async (action) => {
      const { github } = service
      const owner = `installed-${action.replaceAll('_', '-')}`
      const installation = github.install(owner)
      const [repository, other] = [service.newRepository(owner), service.newRepository()]
      const both = () => Promise.all([repository.get('/settings'), other.get('/settings')])
      await both()
      await receive('installation', installationEvent(github, installation, action))
      const again = service.github.requests.length
      await both()
      const questions = service.github.requests.slice(again).filter((path) => /^\/repos\/[^/]+\/[^/]+$/.test(path))
      expect(questions).toEqual([`/repos/${owner}/${repository.name}`])
      expect(await countRequests(() => other.get('/activity'))).toBe(0)
    },
  )
})

describe('settings', () => {
  const good = 'activity_ttl_ms: 120000\n'
  const tell = (installation: Installation, action: InstallationAction) =>
    receive('installation', installationEvent(service.github, installation, action))

  const sourceOf = async (repository: TestRepository) => (await settingsOf(repository)).sources.activity_ttl_ms

  /** Until the database holds what was read: events mark that. */
  async function cacheSettings({ id }: { id: bigint }): Promise<void> {
    const query = 'select 1 from repository_settings where repository_id = $1'
    await expect.poll(async () => (await service.db.query(query, [id])).rowCount).toBe(1)
  }

  it('follow the App: suspended, unsuspended, removed from and added to the repository', async () => {
    const { github } = service
    const { repository, installation } = withSettings(service, good)
    expect(await sourceOf(repository)).toBe('file')
    await cacheSettings(repository)
    installation.suspendedAt = service.clock.now()
    await tell(installation, 'suspend')
    expect(await sourceOf(repository)).toBe('default')
    installation.suspendedAt = null
    const unsuspended = installationEvent(github, installation, 'unsuspend')
    const account = { ...unsuspended.installation.account, login: installation.account.toUpperCase() }
    await receive('installation', { ...unsuspended, installation: { ...unsuspended.installation, account } })
    expect(await sourceOf(repository)).toBe('file')
    const ids = [Number(repository.id)]
    installation.repositories = []
    const removed = installationRepositoriesEvent(github, installation, { removed: ids })
    await receive('installation_repositories', removed)
    expect(await sourceOf(repository)).toBe('default')
    installation.repositories = ids
    await receive('installation_repositories', installationRepositoriesEvent(github, installation, { added: ids }))
    expect(await sourceOf(repository)).toBe('file')
  })

  it('of the owner follow their repository', async () => {
    const { github } = service
    const { repository, owner } = withSettings(service, null)
    const id = fileOf(service, owner, good)
    expect(await sourceOf(repository)).toBe('file')
    await cacheSettings(repository)
    await github.renameRepository({ id }, 'elsewhere')
    expect(await sourceOf(repository)).toBe('default')
    await github.renameRepository({ id }, '.GitHub')
    expect(await sourceOf(repository)).toBe('file')
  })

  it('are cleared from memory by a push that comes before they are saved', async () => {
    const { repository, write } = withSettings(service, good)
    expect(await sourceOf(repository)).toBe('file')
    await cacheSettings(repository)
    await service.db.query('delete from repository_settings where repository_id = $1', [repository.id])
    write(null)
    await service.github.push(repository, 'main', { '.github/headsup.yml': null })
    expect(await sourceOf(repository)).toBe('default')
  })

  it.each<[string, object]>([
    ['of another file', { commits: [{ added: ['headsup.yml'], modified: ['.github/headsup.yaml'], removed: [] }] }],
    ['of another branch', { ref: 'refs/heads/feat' }],
    ['of no commits', {}],
  ])('stay cached after a push %s', async (_, changes) => {
    const { repository } = withSettings(service, good)
    await settingsOf(repository)
    await cacheSettings(repository)
    const commits = 'ref' in changes ? [{ added: ['.github/headsup.yml'] }] : []
    const payload = { ref: 'refs/heads/main', commits, repository: repositoryPayload(repository), ...changes }
    expect((await receive('push', payload)).status).toBe(200)
    expect(await countRequests(() => settingsOf(repository))).toBe(0)
  })

  it.each<[string, object]>([
    ['that adds the file', { commits: [{ added: ['.github/headsup.yml'] }] }],
    ['that changes it', { commits: [{ modified: ['a'] }, { modified: ['.github/headsup.yml'] }] }],
    ['that removes it', { commits: [{ removed: ['.github/headsup.yml'] }] }],
    ['that is forced', { forced: true }],
    ['that does not say what it touches', { commits: undefined }],
    ['of more commits than GitHub lists', { commits: Array(2048).fill({ added: [] }) }],
  ])('are read again after a push %s', async (_, changes) => {
    const { repository } = withSettings(service, good)
    await settingsOf(repository)
    await cacheSettings(repository)
    const payload = { ref: 'refs/heads/main', commits: [], repository: repositoryPayload(repository), ...changes }
    expect((await receive('push', payload)).status).toBe(200)
    expect(await countRequests(() => settingsOf(repository))).toBeGreaterThan(0)
  })
})

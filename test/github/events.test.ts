import nock from 'nock'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { query } from '../support/database.ts'
import { githubApiUrl, githubServerUrl, newRepository, type TestRepository } from '../support/github.ts'
import { appEnvironment, deliver } from '../support/github-app.ts'
import { addPull, addRepository, closePull, emptyData, newSha, type Pull } from '../support/github-server/data.ts'
import { pullShape, repositoryShape, seconds } from '../support/github-server/shapes.ts'
import { change } from '../support/pulls.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(appEnvironment)
  // What happens here comes from events and requests alone.
  await query(service.databaseUrl, "update jobs set next_at = now() + interval '1 day'")
})
beforeEach(() => {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString()
  nock(githubApiUrl)
    .persist()
    .post(/access_tokens$/)
    .reply(201, { token: 'ghs_7', expires_at, permissions: {} })
})
afterEach(() => nock.cleanAll())
afterAll(() => service.stop())

/** A repository with the App, its pull requests, and what tells of it. */
function installed(given: Partial<TestRepository> = {}) {
  const tested = newRepository(given)
  const { id, owner, name } = tested
  const data = emptyData()
  const repository = addRepository(data, { id, owner, name, isPrivate: tested.isPrivate })
  const tell = async (event: string, payload: object) => {
    const common = { repository: repositoryShape(repository), installation: { id: 7 } }
    expect(await deliver(service, event, { ...common, ...payload })).toBe(200)
  }
  const tellPull = (action: string, pull: Pull) =>
    tell('pull_request', { action, pull_request: pullShape(data, repository, pull, githubServerUrl) })
  return {
    ...{ tested, repository, tell, tellPull },
    as: (login: string, seesPulls = true) => clientOf(service, { repository: tested, login, seesPulls }),
    urlOf: ({ number }: Pull) => `${githubServerUrl}/${owner}/${name}/pull/${number}`,
  }
}

function noFile(): void {
  nock(githubApiUrl)
    .persist()
    .get(/headsup\.yml$/)
    .reply(404, {})
}

async function start(client: Client, body: object = {}) {
  return (await client.post('/activity', { ...work, branch: 'login', ...body })).body.activity
}

async function read(client: Client, { id }: { id: string }) {
  return (await client.get(`/activity/${id}`)).body
}

describe('§8 recorded work is linked to the pull request of its branch', () => {
  beforeEach(noFile)
  const head = { branch: 'login' }

  it('whichever is first, and stays so while that is closed and reopened', async () => {
    const { as, repository, tellPull, urlOf } = installed()
    const alice = as('alice')
    const before = await start(alice)
    const pull = addPull(repository, { head, isDraft: true })
    await tellPull('opened', pull)
    const isLinked = { pr_url: urlOf(pull), status: 'draft-pr-open', draft_pr: true }
    expect(await read(alice, before)).toMatchObject(isLinked)
    expect(await start(as('bob'))).toMatchObject(isLinked)
    closePull(pull, false)
    change(pull, {})
    await tellPull('closed', pull)
    expect(await read(alice, before)).toMatchObject({ pr_url: urlOf(pull), archived_at: null })
    // Of one second the end counts, unless it was reopened since.
    Object.assign(pull, { state: 'open', closedAt: null, isDraft: false })
    await tellPull('edited', pull)
    expect(await read(alice, before)).toMatchObject(isLinked)
    await tellPull('reopened', pull)
    expect(await read(alice, before)).toMatchObject({ pr_url: urlOf(pull), status: 'ready-for-review' })
  })

  it('to the second one of the branch once the first is closed, and not to that of another base', async () => {
    const { as, repository, tellPull, urlOf } = installed()
    const alice = as('alice')
    const ofMain = await start(alice, { base_branch: 'main' })
    const [first, second] = [addPull(repository, { head }), addPull(repository, { head, base: 'release' })]
    const third = addPull(repository, { head })
    await tellPull('opened', second)
    expect(await read(alice, ofMain)).toMatchObject({ pr_url: null })
    await tellPull('opened', first)
    await tellPull('opened', third)
    expect(await read(alice, ofMain)).toMatchObject({ pr_url: urlOf(first) })
    closePull(first, false)
    change(first, {})
    await tellPull('closed', first)
    expect(await read(alice, ofMain)).toMatchObject({ pr_url: urlOf(third) })
  })

  it('from a fork of the account that recorded it, and of no other', async () => {
    const { as, repository, tellPull, urlOf } = installed()
    const [alice, bob] = [as('alice'), as('bob')]
    const [own, other] = [await start(alice), await start(bob)]
    const pull = addPull(repository, { author: 'alice', head: { ...head, owner: 'alice', repositoryId: 99 } })
    await tellPull('opened', pull)
    expect(await read(alice, own)).toMatchObject({ pr_url: urlOf(pull) })
    expect(await read(bob, other)).toMatchObject({ pr_url: null })
  })

  it('again after `pr_url: null`, as long as its branch has an open one', async () => {
    const { as, repository, tellPull, urlOf } = installed()
    const alice = as('alice')
    const pull = addPull(repository, { head })
    await tellPull('opened', pull)
    const activity = await start(alice)
    const clear = async () => (await alice.patch(`/activity/${activity.id}`, { pr_url: null })).body.pr_url
    expect(await clear()).toBe(urlOf(pull))
    closePull(pull, false)
    change(pull, {})
    await tellPull('closed', pull)
    expect(await clear()).toBeNull()
  })

  it('which is neither listed nor compared meanwhile, and counts again when the record ends', async () => {
    const { as, repository, tellPull } = installed()
    const [alice, bob] = [as('alice'), as('bob')]
    const record = await start(bob)
    await tellPull('opened', addPull(repository, { head, body: 'closes #5' }))
    const listed = async () => (await alice.get('/activity')).body.items.map(({ source }: { source: string }) => source)
    const met = async () => (await alice.post('/activity/check', { issues: [5] })).body.collisions
    expect(await listed()).toEqual(['recorded'])
    expect(await met()).toMatchObject([{ activity_id: record.id, number: 1, source: 'recorded', issues: [5] }])
    await bob.post(`/activity/${record.id}/archive`)
    expect(await listed()).toEqual(['pull_request'])
    expect(await met()).toMatchObject([{ number: 1, source: 'pull_request' }])
  })
})

describe('§10 each event', () => {
  beforeEach(noFile)

  const rowsOf = ({ id }: TestRepository, columns: string, table: string) =>
    query<Record<string, unknown>>(service.databaseUrl, `select ${columns} from ${table} where repository_id = $1`, [
      id,
    ])

  it('of a pull request: its record follows, and its check run is that of its head', async () => {
    const { as, repository, tell, tellPull, tested } = installed()
    const alice = as('alice')
    const pull = addPull(repository, { isDraft: true })
    const told = async (action: string, changed: Partial<Pull> = {}) => {
      change(pull, changed)
      await tellPull(action, pull)
      return (await alice.get('/activity')).body.items[0]
    }
    const runs = () => rowsOf(tested, 'head_sha, due_at is not null as is_due', 'check_runs')
    expect(await told('edited')).toMatchObject({ status: 'draft-pr-open' })
    expect(await runs()).toEqual([{ head_sha: pull.head.sha, is_due: true }])
    expect(await told('ready_for_review', { isDraft: false })).toMatchObject({ status: 'ready-for-review' })
    expect(await told('converted_to_draft', { isDraft: true })).toMatchObject({ status: 'draft-pr-open' })
    expect(await told('edited', { title: 'New', base: 'v1' })).toMatchObject({ title: 'New', base_branch: 'v1' })
    const { heartbeat_at } = await told('synchronize', { head: { ...pull.head, sha: newSha() } })
    expect(heartbeat_at).toBe(new Date(seconds(pull.updatedAt)).toISOString())
    const { sha } = pull.head
    expect(await runs()).toEqual([{ head_sha: sha, is_due: true }])
    await query(service.databaseUrl, 'update check_runs set due_at = null where repository_id = $1', [tested.id])
    await tell('check_run', { action: 'rerequested', check_run: { head_sha: sha } })
    expect(await runs()).toEqual([{ head_sha: sha, is_due: true }])
  })

  it('of a branch: a push is a heartbeat of its work, but not of the default one, and its deletion the end', async () => {
    const { as, repository, tell } = installed()
    const alice = as('alice')
    const [own, onMain] = [await start(alice), await start(alice, { branch: 'main' })]
    const pushed = { ...repositoryShape(repository), pushed_at: Math.ceil(Date.now() / 1_000) }
    for (const branch of ['login', 'main'])
      await tell('push', { ref: `refs/heads/${branch}`, deleted: false, commits: [], repository: pushed })
    expect((await read(alice, own)).heartbeat_at).not.toBeNull()
    expect((await read(alice, onMain)).heartbeat_at).toBeNull()
    await tell('delete', { ref_type: 'tag', ref: 'login', repository: pushed })
    expect(await read(alice, own)).toMatchObject({ archived_at: null })
    await tell('delete', { ref_type: 'branch', ref: 'login', repository: pushed })
    expect(await read(alice, own)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it.each(['edited', 'renamed', 'transferred', 'privatized', 'publicized'])(
    'of a repository (%s) tells its names, its default branch and its visibility',
    async (action) => {
      const { repository, tell, tested } = installed()
      await tell('repository', { action: 'edited' })
      Object.assign(repository, { owner: 'other', name: `${tested.name}-2`, defaultBranch: 'trunk', isPrivate: true })
      await tell('repository', { action })
      expect(await rowsOf(tested, 'owner, name, default_branch, is_public', 'repositories')).toEqual([
        { owner: 'other', name: `${tested.name}-2`, default_branch: 'trunk', is_public: false },
      ])
    },
  )

  it.each([
    ['installation', { action: 'deleted' }],
    ['installation_repositories', { action: 'removed' }],
    ['repository', { action: 'deleted' }],
  ])('of %s that ends the App here ends observed work', async (event, payload) => {
    const { as, repository, tell, tellPull, tested } = installed()
    const alice = as('alice')
    const recorded = await start(alice)
    await tellPull('opened', addPull(repository))
    await tell(event, { ...payload, repositories_removed: [{ id: tested.id }] })
    expect((await alice.get('/activity')).body.items).toMatchObject([{ id: recorded.id }])
    const app = async () => (await alice.get('/settings')).body.app.state
    expect(await app()).toBe('not_installed')
    const repositories_added = [{ id: tested.id, full_name: `acme/${tested.name}`, private: false }]
    await tell('installation_repositories', { action: 'added', repositories_added })
    expect(await app()).toBe('installed')
  })
})

describe('§10 what is told of a repository', () => {
  beforeEach(noFile)

  it('its new name: the records stay, and links are of that name', async () => {
    const { as, repository, tell, tellPull, tested } = installed()
    const activity = await start(as('alice'))
    Object.assign(repository, { name: `${tested.name}-new` })
    await tell('repository', { action: 'renamed' })
    const alice = clientOf(service, { repository: { ...tested, name: repository.name } })
    await tellPull('opened', addPull(repository, { head: { branch: 'login' } }))
    const pr_url = `${githubServerUrl}/acme/${repository.name}/pull/1`
    expect(await read(alice, activity)).toMatchObject({ id: activity.id, pr_url })
  })

  it('that it is private now: the pull requests are for those alone who may list them', async () => {
    const { as, repository, tell, tellPull, tested } = installed()
    await tellPull('opened', addPull(repository))
    const isShown = async (client: Client) => (await client.get('/activity')).body.items.length === 1
    expect(await isShown(as('alice', false))).toBe(true)
    Object.assign(repository, { isPrivate: true })
    Object.assign(tested, { isPrivate: true })
    await tell('repository', { action: 'privatized' })
    expect(await isShown(as('bob', false))).toBe(false)
    expect(await isShown(as('carol'))).toBe(true)
    Object.assign(repository, { isPrivate: false })
    Object.assign(tested, { isPrivate: false })
    await tell('repository', { action: 'publicized' })
    expect(await isShown(as('dave', false))).toBe(true)
  })

  it('§9 that the App is suspended, and which permission its owner has not given', async () => {
    const { as, tell, tested } = installed()
    const html_url = 'https://github.com/organizations/acme/settings/installations/7'
    nock(githubApiUrl).get('/app/installations/7').reply(200, { id: 7, html_url })
    const repositories = [{ id: tested.id, full_name: `acme/${tested.name}`, private: false }]
    const installation = { id: 7, permissions: { metadata: 'read' } }
    await tell('installation', { action: 'created', installation, repositories })
    const settings = async () => (await as('alice').get('/settings')).body
    const approve_url = `${html_url}/permissions/update`
    expect(await settings()).toMatchObject({
      app: { state: 'installed' },
      report: { state: 'permission_missing', approve_url },
    })
    const observed = async () => (await as('alice').post('/activity/check', {})).body.observed.pull_requests
    expect(await observed()).toBe('reading')
    await tell('installation', { action: 'suspend', installation })
    expect(await observed()).toBe('current')
    expect(await settings()).toMatchObject({ app: { state: 'suspended' }, report: { state: 'off', approve_url: null } })
    const granted = { id: 7, permissions: { metadata: 'read', checks: 'write' } }
    await tell('installation', { action: 'unsuspend', installation: granted })
    expect(await settings()).toMatchObject({ app: { state: 'installed' }, report: { state: 'on', approve_url: null } })
  })
})

it.each(['own', 'owner'])('§9 a push that touches the settings file has it read anew (%s)', async (whose) => {
  const { as, repository, tell, tested } = installed({ owner: `org-${whose}` })
  const { owner, name } = tested
  const holder = whose === 'own' ? name : '.github'
  let text = 'activity_ttl_ms: 60000'
  // The App reads it, and not the token of a caller.
  nock(githubApiUrl, { reqheaders: { authorization: (value) => value.includes('ghs_7') } })
    .persist()
    .get(`/repos/${owner}/${holder}/contents/.github%2Fheadsup.yml`)
    .reply(200, () => ({ type: 'file', size: 9, encoding: 'base64', content: Buffer.from(text).toString('base64') }))
  nock(githubApiUrl).persist().get(`/repos/${owner}/.github`).reply(200, { private: false })
  noFile()
  const alice = as('alice')
  await tell('repository', { action: 'edited' })
  const ttl = async () => (await alice.get('/settings')).body.settings.activity_ttl_ms
  await start(alice)
  expect(await ttl()).toBe(60_000)
  text = 'activity_ttl_ms: 120000'
  const pushed = { ...repositoryShape(repository), id: whose === 'own' ? tested.id : 4_711, name: holder }
  const push = { ref: 'refs/heads/main', deleted: false, repository: pushed }
  await tell('push', { ...push, commits: [{ modified: ['README.md'] }] })
  const asked = 'select settings_asked_at is null as is_due from repositories where repository_id = $1'
  expect(await query(service.databaseUrl, asked, [tested.id])).toEqual([{ is_due: false }])
  await tell('push', { ...push, commits: [{ modified: ['README.md'] }, { added: ['.github/headsup.yml'] }] })
  await vi.waitUntil(async () => (await ttl()) === 120_000, { timeout: 20_000 })
})

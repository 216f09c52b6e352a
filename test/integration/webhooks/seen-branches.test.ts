import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import type { GithubApp } from '../../../src/service/github/installation/app-client.ts'
import { hour, minute, second } from '../../support/clock.ts'
import { deliver, type PullRequestChanges, pullRequestPayload, repositoryPayload } from '../../support/deliveries.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { startSyncing } from '../observed/observing.ts'
import { meanwhile, read, record } from './recovery.ts'

let service: TestService
let syncing: ReturnType<typeof startSyncing>
let repository: TestRepository

// One each: a pass is over all repositories. The stand-in is told of no hook: what is delivered the test delivers.
beforeEach(async () => {
  await service?.stop()
  service = await startTestService({ githubApp: true })
  service.github.install('acme')
  repository = service.newRepository()
  syncing = startSyncing(service)
})
afterAll(() => service.stop())

const pass = (as?: GithubApp) => syncing.pass(as)
const iso = (ms = 0) => new Date(service.clock.now().getTime() + ms).toISOString()
const isLive = { archived_at: null }
const isGone = { archived_reason: 'branch_deleted' }

async function hear(event: string, payload: object, outcome = 'handled') {
  const response = await deliver(service, event, payload, { secret: service.github.data.app.webhookSecret })
  expect(response).toMatchObject({ status: 200, body: { outcome } })
}

/** At `pushed_at`, as a delivery has it: in seconds. */
const pushed = (changes: object = {}, pushed_at: unknown = Math.floor(service.clock.now().getTime() / 1000)) =>
  hear('push', {
    ref: 'refs/heads/feat',
    commits: [],
    repository: repositoryPayload(repository, { pushed_at }),
    ...changes,
  })

function opened(action = 'opened', changes: PullRequestChanges = {}, updated_at = iso()) {
  const { pull_request, ...payload } = pullRequestPayload(repository, action, changes)
  return hear('pull_request', { ...payload, pull_request: { ...pull_request, updated_at } })
}

describe('a branch whose deletion was not delivered', () => {
  it('archives its work if a push was delivered', async () => {
    const [id, other] = [await record(repository), await record(repository, { branch: 'other' })]
    await pushed()
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject(isGone)
    expect(await read(repository, other)).toMatchObject(isLive)
  })

  it.each(['opened', 'reopened', 'ready_for_review', 'converted_to_draft', 'edited'])(
    'archives its work if an event of its pull request was delivered: %s',
    async (action) => {
      const id = await record(repository)
      await opened(action)
      expect(await pass()).toMatchObject({ branch_deleted: 1 })
      expect(await read(repository, id)).toMatchObject(isGone)
    },
  )

  it('archives its work although it was missing before and GitHub’s list is unchanged', async () => {
    const id = await record(repository)
    await pass()
    service.clock.advance(minute)
    await pushed()
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject(isGone)
  })

  it('archives its work if it was pushed during the requests', async () => {
    const id = await record(repository)
    await pass()
    await service.github.push(repository, 'other')
    await duringThePass(() => pushed())
    expect(await read(repository, id)).toMatchObject(isLive)
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject(isGone)
  })

  it('archives work that was created and pushed during the requests', async () => {
    await record(repository, { branch: 'main' })
    let id = ''
    await duringThePass(async () => {
      id = await record(repository)
      await pushed()
    })
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject(isGone)
  })

  it('archives its work if it was pushed during a 304 for the list', async () => {
    const id = await record(repository)
    await pass()
    let told = false
    const app = meanwhile(syncing.app, 'matching-refs', () => pushed().then(() => (told = true)))
    expect(await pass(app)).toMatchObject({ repositories: 1, branch_deleted: 0 })
    expect(told).toBe(true)
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject(isGone)
  })

  it('archives work that was moved to it, and pushed, during the requests', async () => {
    const id = await record(repository, { branch: 'main' })
    await duringThePass(async () => {
      await repository.patch(`/activity/${id}`, { branch: 'feat' })
      await pushed()
    })
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject(isGone)
  })

  it('archives work that was moved from another branch that was pushed', async () => {
    const id = await record(repository, { branch: 'before' })
    await pushed({ ref: 'refs/heads/before' })
    await repository.patch(`/activity/${id}`, { branch: 'feat' })
    await pushed()
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, id)).toMatchObject(isGone)
  })

  it('is the one that work was moved to, not the one before', async () => {
    const id = await record(repository, { branch: 'before' })
    await pushed({ ref: 'refs/heads/before' })
    await repository.patch(`/activity/${id}`, { branch: 'feat' })
    expect(await pass()).toMatchObject({ branch_deleted: 0 })
    service.clock.advance(minute)
    await pushed()
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
  })
})

describe('a branch was not seen', () => {
  it.each<[string, () => Promise<void>]>([
    ['by a push that deletes it', () => pushed({ deleted: true })],
    ['by a push of a tag', () => pushed({ ref: 'refs/tags/feat' })],
    ['by a push of another case', () => pushed({ ref: 'refs/heads/FEAT' })],
    ['by a pull request of a fork', () => opened('opened', { headRepository: { id: 5, full_name: 'fork/x' } })],
    ['by a pull request of a deleted fork', () => opened('opened', { headRepository: null })],
    ['by a pull request that is closed', () => opened('edited', { state: 'closed' })],
    ['by what says nothing of it', () => hear('pull_request', pullRequestPayload(repository, 'labeled'), 'ignored')],
  ])('%s', async (_name, tell) => {
    const id = await record(repository)
    await tell()
    expect(await pass()).toMatchObject({ repositories: 1, branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject(isLive)
  })

  it('by a push in another repository, such as a fork', async () => {
    const id = await record(repository)
    const fork = service.newRepository('forker')
    await hear('push', { ref: 'refs/heads/feat', commits: [], repository: repositoryPayload(fork) })
    expect(await pass()).toMatchObject({ branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject(isLive)
  })

  it.each<[string, (at: string) => Promise<void>]>([
    ['push', (at) => pushed({}, at)],
    ['pull request', (at) => opened('opened', {}, at)],
  ])('by a %s that is delivered late, of an earlier branch of that name', async (_name, tell) => {
    const at = iso()
    service.clock.advance(30 * second)
    const old = await record(repository)
    service.clock.advance(second)
    const planned = await record(repository)
    await tell(at)
    expect(await pass()).toMatchObject({ branch_deleted: 1 })
    expect(await read(repository, old)).toMatchObject(isGone)
    expect(await read(repository, planned)).toMatchObject(isLive)
  })

  it('by a push that is delivered late, from before the work was moved to that name', async () => {
    const id = await record(repository, { branch: 'before' })
    const at = iso()
    service.clock.advance(minute)
    await repository.patch(`/activity/${id}`, { branch: 'feat' })
    await pushed({}, at)
    expect(await pass()).toMatchObject({ branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject(isLive)
  })
})

describe('a push', () => {
  it.each([null, undefined, 'long ago', 1_557_933_641])(
    'of %j, which is not its time, counts as now',
    async (pushed_at) => {
      const id = await record(repository)
      service.clock.advance(hour)
      await pushed({}, pushed_at)
      expect(await pass()).toMatchObject({ branch_deleted: 1 })
      expect(await read(repository, id)).toMatchObject(isGone)
    },
  )

  it('that comes after the deletion leaves the work archived', async () => {
    const id = await record(repository)
    const deleted = { pushed_at: iso() }
    await hear('delete', { ref: 'feat', ref_type: 'branch', repository: repositoryPayload(repository, deleted) })
    const before = await read(repository, id)
    await pushed()
    await pass()
    expect(await read(repository, id)).toEqual(before)
  })

  it('of an existing branch archives nothing', async () => {
    const id = await record(repository)
    const { branches } = repositoryOf(service.github.data, Number(repository.id))
    branches.set('feat', branches.get('main') ?? '')
    await pushed()
    for (let passes = 0; passes < 3; passes++) expect(await pass()).toMatchObject({ branch_deleted: 0 })
    expect(await read(repository, id)).toMatchObject(isLive)
  })

  it('makes the branches be listed again only the first time', async () => {
    await record(repository)
    await service.github.push(repository, 'feat')
    await pushed()
    await pass()
    const { limit } = [...service.github.data.tokens.values()].findLast(({ installationId }) => installationId) ?? {}
    const used = limit?.used
    await pushed()
    await pass()
    expect(limit?.used).toBe(used)
  })
})

/** Does it after GitHub was asked for the branches, and before the pass hears of them. */
async function duringThePass(work: () => Promise<void>): Promise<void> {
  let worked = false
  const app = meanwhile(syncing.app, 'matching-refs', () => work().then(() => (worked = true)))
  expect(await pass(app)).toMatchObject({ repositories: 1, branch_deleted: 0 })
  expect(worked).toBe(true)
}

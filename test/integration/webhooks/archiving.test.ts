import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRepositoryId } from '../../../src/service/records/repository/repository-store.ts'
import { day, hour, minute, second } from '../../support/clock.ts'
import {
  deliver,
  type PullRequestChanges,
  pullRequestPayload,
  repositoryPayload,
  secret,
} from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService, twoConnections } from '../../support/service.ts'
import { read, record } from './recovery.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ ...twoConnections, webhookSecret: secret })
})
afterAll(() => service.stop())

const iso = (ms = 0) => new Date(service.clock.now().getTime() + ms).toISOString()
const url = ({ owner, name }: TestRepository, number = 7) => `https://github.com/${owner}/${name}/pull/${number}`

async function merge(repository: TestRepository, changes: PullRequestChanges = {}) {
  const merged = { merged: true, state: 'closed', merged_at: iso(), ...changes }
  const response = await deliver(service, 'pull_request', pullRequestPayload(repository, 'closed', merged))
  expect(response).toMatchObject({ status: 200, body: { outcome: 'handled' } })
}

async function deleteBranch(
  repository: TestRepository,
  changes: object = {},
  ref: object = { ref: 'feat', ref_type: 'branch' },
) {
  const payload = {
    ...ref,
    pusher_type: 'user',
    repository: repositoryPayload(repository, { pushed_at: iso(), ...changes }),
  }
  expect((await deliver(service, 'delete', payload)).status).toBe(200)
}

const isMerged = { status: 'archived', archived_reason: 'merged' }
const isLive = { status: 'active', archived_at: null }

describe('a pull request that merges', () => {
  it('archives the work linked to it, and the work on its branch that has no link', async () => {
    const repository = service.newRepository()
    const linked = await record(repository, { branch: 'elsewhere', pr_url: url(repository) })
    const onBranch = await record(repository)
    const others = [
      await record(repository, { branch: 'other' }),
      await record(repository, { branch: null }),
      await record(repository, { pr_url: url(repository, 8) }),
      await record(repository, { base_branch: 'develop' }),
    ]
    service.clock.advance(minute)
    await merge(repository)
    for (const id of [linked, onBranch])
      expect(await read(repository, id)).toMatchObject({ ...isMerged, archived_at: iso() })
    for (const id of others) expect(await read(repository, id)).toMatchObject(isLive)
  })

  it('archives work of any live status, and leaves ended work unchanged', async () => {
    const repository = service.newRepository()
    const live = []
    for (const status of ['planned', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review']) {
      const id = await record(repository)
      await repository.patch(`/activity/${id}`, { status })
      live.push(id)
    }
    const abandoned = await record(repository)
    await repository.patch(`/activity/${abandoned}`, { status: 'abandoned' })
    const archived = await record(repository)
    await repository.post(`/activity/${archived}/archive`)
    await merge(repository)
    for (const id of live) expect(await read(repository, id)).toMatchObject(isMerged)
    expect(await read(repository, abandoned)).toMatchObject({ status: 'abandoned' })
    expect(await read(repository, archived)).toMatchObject({ archived_reason: 'caller' })
  })

  it('archives work with the base of the pull request or none, in any case of its names', async () => {
    const repository = service.newRepository()
    const based = await record(repository, { base_branch: 'main' })
    const linked = await record(repository, { branch: null, pr_url: url(repository).replace('acme', 'ACME') })
    await merge(repository, { repository: { full_name: `ACME/${repository.name.toUpperCase()}` } })
    for (const id of [based, linked]) expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('archives work in another repository that links to it, if the caller could see it', async () => {
    const here = service.newRepository()
    const there = service.newRepository()
    service.github.data.repositories.get(Number(there.id))?.roles.set(`writer${here.id}`, 'write')
    const linked = await record(here, { pr_url: url(there) })
    const hidden = service.newRepository()
    const blind = await record(here, { pr_url: url(hidden) })
    await merge(there, { head: 'whatever' })
    await merge(hidden, { head: 'whatever' })
    expect(await read(here, linked)).toMatchObject(isMerged)
    expect(await read(here, blind)).toMatchObject({ ...isLive, pr_url: url(hidden) })
  })

  it.each([
    ['a fork’s branch of the same name', { headRepository: { id: 999_999, full_name: 'fork/x' } }],
    ['the branch of a deleted fork', { headRepository: null }],
    ['the default branch', { head: 'main' }],
    ['a branch of another case', { head: 'FEAT' }],
  ])('does not merge %s', async (_name, changes) => {
    const repository = service.newRepository()
    const onBranch = await record(repository)
    const onDefault = await record(repository, { branch: 'main' })
    const linked = await record(repository, { branch: 'x', pr_url: url(repository) })
    await merge(repository, changes)
    expect(await read(repository, onBranch)).toMatchObject(isLive)
    expect(await read(repository, onDefault)).toMatchObject(isLive)
    expect(await read(repository, linked)).toMatchObject(isMerged)
  })

  it('leaves work that was created over 30 s after it: the branch is a new one', async () => {
    const repository = service.newRepository()
    const merged_at = iso()
    service.clock.advance(30 * second)
    const old = await record(repository)
    service.clock.advance(second)
    const fresh = await record(repository)
    await merge(repository, { merged_at })
    expect(await read(repository, old)).toMatchObject(isMerged)
    expect(await read(repository, fresh)).toMatchObject(isLive)
  })

  it('marks work as merged that the branch deletion archived first, and keeps archived_at', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const merged_at = iso()
    await deleteBranch(repository)
    const deleted = await read(repository, id)
    expect(deleted).toMatchObject({ status: 'archived', archived_reason: 'branch_deleted' })
    service.clock.advance(minute)
    await merge(repository, { merged_at })
    expect(await read(repository, id)).toMatchObject({ ...isMerged, archived_at: deleted.archived_at })
  })

  it('marks work as merged that has expired since, swept or not', async () => {
    const repository = service.newRepository()
    const linked = await record(repository, { pr_url: url(repository) })
    const { expires_at } = await read(repository, linked)
    service.clock.advance(2 * day)
    await merge(repository)
    expect(await read(repository, linked)).toMatchObject({ ...isMerged, archived_at: expires_at })
  })

  it('leaves work on an earlier branch of that name, deleted long before', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    await deleteBranch(repository)
    service.clock.advance(day)
    await merge(repository)
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('needs no installation, head.repo, base or merged_at', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { base_branch: 'anything' })
    const { installation: _, ...payload } = pullRequestPayload(repository, 'closed', { merged: true, state: 'closed' })
    const pull_request = { number: 7, merged: true, state: 'closed', head: { ref: 'feat' } }
    expect((await deliver(service, 'pull_request', { ...payload, pull_request })).status).toBe(200)
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('uses the repository’s id rather than its name', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    await merge(repository, { repository: { id: 424_242 } })
    expect(await read(repository, id)).toMatchObject(isLive)
  })

  it('uses the repository’s name if the payload has no id', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    await merge(repository, { repository: { id: undefined } })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('takes signs of a pattern in such a name for themselves, whatever its case', async () => {
    const named = (repository_id: number, owner: string, name: string, day: number) => ({
      repository_id,
      owner,
      name,
      default_branch: 'main',
      updated_at: new Date(Date.UTC(2026, 0, day)),
    })
    const data = [
      named(901, 'Name-Alone', 'a_b', 1),
      named(902, 'name-alone', 'axb', 2),
      named(903, 'name-alone', 'A_B', 3),
    ]
    await service.db.prisma.repository.createMany({ data })
    const find = (name: string) => findRepositoryId(service.db.prisma, { owner: 'NAME-ALONE', name })
    expect(await Promise.all(['a_b', 'AXB', '%', 'a\\_b'].map(find))).toEqual([903n, 902n, undefined, undefined])
  })

  it('in an unknown repository is handled, and changes nothing', async () => {
    await merge(service.newRepository(), { repository: { id: 31_337, full_name: 'no/body' } })
  })
})

describe('a pull request that closes without merging', () => {
  it('archives nothing', async () => {
    const repository = service.newRepository()
    const ids = [await record(repository), await record(repository, { pr_url: url(repository) })]
    await deliver(service, 'pull_request', pullRequestPayload(repository, 'closed', { state: 'closed' }))
    for (const id of ids) expect(await read(repository, id)).toMatchObject(isLive)
  })
})

describe('a branch that is deleted', () => {
  it('archives the live work on it, in that repository, with exactly that name', async () => {
    const repository = service.newRepository()
    const other = service.newRepository()
    const gone = [await record(repository), await record(repository, { pr_url: url(repository) })]
    const stays = [await record(repository, { branch: 'Feat' }), await record(repository, { branch: null })]
    const elsewhere = await record(other)
    service.clock.advance(minute)
    await deleteBranch(repository)
    for (const id of gone) {
      expect(await read(repository, id)).toMatchObject({
        status: 'archived',
        archived_reason: 'branch_deleted',
        archived_at: iso(),
      })
    }
    for (const id of stays) expect(await read(repository, id)).toMatchObject(isLive)
    expect(await read(other, elsewhere)).toMatchObject(isLive)
  })

  it('is not affected by the deletion of a tag of that name', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    await deleteBranch(repository, {}, { ref: 'feat', ref_type: 'tag' })
    expect(await read(repository, id)).toMatchObject(isLive)
  })

  it('leaves work created more than 30 s after the last push: the branch is a new one', async () => {
    const repository = service.newRepository()
    const pushed_at = iso()
    service.clock.advance(30 * second)
    const old = await record(repository)
    service.clock.advance(second)
    const fresh = await record(repository)
    await deleteBranch(repository, { pushed_at })
    expect(await read(repository, old)).toMatchObject({ archived_reason: 'branch_deleted' })
    expect(await read(repository, fresh)).toMatchObject(isLive)
  })

  it.each([null, undefined, 'long ago', '2019-05-15T15:20:41Z', 1_557_933_641])(
    'ignores a last push of %j, which is not its time',
    async (pushed_at) => {
      const repository = service.newRepository()
      const id = await record(repository)
      await deleteBranch(repository, { pushed_at })
      expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted' })
    },
  )

  it('leaves merged work merged, and expired work expired', async () => {
    const repository = service.newRepository()
    const merged = await record(repository)
    await merge(repository)
    const expired = await record(repository, { branch: 'other' })
    await deleteBranch(repository)
    expect(await read(repository, merged)).toMatchObject(isMerged)
    service.clock.advance(2 * day)
    await deleteBranch(repository, {}, { ref: 'other', ref_type: 'branch' })
    expect(await read(repository, expired)).toMatchObject({ archived_reason: 'expired' })
  })
})

describe('a pull request that opens or changes', () => {
  const event = (repository: TestRepository, action: string, changes: PullRequestChanges = {}) =>
    deliver(service, 'pull_request', pullRequestPayload(repository, action, changes))

  it('is linked to the unlinked work on its branch, which becomes draft or ready', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const linked = await record(repository, { pr_url: url(repository, 3) })
    const blocked = await record(repository)
    await repository.patch(`/activity/${blocked}`, { status: 'blocked' })
    await event(repository, 'opened', { draft: true })
    expect(await read(repository, id)).toMatchObject({
      pr_url: url(repository),
      draft_pr: true,
      status: 'draft-pr-open',
    })
    expect(await read(repository, blocked)).toMatchObject({
      pr_url: url(repository),
      draft_pr: true,
      status: 'blocked',
    })
    expect(await read(repository, linked)).toMatchObject({
      pr_url: url(repository, 3),
      draft_pr: false,
      status: 'active',
    })
    await event(repository, 'ready_for_review', { draft: false })
    expect(await read(repository, id)).toMatchObject({ draft_pr: false, status: 'ready-for-review' })
    await event(repository, 'converted_to_draft', { draft: true })
    expect(await read(repository, id)).toMatchObject({ draft_pr: true, status: 'draft-pr-open' })
    await merge(repository, { head: 'renamed-since' })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('makes active work draft or ready only when it is opened or reopened', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    await event(repository, 'edited')
    expect(await read(repository, id)).toMatchObject({ pr_url: url(repository), status: 'active' })
    await event(repository, 'reopened')
    expect(await read(repository, id)).toMatchObject({ status: 'ready-for-review' })
  })

  it.each([
    ['a fork', 'opened', { headRepository: { id: 5, full_name: 'fork/x' } }],
    ['a deleted fork', 'opened', { headRepository: null }],
    ['the default branch', 'opened', { head: 'main' }],
    ['a closed one that is edited', 'edited', { state: 'closed' }],
    ['an action of no concern', 'labeled', {}],
  ])('links no work for %s', async (_name, action, changes) => {
    const repository = service.newRepository()
    const ids = [await record(repository), await record(repository, { branch: 'main' })]
    expect((await event(repository, action, changes)).status).toBe(200)
    for (const id of ids) expect(await read(repository, id)).toMatchObject({ pr_url: null, status: 'active' })
  })
})

describe('a push', () => {
  const push = (repository: TestRepository, changes: object = {}) =>
    deliver(service, 'push', {
      ref: 'refs/heads/feat',
      commits: [],
      repository: repositoryPayload(repository),
      ...changes,
    })

  it('is a heartbeat of the live work on its branch', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const other = await record(repository, { branch: 'other' })
    service.clock.advance(hour)
    await push(repository)
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: iso(), expires_at: iso(day) })
    expect(await read(repository, other)).toMatchObject({ heartbeat_at: null })
  })

  it.each([
    ['deletes the branch', { deleted: true }],
    ['is of a tag', { ref: 'refs/tags/feat' }],
  ])('that %s is none', async (_name, changes) => {
    const repository = service.newRepository()
    const id = await record(repository)
    expect((await push(repository, changes)).status).toBe(200)
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: null })
  })

  it('does not revive ended work', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    service.clock.advance(day)
    await push(repository)
    expect(await read(repository, id)).toMatchObject({
      status: 'archived',
      archived_reason: 'expired',
      heartbeat_at: null,
    })
  })
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { day, hour, minute, second } from '../../support/clock.ts'
import { deliver, type PullRequestChanges, pullRequestPayload, repositoryPayload } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { settingsOf, withSettings } from '../settings/settings.ts'
import { read, record } from './recovery.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ githubApp: true, settings: { max_activity_ttl_ms: 3 * day } })
})
afterAll(() => service.stop())

const iso = (ms = 0) => new Date(service.clock.now().getTime() + ms).toISOString()
const url = ({ owner, name }: TestRepository, number = 7) => `https://github.com/${owner}/${name}/pull/${number}`

async function receive(event: string, payload: object, outcome = 'handled') {
  const response = await deliver(service, event, payload, { secret: service.github.data.app.webhookSecret })
  expect(response).toMatchObject({ status: 200, body: { outcome } })
}

const pull = (repository: TestRepository, action: string, changes: PullRequestChanges = {}) =>
  receive('pull_request', pullRequestPayload(repository, action, changes))

const merge = (repository: TestRepository, changes: PullRequestChanges = {}) =>
  pull(repository, 'closed', { merged: true, state: 'closed', merged_at: iso(), ...changes })

const deleteBranch = (repository: TestRepository, ref = 'feat') =>
  receive('delete', { ref, ref_type: 'branch', repository: repositoryPayload(repository, { pushed_at: iso() }) })

const push = (repository: TestRepository, ref = 'refs/heads/feat') =>
  receive('push', { ref, commits: [], repository: repositoryPayload(repository) })

/** Whether it is gone 30 days after `ended`, and was there a moment before. */
async function isKeptFor30Days(repository: TestRepository, id: string, ended: string) {
  const gone = Date.parse(ended) + 30 * day
  service.clock.advance(gone - 1 - service.clock.now().getTime())
  expect((await repository.get(`/activity/${id}`)).status).toBe(200)
  service.clock.advance(1)
  expect((await repository.get(`/activity/${id}`)).status).toBe(404)
}

const isLive = { status: 'active', archived_at: null }
const isMerged = { status: 'archived', archived_reason: 'merged' }

describe('a merge', () => {
  it('with the same number in another repository is a different merge', async () => {
    const repository = service.newRepository()
    const linked = await record(repository, { pr_url: url(repository) })
    await merge(service.newRepository())
    expect(await read(repository, linked)).toMatchObject(isLive)
  })

  it('leaves work on its branch that links to an invisible pull request', async () => {
    const repository = service.newRepository()
    const hidden = service.newRepository()
    const blind = await record(repository, { pr_url: url(hidden) })
    await merge(repository)
    expect(await read(repository, blind)).toMatchObject(isLive)
  })

  it('marks expired work on its branch as merged, however long ago it expired, saved or not', async () => {
    const repository = service.newRepository()
    const written = await record(repository)
    service.clock.advance(2 * day)
    await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
    const unwritten = await record(repository)
    service.clock.advance(2 * day)
    const ends = [await read(repository, written), await read(repository, unwritten)]
    await merge(repository)
    const after = [await read(repository, written), await read(repository, unwritten)]
    for (const [n, { archived_at }] of ends.entries())
      expect(after[n]).toMatchObject({ ...isMerged, archived_at, updated_at: iso() })
  })

  it('marks work as merged that the branch deletion archived up to 30 s before it, and no earlier work', async () => {
    for (const [ms, archived_reason] of [
      [30 * second, 'merged'],
      [30 * second + 1, 'branch_deleted'],
    ] as const) {
      const repository = service.newRepository()
      const id = await record(repository)
      await deleteBranch(repository)
      service.clock.advance(ms)
      await merge(repository)
      expect(await read(repository, id)).toMatchObject({ archived_reason })
    }
  })

  it('marks work as merged that is linked to it, however long ago the branch was deleted', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { pr_url: url(repository) })
    await deleteBranch(repository)
    service.clock.advance(day)
    await merge(repository)
    expect(await read(repository, id)).toMatchObject(isMerged)
  })

  it('extends the retention of no ended work', async () => {
    const repository = service.newRepository()
    const deleted = await record(repository)
    const ended = iso()
    await deleteBranch(repository)
    service.clock.advance(20 * second)
    await merge(repository)
    await isKeptFor30Days(repository, deleted, ended)
    const expired = await record(repository)
    const { expires_at } = await read(repository, expired)
    service.clock.advance(3 * day)
    await merge(repository)
    await isKeptFor30Days(repository, expired, String(expires_at))
  })

  it('is recognized by merged_at if merged is missing, and only with the action closed', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const { pull_request, ...payload } = pullRequestPayload(repository, 'closed', { state: 'closed' })
    const { merged: _, ...unsaid } = pull_request
    await receive('pull_request', { ...payload, pull_request: unsaid })
    const merged = { merged: true, merged_at: iso(), state: 'closed' }
    await pull(repository, 'edited', merged)
    await receive('pull_request', pullRequestPayload(repository, 'labeled', merged), 'ignored')
    expect(await read(repository, id)).toMatchObject(isLive)
    await receive('pull_request', { ...payload, pull_request: { ...unsaid, merged_at: iso() } })
    expect(await read(repository, id)).toMatchObject(isMerged)
  })
})

describe('the deletion of a branch', () => {
  it('leaves the expiry time of expired work', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const { expires_at } = await read(repository, id)
    service.clock.advance(2 * day)
    await deleteBranch(repository)
    expect(await read(repository, id)).toMatchObject({
      archived_reason: 'expired',
      archived_at: expires_at,
      updated_at: expires_at,
    })
    await isKeptFor30Days(repository, id, String(expires_at))
  })

  it('may have a full ref', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    await deleteBranch(repository, 'refs/heads/feat')
    expect(await read(repository, id)).toMatchObject({ archived_reason: 'branch_deleted', updated_at: iso() })
  })

  it('up to 8 days after the last push only concerns work from before the push', async () => {
    for (const [age, expected] of [
      [8 * day, isLive],
      [8 * day + 1, { archived_reason: 'branch_deleted' }],
    ] as const) {
      const repository = service.newRepository()
      const id = await record(repository)
      const pushed = repositoryPayload(repository, { pushed_at: iso(-age) })
      await receive('delete', { ref: 'feat', ref_type: 'branch', repository: pushed })
      expect(await read(repository, id)).toMatchObject(expected)
    }
  })
})

describe('a pull request that opens', () => {
  it('is not linked to ended or expired work, nor to work on the same branch elsewhere', async () => {
    const repository = service.newRepository()
    const other = service.newRepository()
    const expired = await record(repository)
    service.clock.advance(2 * day)
    const abandoned = await record(repository)
    await repository.patch(`/activity/${abandoned}`, { status: 'abandoned' })
    const elsewhere = await record(other)
    const live = await record(repository)
    service.clock.advance(second)
    await pull(repository, 'opened')
    for (const [where, id] of [
      [repository, expired],
      [repository, abandoned],
      [other, elsewhere],
    ] as const)
      expect(await read(where, id)).toMatchObject({ pr_url: null })
    expect(await read(repository, live)).toMatchObject({ pr_url: url(repository), updated_at: iso() })
  })

  it('changes only the live work that is linked to it, also in another repository', async () => {
    const repository = service.newRepository()
    const other = service.newRepository()
    service.github.allow(repository, other.writer)
    const pr_url = url(repository)
    const linked = { branch: 'elsewhere', pr_url }
    const [here, there, otherNumber, otherRepository, abandoned] = [
      await record(repository, linked),
      await record(other, linked),
      await record(repository, { pr_url: url(repository, 8) }),
      await record(other, { pr_url: url(other) }),
      await record(repository, linked),
    ]
    await repository.patch(`/activity/${abandoned}`, { status: 'abandoned' })
    await pull(repository, 'opened', { draft: true })
    const follows = { draft_pr: true, status: 'draft-pr-open' }
    expect(await read(repository, here)).toMatchObject(follows)
    expect(await read(other, there)).toMatchObject(follows)
    for (const [where, id, status] of [
      [repository, otherNumber, 'active'],
      [other, otherRepository, 'active'],
      [repository, abandoned, 'abandoned'],
    ] as const)
      expect(await read(where, id)).toMatchObject({ draft_pr: false, status })
  })

  it('does not change work that is up to date or expired', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { pr_url: url(repository) })
    await pull(repository, 'opened', { draft: true })
    const before = await read(repository, id)
    service.clock.advance(minute)
    await pull(repository, 'edited', { draft: true })
    expect(await read(repository, id)).toEqual(before)
    service.clock.advance(2 * day)
    await pull(repository, 'ready_for_review')
    expect(await read(repository, id)).toMatchObject({ draft_pr: true, archived_reason: 'expired' })
  })

  it('applies its events by their own times, in any order', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const [first, second, third] = [iso(), iso(minute), iso(2 * minute)]
    const isReady = { draft_pr: false, status: 'ready-for-review' }
    const isDraft = { draft_pr: true, status: 'draft-pr-open' }
    await pull(repository, 'opened', { updated_at: first })
    await pull(repository, 'ready_for_review', { updated_at: third })
    const ready = await read(repository, id)
    expect(ready).toMatchObject(isReady)
    service.clock.advance(minute)
    await pull(repository, 'converted_to_draft', { draft: true, updated_at: second })
    expect(await read(repository, id)).toEqual(ready)
    await pull(repository, 'converted_to_draft', { draft: true, updated_at: third })
    expect(await read(repository, id)).toMatchObject(isDraft)
    await pull(repository, 'edited', { updated_at: second })
    expect(await read(repository, id)).toMatchObject(isDraft)
    await pull(repository, 'ready_for_review')
    expect(await read(repository, id)).toMatchObject(isReady)
    await pull(repository, 'edited', { draft: true, updated_at: second })
    expect(await read(repository, id)).toMatchObject(isReady)
  })

  it('applies its own times only: another pull request of the work has others', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { pr_url: url(repository) })
    await pull(repository, 'opened', { updated_at: iso(minute) })
    await repository.patch(`/activity/${id}`, { pr_url: url(repository, 8) })
    await pull(repository, 'converted_to_draft', { number: 8, draft: true, updated_at: iso() })
    expect(await read(repository, id)).toMatchObject({ draft_pr: true, status: 'draft-pr-open' })
  })

  it('is linked with the configured GitHub server URL, over https', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const enterprise = await startTestService({
      sharedWith: service,
      webhookSecret: 'x',
      githubServerUrl: 'http://ghe.example:8443',
    })
    await deliver(enterprise, 'pull_request', pullRequestPayload(repository, 'opened'), { secret: 'x' })
    await enterprise.stop()
    const { owner, name } = repository
    expect(await read(repository, id)).toMatchObject({ pr_url: `https://ghe.example:8443/${owner}/${name}/pull/7` })
  })

  it('that is delivered late is not linked to work created over 30 s after it changed', async () => {
    const repository = service.newRepository()
    const updated_at = iso()
    service.clock.advance(30 * second)
    const old = await record(repository)
    service.clock.advance(second)
    const fresh = await record(repository)
    const { pull_request, ...payload } = pullRequestPayload(repository, 'opened')
    await receive('pull_request', { ...payload, pull_request: { ...pull_request, updated_at } })
    expect(await read(repository, old)).toMatchObject({ pr_url: url(repository) })
    expect(await read(repository, fresh)).toMatchObject({ pr_url: null })
    const sample = { ...pull_request, updated_at: '2019-05-15T15:20:33Z' }
    await receive('pull_request', { ...payload, pull_request: sample })
    expect(await read(repository, fresh)).toMatchObject({ pr_url: url(repository) })
  })
})

describe('a push', () => {
  it('extends the expiry by the lifetime in the repository’s settings', async () => {
    const { repository } = withSettings(service, `activity_ttl_ms: ${36 * hour}\n`)
    const id = await record(repository)
    await settingsOf(repository)
    const query = 'select 1 from repository_settings where repository_id = $1'
    await expect.poll(async () => (await service.db.query(query, [repository.id])).rowCount).toBe(1)
    service.clock.advance(hour)
    await push(repository)
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: iso(), expires_at: iso(36 * hour) })
  })

  it('extends the expiry up to the limit in the settings, and never shortens it, whatever the clock', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    const cap = iso(3 * day)
    for (let days = 0; days < 3; days++) {
      service.clock.advance(23 * hour)
      await push(repository)
    }
    const last = await read(repository, id)
    expect(last).toMatchObject({ heartbeat_at: iso(), expires_at: cap })
    service.clock.advance(-2 * day)
    await push(repository)
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: last.heartbeat_at, expires_at: cap })
    service.clock.advance(2 * day)
  })

  it('does not affect the same branch in another repository, nor ended work', async () => {
    const repository = service.newRepository()
    const other = service.newRepository()
    const elsewhere = await record(other)
    const ended = await record(repository)
    await repository.patch(`/activity/${ended}`, { status: 'merged' })
    const live = await record(repository)
    await push(repository)
    expect(await read(repository, live)).toMatchObject({ heartbeat_at: iso() })
    expect(await read(other, elsewhere)).toMatchObject({ heartbeat_at: null })
    expect(await read(repository, ended)).toMatchObject({ heartbeat_at: null })
  })
})

describe('an event without an id', () => {
  it.each<[string, object]>([
    ['push', { ref: 'refs/heads/feat', commits: [] }],
    ['delete', { ref: 'feat', ref_type: 'branch' }],
    ['repository', { action: 'renamed', changes: { repository: { name: { from: 'x' } } } }],
    ['pull_request', { action: 'closed', pull_request: { number: 7, merged: true, head: { ref: 'feat' } } }],
    ['pull_request', { action: 'opened', pull_request: { number: 7, state: 'open', head: { ref: 'feat' } } }],
  ])('(%s) in a repository with an unknown name is handled, and changes nothing', async (event, payload) => {
    const repository = service.newRepository()
    const id = await record(repository)
    const before = await read(repository, id)
    const unknown = { id: undefined, full_name: 'no/body', name: 'body', owner: { login: 'no' } }
    await receive(event, { ...payload, repository: repositoryPayload(repository, unknown) })
    expect(await read(repository, id)).toEqual(before)
  })
})

import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { minute, second } from '../../support/clock.ts'
import { deliver } from '../../support/deliveries.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { hookUp, record, recordRequests } from '../webhooks/recovery.ts'
import {
  countingObserver,
  observedIn,
  pullRequestRow,
  saveSettingsAsRead,
  startObserving,
  stateOf,
} from './observing.ts'

let service: TestService
let repository: TestRepository
let woken: ReturnType<typeof countingObserver>

beforeEach(async () => {
  await service?.stop()
  woken = countingObserver()
  service = await startTestService({ githubApp: true, observer: woken })
  hookUp(service)
  service.github.install('acme')
  repository = service.newRepository()
})
afterAll(() => service.stop())

const open = (head = 'feat', more: object = {}) =>
  service.github.openPullRequest(repository, { head, files: [{ path: 'src/a.ts', lines: [[3, 5]] }], ...more })
const records = () => observedIn(service, repository)
const last = async () => (await records()).at(-1) ?? expect.fail('no record')
const later = (ms = minute) => service.clock.advance(ms)

/** The deliveries that the stand-in would have made. */
async function collect(work: () => Promise<void>) {
  const { data } = service.github
  data.app.hookUrl = 'http://127.0.0.1:9'
  const before = data.deliveries.length
  await work()
  return data.deliveries.slice(before).map(({ event, request }) => ({ event, text: request.text }))
}
const send = (event: string, text: string) =>
  deliver(service, event, text, { secret: service.github.data.app.webhookSecret })

describe('an opened pull request', () => {
  it('has a record at once, without a request to GitHub', async () => {
    const asked = recordRequests(service)
    const { headSha } = await open('feat', { title: 'Rework the login', draft: true, author: 'alice' })
    expect(asked().filter((target) => target.includes('/pulls'))).toEqual([])
    expect(await last()).toMatchObject({
      title: 'Rework the login',
      status: 'draft-pr-open',
      actor: 'alice',
      branch: 'feat',
      base_branch: 'main',
      pr_number: 1,
      pr_url: `https://github.com/acme/${repository.name}/pull/1`,
    })
    expect(await pullRequestRow(service, repository, 1)).toMatchObject({
      head_sha: headSha,
      files_head_sha: null,
      marked_by_webhook: true,
    })
    expect(woken).toMatchObject({ files: 1, lists: 1 })
  })

  it('is read at once by the job that it starts', async () => {
    await service.stop()
    const started = await startTestService({ githubApp: true, observer: countingObserver() })
    service = started
    hookUp(service)
    service.github.install('acme')
    repository = service.newRepository()
    await open()
    await startObserving(service).read()
    expect(await last()).toMatchObject({ summary: 'Pull request #1: 1 file', paths: ['src/a.ts'] })
  })

  it('covers nothing and changes no work that is recorded on its branch', async () => {
    const id = await record(repository, { branch: 'feat' })
    await open()
    const { body } = await repository.get(`/activity/${id}`)
    expect(body).toMatchObject({ status: 'ready-for-review', pr_url: expect.stringContaining('/pull/1') })
    expect(await last()).toMatchObject({ status: 'ready-for-review', source: 'pull_request' })
  })

  it('of a fork names its owner', async () => {
    const fork = service.newRepository('bob')
    await open('feat', { from: fork, author: 'bob' })
    expect(await last()).toMatchObject({ branch: 'bob:feat', actor: 'bob' })
  })

  it('of a coding agent names it as the agent', async () => {
    await open('copilot/fix-1', { author: 'copilot-swe-agent[bot]' })
    expect(await last()).toMatchObject({ actor: 'copilot-swe-agent[bot]', agent: 'copilot-swe-agent[bot]' })
  })
})

describe('a changed pull request', () => {
  it('follows its draft state, title and base', async () => {
    await open('feat', { draft: true })
    later()
    await service.github.markReady(repository, 1)
    expect(await last()).toMatchObject({ status: 'ready-for-review', draft_pr: false })
    later()
    await service.github.convertToDraft(repository, 1)
    expect(await last()).toMatchObject({ status: 'draft-pr-open', draft_pr: true })
    later()
    await service.github.editPullRequest(repository, 1, { title: 'Other', base: 'release' })
    expect(await last()).toMatchObject({ title: 'Other', base_branch: 'release' })
    expect(woken.files).toBe(1)
    expect(await records()).toHaveLength(1)
  })

  it('is to be read again after a push, which costs two requests', async () => {
    await saveSettingsAsRead(service, repository)
    const observing = startObserving(service)
    await open()
    await observing.read()
    later()
    await service.github.push(repository, 'feat', {}, { changed: [{ path: 'src/b.ts', lines: [[1, 1]] }] })
    expect(await last()).toMatchObject({ heartbeat_at: service.clock.now(), paths: ['src/a.ts'] })
    expect(woken.files).toBe(2)
    const asked = recordRequests(service)
    await observing.read()
    expect(asked()).toHaveLength(2)
    expect(await last()).toMatchObject({ heartbeat_at: service.clock.now(), paths: ['src/b.ts'] })
  })

  it('ends as closed or merged, and reopening makes a new record', async () => {
    await open()
    later()
    await service.github.closePullRequest(repository, 1)
    expect(await last()).toMatchObject({ status: 'archived', archived_reason: 'closed' })
    later()
    await service.github.reopenPullRequest(repository, 1)
    expect(await records()).toHaveLength(2)
    expect(await last()).toMatchObject({ ended_at: null })
    later()
    await service.github.mergePullRequest(repository, 1, { deleteBranch: true })
    expect(await last()).toMatchObject({ archived_reason: 'merged' })
  })

  it('that is merged archives recorded work in the same delivery', async () => {
    const id = await record(repository, { branch: 'feat' })
    await open()
    later()
    await service.github.mergePullRequest(repository, 1)
    const { body } = await repository.get(`/activity/${id}`)
    expect(body).toMatchObject({ archived_reason: 'merged' })
  })

  it('keeps its record where only its branch is deleted', async () => {
    await open()
    later()
    const payload = {
      ref: 'feat',
      ref_type: 'branch',
      repository: { id: Number(repository.id), name: repository.name },
    }
    await deliver(service, 'delete', payload, { secret: service.github.data.app.webhookSecret })
    expect(await last()).toMatchObject({ ended_at: null })
  })
})

describe('a closed pull request whose fields differ', () => {
  /** Delivers its event with other fields. */
  async function closeWith(fields: object) {
    const [{ event, text } = expect.fail('no delivery')] = await collect(async () => {
      await service.github.closePullRequest(repository, 1)
    })
    const payload = JSON.parse(text)
    await send(event, JSON.stringify({ ...payload, pull_request: { ...payload.pull_request, ...fields } }))
  }

  it.each([
    ['merged as `merged` says', { merged: true, merged_at: null }, 'merged'],
    ['not merged as `merged` says', { merged: false, merged_at: '2026-11-20T09:30:00Z' }, 'closed'],
    [
      'merged by `merged_at` where `merged` is missing',
      { merged: undefined, merged_at: '2026-11-20T09:30:00Z' },
      'merged',
    ],
  ])('is %s, for observed and recorded work', async (_, fields, reason) => {
    const id = await record(repository, { branch: 'feat' })
    await open()
    later()
    await closeWith(fields)
    expect(await last()).toMatchObject({ archived_reason: reason })
    expect(await pullRequestRow(service, repository, 1)).toMatchObject({ state: reason })
    const { body } = await repository.get(`/activity/${id}`)
    expect(body).toMatchObject({ archived_reason: reason === 'merged' ? 'merged' : null })
  })
})

describe('a late event', () => {
  it('of a merge and a push, in any order, ends the same', async () => {
    const events = await collect(async () => {
      await open()
      later()
      await service.github.push(repository, 'feat')
      later()
      await service.github.mergePullRequest(repository, 1)
    })
    for (const { event, text } of events.reverse()) await send(event, text)
    expect((await records()).every(({ archived_reason }) => archived_reason === 'merged')).toBe(true)
    expect(await pullRequestRow(service, repository, 1)).toMatchObject({ state: 'merged', activity_id: null })
  })

  it('of a former head does not bring it back', async () => {
    const events = await collect(async () => {
      await open()
      later()
      await service.github.push(repository, 'feat')
    })
    for (const { event, text } of events.reverse()) await send(event, text)
    const head = service.github.data.repositories.get(Number(repository.id))?.pulls[0]?.headSha
    expect(await pullRequestRow(service, repository, 1)).toMatchObject({
      head_sha: head,
      pushed_at: service.clock.now(),
    })
    expect(await records()).toHaveLength(1)
  })
})

describe('nothing is observed', () => {
  it('of a merge queue', async () => {
    await open('gh-readonly-queue/main/pr-7')
    expect(await records()).toEqual([])
  })

  it('by a service that receives webhooks without being the App', async () => {
    const alone = await startTestService({ sharedWith: service, githubApp: true })
    hookUp(alone)
    await open()
    expect(await records()).toEqual([])
    await alone.stop()
  })
})

describe('a GitHub that does not answer', () => {
  it('delays no webhook, create, check or archiving', async () => {
    await open()
    service.github.fail(faults.never(), { path: /\/pulls/ })
    const stop = new AbortController()
    const reading = startObserving(service, { signal: stop.signal }).read()
    later()
    await service.github.push(repository, 'feat')
    const id = await record(repository, { branch: 'other' })
    await repository.check({ branch: 'third', scope: { paths: ['src/**'] } })
    expect(await repository.post(`/activity/${id}/archive`)).toMatchObject({ status: 200 })
    await service.github.closePullRequest(repository, 1)
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
    stop.abort()
    await reading
  })
})

describe('an installation', () => {
  it('that ends takes all observed work with it, and leaves recorded work', async () => {
    const [installation] = service.github.data.installations.values()
    const id = await record(repository, { branch: 'other' })
    await open()
    later(second)
    await service.github.uninstall(installation ?? expect.fail())
    expect(await last()).toMatchObject({ status: 'archived', archived_reason: 'closed' })
    expect(await pullRequestRow(service, repository, 1)).toBeNull()
    expect(await stateOf(service, repository)).toBeNull()
    const { body } = await repository.get(`/activity/${id}`)
    expect(body).toMatchObject({ status: 'active' })
  })

  it('loses the observed work of repositories that are removed from it, and reads added ones', async () => {
    const [installation] = service.github.data.installations.values()
    const other = service.newRepository()
    await open()
    await service.github.chooseRepositories(installation ?? expect.fail(), [other])
    expect(await last()).toMatchObject({ archived_reason: 'closed' })
    await service.github.chooseRepositories(installation ?? expect.fail(), [other, repository])
    expect(await stateOf(service, repository)).toMatchObject({ by_app: true, listed_at: null })
    expect(woken.lists).toBeGreaterThanOrEqual(2)
    await startObserving(service).all()
    expect(await last()).toMatchObject({ ended_at: null, has_changes: true })
  })
})

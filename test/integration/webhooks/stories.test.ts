import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hour, minute } from '../../support/clock.ts'
import { repositoryOf } from '../../support/github/data.ts'
import { deleteEvent } from '../../support/github/payloads.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { hookUp, read, record } from './recovery.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ githubApp: true })
  hookUp(service)
  service.github.install('acme')
})
afterAll(() => service.stop())

/** What became of the deliveries since: each was taken. */
function outcomes(since: number): string[] {
  const deliveries = service.github.data.deliveries.slice(since)
  for (const { statusCode, response } of deliveries) expect(statusCode, response.text).toBe(200)
  return deliveries.map(({ event, action }) => (action === null ? event : `${event} ${action}`))
}

/** What GitHub could not deliver meanwhile. */
async function away(work: () => Promise<unknown>) {
  const { app, deliveries } = service.github.data
  const [since, { hookUrl }] = [deliveries.length, app]
  app.hookUrl = 'http://127.0.0.1:1/'
  await work()
  app.hookUrl = hookUrl
  expect(deliveries.length).toBeGreaterThan(since)
  return deliveries.slice(since)
}

/** A fork of the repository by somebody else, where the App is installed too. */
function forkOf({ name }: TestRepository) {
  service.github.install(`fork-${name}`)
  return service.github.addRepository(name, `fork-${name}`)
}

describe('everyday sequences of GitHub events', () => {
  it('a push and a pull request keep the work up to date by themselves', async () => {
    const { github, clock } = service
    const repository = service.newRepository()
    const since = github.data.deliveries.length
    await github.push(repository, 'feat', { 'src/a.ts': 'a' })
    const id = await record(repository)
    clock.advance(20 * hour)
    await github.push(repository, 'feat', { 'src/a.ts': 'b' })
    const pushedAt = clock.now().toISOString()
    clock.advance(20 * hour)
    expect(await read(repository, id)).toMatchObject({ status: 'active', heartbeat_at: pushedAt })
    const { number } = await github.openPullRequest(repository, { head: 'feat', draft: true })
    const pr_url = `https://github.com/${repository.owner}/${repository.name}/pull/${number}`
    expect(await read(repository, id)).toMatchObject({ status: 'draft-pr-open', draft_pr: true, pr_url })
    await github.markReady(repository, number)
    expect(await read(repository, id)).toMatchObject({ status: 'ready-for-review', draft_pr: false })
    await github.convertToDraft(repository, number)
    expect(await read(repository, id)).toMatchObject({ status: 'draft-pr-open', draft_pr: true })
    await github.markReady(repository, number)
    await github.closePullRequest(repository, number)
    await github.reopenPullRequest(repository, number)
    expect(await read(repository, id)).toMatchObject({ status: 'ready-for-review', archived_at: null })
    clock.advance(minute)
    await github.mergePullRequest(repository, number, { deleteBranch: true })
    expect(await read(repository, id)).toMatchObject({
      status: 'archived',
      archived_reason: 'merged',
      archived_at: clock.now().toISOString(),
    })
    expect((await repository.page('/activity')).items).toEqual([])
    expect(outcomes(since)).toContain('pull_request closed')
    expect(outcomes(since).at(-1)).toBe('delete')
  })

  it('a branch that is deleted with its pull request open: closed, and its work archived', async () => {
    const { github } = service
    const repository = service.newRepository()
    const id = await record(repository)
    await github.openPullRequest(repository, { head: 'feat' })
    await github.deleteBranch(repository, 'feat')
    expect(await read(repository, id)).toMatchObject({ status: 'archived', archived_reason: 'branch_deleted' })
  })

  it('a new branch after a deletion keeps its work, however late the deletion is delivered', async () => {
    const { github, clock } = service
    const repository = service.newRepository()
    const first = await record(repository)
    const lost = await away(() => github.deleteBranch(repository, 'feat'))
    clock.advance(minute)
    const anew = await record(repository)
    for (const delivery of lost) await github.redeliver(delivery)
    expect(await read(repository, first)).toMatchObject({ status: 'archived', archived_reason: 'branch_deleted' })
    expect(await read(repository, anew)).toMatchObject({ status: 'active' })
  })

  it('a pull request delivered after its branch was created again concerns the earlier work, in any order', async () => {
    const { github, clock } = service
    const repository = service.newRepository()
    const first = await record(repository)
    const lost = await away(async () => {
      const { number } = await github.openPullRequest(repository, { head: 'feat' })
      await github.mergePullRequest(repository, number, { deleteBranch: true })
    })
    clock.advance(hour)
    const anew = await record(repository)
    for (const delivery of lost.reverse()) await github.redeliver(delivery)
    expect(await read(repository, first)).toMatchObject({ status: 'archived', archived_reason: 'merged' })
    expect(await read(repository, anew)).toMatchObject({ status: 'active', pr_url: null })
  })

  it('a fork’s pull request, and a deletion in the fork, do not affect the branch of that name', async () => {
    const { github } = service
    const repository = service.newRepository()
    const fork = forkOf(repository)
    const id = await record(repository)
    const linked = await record(repository, { branch: 'elsewhere' })
    const { number } = await github.openPullRequest(repository, { head: 'feat', from: fork })
    await repository.patch(`/activity/${linked}`, {
      pr_url: `https://github.com/${repository.owner}/${repository.name}/pull/${number}`,
    })
    expect(await read(repository, id)).toMatchObject({ status: 'active', pr_url: null })
    await github.mergePullRequest(repository, number, { deleteBranch: true })
    expect(await read(repository, id)).toMatchObject({ status: 'active', pr_url: null })
    expect(await read(repository, linked)).toMatchObject({ status: 'archived', archived_reason: 'merged' })
  })

  it('the deletion of a tag does not affect the branch of the same name', async () => {
    const { github } = service
    const repository = service.newRepository()
    const id = await record(repository)
    await github.deliver('delete', deleteEvent(github, repositoryOf(github.data, Number(repository.id)), 'feat', 'tag'))
    expect(await read(repository, id)).toMatchObject({ status: 'active' })
  })

  it('a repository that the service has never seen: every event is handled, and nothing is saved', async () => {
    const { github, db } = service
    const { id } = github.addRepository('unseen')
    const since = github.data.deliveries.length
    await github.push({ id }, 'feat')
    const { number } = await github.openPullRequest({ id }, { head: 'feat' })
    await github.mergePullRequest({ id }, number, { deleteBranch: true })
    await github.renameRepository({ id }, 'still-unseen')
    await github.setPrivate({ id }, false)
    expect(outcomes(since).length).toBeGreaterThan(6)
    const { rows } = await db.query('select 1 from repositories where repository_id = $1', [id])
    expect(rows).toEqual([])
  })
})

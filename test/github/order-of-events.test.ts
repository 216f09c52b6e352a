import nock from 'nock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../support/database.ts'
import { githubApiUrl, githubServerUrl, newRepository, type TestRepository } from '../support/github.ts'
import { appEnvironment, deliver } from '../support/github-app.ts'
import { addPull, addRepository, emptyData } from '../support/github-server/data.ts'
import { pullShape, repositoryShape } from '../support/github-server/shapes.ts'
import { change, push } from '../support/pulls.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService(appEnvironment)
  // What happens here comes from events and requests alone.
  await query(service.databaseUrl, "update jobs set next_at = now() + interval '1 day'")
})
afterAll(async () => {
  await service.stop()
  nock.cleanAll()
})

/** The events of a pull request from its opening to its merge, as GitHub sends them. */
function eventsOfOne(tested: TestRepository) {
  const data = emptyData()
  const { id, owner, name } = tested
  const repository = addRepository(data, { id, owner, name })
  const pull = addPull(repository, { head: { branch: 'login' }, isDraft: true })
  const event = (action: string) => ({
    ...{ action, repository: repositoryShape(repository), installation: { id: 7 } },
    pull_request: structuredClone(pullShape(data, repository, pull, githubServerUrl)),
  })
  const told = [event('opened')]
  push(pull, [])
  told.push(event('synchronize'))
  change(pull, { title: 'Another title' })
  told.push(event('edited'))
  change(pull, { isDraft: false })
  told.push(event('ready_for_review'))
  change(pull, { state: 'closed', closedAt: pull.updatedAt, mergedAt: pull.updatedAt })
  return [...told, event('closed')]
}

it('§10 the events of a pull request end the same in whatever order they come', async () => {
  nock(githubApiUrl)
    .persist()
    .get(/headsup\.yml$/)
    .reply(404)
  const ends: unknown[] = []
  for (const order of ['01234', '43210', '24031', '1302']) {
    const tested = newRepository()
    const client = clientOf(service, { repository: tested })
    const { body } = await client.post('/activity', { ...work, branch: 'login' })
    const events = eventsOfOne(tested)
    for (const at of order) await deliver(service, 'pull_request', events[Number(at)] ?? {})
    const { status, archived_reason, draft_pr } = (await client.get(`/activity/${body.activity.id}`)).body
    const facts = 'select is_open, is_draft, title, base_branch from pull_requests where repository_id = $1'
    const live = 'select from activities where repository_id = $1 and ended_at is null'
    const rows = await query(service.databaseUrl, facts, [tested.id])
    ends.push([status, archived_reason, draft_pr, rows, (await query(service.databaseUrl, live, [tested.id])).length])
  }
  const facts = { is_open: false, is_draft: false, title: 'Another title', base_branch: 'main' }
  const merged = ['archived', 'merged', false, [facts], 0]
  expect(ends.slice(0, 3)).toEqual([merged, merged, merged])
  // Without the merge it goes on, as the last event says.
  expect(ends[3]).toEqual(['ready-for-review', null, false, [{ ...facts, is_open: true }], 2])
})

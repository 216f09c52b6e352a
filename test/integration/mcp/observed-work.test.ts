import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Activity, RetrievedActivity } from '../../../src/core/schemas/activity.ts'
import { connectModel, type ModelClient } from '../../support/mcp.ts'
import { changedFile, insertPullRequest } from '../../support/observed.ts'
import { type Created, startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
let model: ModelClient
let inRepository: { repository: string }

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  repository = service.newRepository()
  inRepository = { repository: `${repository.owner}/${repository.name}` }
  model = await connectModel(service.url, repository.writer)
  return () => model.close()
})

type WithRemark<Answer> = Answer & { remark?: string }
type Page = WithRemark<{ items: Activity[]; next_cursor: string | null }>

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat/login' }

async function pullRequests(...numbers: number[]) {
  for (const number of numbers) {
    const branch = `pull-${number}`
    await insertPullRequest(service.db, repository, service.clock.now(), {
      pull: { number, head_ref: branch },
      activity: { branch },
    })
  }
}

const list = (args: object = {}) => model.done<Page>('list_activities', { ...inRepository, ...args })

describe('list_activities', () => {
  it('lists recorded work, and counts open pull requests in a remark', async () => {
    const { activity } = await repository.created('/activity', work)
    await pullRequests(12, 13)
    const { items, remark } = await list()
    expect(items.map(({ id }) => id)).toEqual([activity.id])
    expect(remark).toContain('that nobody recorded: 2.')
    expect(remark).toContain('source "pull_request,branch"')
  })

  it('counts those that the filters leave, and has no remark where there are none', async () => {
    await pullRequests(12, 13)
    expect((await list({ branch: 'pull-12', has_pr: true, limit: 1 })).remark).toContain('that nobody recorded: 1.')
    expect(await list({ branch: 'other' })).not.toHaveProperty('remark')
  })

  it('lists open pull requests where the model names their source', async () => {
    await repository.created('/activity', work)
    await pullRequests(12)
    const page = await list({ source: 'pull_request,branch' })
    expect(page.items.map(({ source }) => source)).toEqual(['pull_request'])
    expect(page).not.toHaveProperty('remark')
  })

  it('has the remark only on the first page', async () => {
    for (const branch of ['a', 'b']) await repository.created('/activity', { ...work, branch })
    await pullRequests(12)
    const first = await list({ limit: 1 })
    expect(first).toHaveProperty('remark')
    const second = await list({ limit: 1, cursor: first.next_cursor })
    expect(second.items).toHaveLength(1)
    expect(second).not.toHaveProperty('remark')
  })
})

describe('start_activity', () => {
  const start = (args: object = {}) =>
    model.done<WithRemark<Created>>('start_activity', { ...inRepository, ...work, ...args })

  it('names the open pull request of the branch, which is seen already', async () => {
    await pullRequests(12)
    expect((await start({ branch: 'pull-12' })).remark).toContain('seen already as #12')
    expect(await start()).not.toHaveProperty('remark')
    expect(await start({ branch: null })).not.toHaveProperty('remark')
  })

  it('takes the changed lines', async () => {
    const changes = { files: [{ path: 'src/a.ts', status: 'modified', lines: [[3, 5]] }] }
    const { activity } = await start({ changes })
    expect(activity.changes).toMatchObject({ by: 'client', files_total: 1 })
    await model.done('check_overlap', { ...inRepository, changes })
    const updated = await model.done<Activity>('update_activity', {
      ...inRepository,
      activity_id: activity.id,
      changes: { files: [] },
    })
    expect(updated.changes?.files_total ?? 0).toBe(0)
  })
})

describe('get_activity', () => {
  it.each([20, 21])('shows the first 20 of %i changed files, and how many there are', async (count) => {
    const files = Array.from({ length: count }, (_, n) => changedFile(`src/${String(n).padStart(2, '0')}.ts`))
    const { id } = await insertPullRequest(service.db, repository, service.clock.now(), { files })
    const shown = await model.done<WithRemark<RetrievedActivity>>('get_activity', { ...inRepository, activity_id: id })
    expect(shown.changes?.files.map(({ path }) => path)).toEqual(files.slice(0, 20).map(({ path }) => path))
    expect(shown.changes?.files_total).toBe(count)
    expect(shown.remark).toBe(count > 20 ? 'changes.files has the first 20 of 21 files.' : undefined)
  })
})

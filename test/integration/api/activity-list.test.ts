import { Octokit } from '@octokit/rest'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call, refusal } from '../../support/client.ts'
import { hour } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService, twoConnections } from '../../support/service.ts'

const Page = z.object({ items: z.array(z.unknown()) })

let service: TestService

beforeAll(async () => {
  service = await startTestService(twoConnections)
})
afterAll(() => service.stop())

async function record(repository: TestRepository, fields: object = {}): Promise<string> {
  const { activity } = await repository.created('/activity', {
    title: 'Login',
    summary: 'Rework the login form.',
    actor: 'Alice',
    ...fields,
  })
  return activity.id
}

async function ids(repository: TestRepository, query = ''): Promise<string[]> {
  return (await repository.page(`/activity${query}`)).items.map(({ id }) => id)
}

describe('GET /activity: 200', () => {
  it('is empty for a repository that nobody works in', async () => {
    const answer = await service.newRepository().get('/activity')
    expect(answer).toMatchObject({ status: 200, body: { items: [], next_cursor: null } })
    expect(answer.headers.get('link')).toBeNull()
  })

  it('lists the live work newest first, each as the full object', async () => {
    const repository = service.newRepository()
    const first = await record(repository)
    const second = await record(repository)
    const { items } = await repository.page('/activity')
    expect(items.map(({ id }) => id)).toEqual([second, first])
    const { pr_reminder_due, ...full } = (await repository.get(`/activity/${first}`)).body as Record<string, unknown>
    expect(pr_reminder_due).toBe(false)
    expect(items[1]).toEqual(full)
  })

  it('leaves out what has ended, and shows it by its status', async () => {
    const repository = service.newRepository()
    const live = await record(repository)
    const ended = new Map<string, string>()
    for (const status of ['merged', 'abandoned', 'archived']) {
      const id = await record(repository)
      await repository.patch(`/activity/${id}`, { status })
      ended.set(status, id)
    }
    expect(await ids(repository)).toEqual([live])
    for (const [status, id] of ended) expect(await ids(repository, `?status=${status}`)).toEqual([id])
    expect(await ids(repository, '?status=expired')).toEqual([])
    expect(await ids(repository, '?status=active')).toEqual([live])
    expect(await ids(repository, '?status=paused')).toEqual([])
  })

  it('shows work whose time is over as archived from that instant, without a sweeper', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    service.clock.advance(24 * hour - 1)
    expect(await ids(repository)).toEqual([id])
    service.clock.advance(1)
    expect(await ids(repository)).toEqual([])
    expect(await ids(repository, '?status=active')).toEqual([])
    const { items } = await repository.page('/activity?status=archived')
    expect(items).toMatchObject([{ id, status: 'archived', archived_reason: 'expired' }])
    expect(items[0]?.archived_at).toBe(items[0]?.expires_at)
  })

  it('filters by risk, actor, branch and pull request, all together', async () => {
    const repository = service.newRepository()
    const url = `${service.pullRequestHost}/${repository.owner}/${repository.name}/pull/1`
    const wanted = await record(repository, { risk: 'high', actor: 'Bob', branch: 'b', pr_url: url, draft_pr: true })
    const other = await record(repository, { branch: 'B' })
    expect(await ids(repository, '?risk=high')).toEqual([wanted])
    expect(await ids(repository, '?actor=Bob')).toEqual([wanted])
    expect(await ids(repository, '?actor=bob')).toEqual([])
    expect(await ids(repository, '?branch=b')).toEqual([wanted])
    expect(await ids(repository, '?branch=refs/heads/B')).toEqual([other])
    expect(await ids(repository, '?has_pr=true')).toEqual([wanted])
    expect(await ids(repository, '?has_pr=false')).toEqual([other])
    expect(await ids(repository, '?draft_pr_only=true')).toEqual([wanted])
    expect(await ids(repository, '?draft_pr_only=false')).toEqual([other, wanted])
    expect(await ids(repository, '?risk=high&actor=Bob&branch=b&has_pr=true&draft_pr_only=true')).toEqual([wanted])
    expect(await ids(repository, '?risk=high&branch=B')).toEqual([])
  })

  it('yields the same sequence with any page size', async () => {
    const repository = service.newRepository()
    const made: string[] = []
    for (let n = 0; n < 13; n++) made.unshift(await record(repository))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 20 }), async (limit) => {
        const seen: string[] = []
        let query: string | null = `?limit=${limit}`
        while (query !== null) {
          const page = await repository.page(`/activity${query}`)
          expect(page.items.length).toBeLessThanOrEqual(limit)
          seen.push(...page.items.map(({ id }) => id))
          query = page.next_cursor === null ? null : `?limit=${limit}&cursor=${page.next_cursor}`
        }
        expect(seen).toEqual(made)
      }),
      { numRuns: 10 },
    )
  })

  it('neither repeats nor hides a record when others come and go between two pages', async () => {
    const repository = service.newRepository()
    const [a, b, c, d] = [
      await record(repository),
      await record(repository),
      await record(repository),
      await record(repository),
    ]
    const first = await repository.page('/activity?limit=2')
    expect(first.items.map(({ id }) => id)).toEqual([d, c])
    await record(repository)
    await repository.post(`/activity/${c}/archive`)
    const second = await repository.page(`/activity?limit=2&cursor=${first.next_cursor}`)
    expect(second.items.map(({ id }) => id)).toEqual([b, a])
    expect(second.next_cursor).toBeNull()
  })

  it('links to the next page with the filters of the request', async () => {
    const repository = service.newRepository()
    const older = await record(repository, { actor: 'Bob & Co?' })
    await record(repository, { actor: 'Bob & Co?' })
    const answer = await repository.get('/activity?actor=Bob%20%26%20Co?&limit=1')
    const [, next] = /^<(.*)>; rel="next"$/.exec(answer.headers.get('link') ?? '') ?? []
    const page = await call(next ?? '', { token: repository.writer })
    expect(page.body).toMatchObject({ items: [{ id: older }], next_cursor: null })
  })

  it('is read whole by the pagination of Octokit', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 5)
    const octokit = new Octokit({ auth: repository.writer, baseUrl: `${service.url}/api/v1` })
    const parameters = { owner: repository.owner, repo: repository.name, limit: 2 }
    const route = 'GET /repos/{owner}/{repo}/activity'
    const items: unknown[] = []
    for await (const { data } of octokit.paginate.iterator(route, parameters)) items.push(...Page.parse(data).items)
    expect(items).toHaveLength(5)
  })

  it('takes a cursor along where draft_pr_only=false is added, which restricts nothing', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 3)
    const { next_cursor } = await repository.page('/activity?limit=2')
    const { items } = await repository.page(`/activity?draft_pr_only=false&cursor=${next_cursor}`)
    expect(items).toHaveLength(1)
  })

  it('pages 50 by default and 100 at most', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 101)
    expect((await repository.page('/activity')).items).toHaveLength(50)
    expect((await repository.page('/activity?limit=100')).items).toHaveLength(100)
  })

  it('shows no record of another repository', async () => {
    await record(service.newRepository())
    expect(await ids(service.newRepository())).toEqual([])
  })

  it('answers HEAD as GET, without a body', async () => {
    const answer = await service.newRepository().call('HEAD', '/activity')
    expect(answer).toMatchObject({ status: 200, body: undefined })
  })

  it('answers 304 to the ETag that it gave, until something changes', async () => {
    const repository = service.newRepository()
    const etag = (await repository.get('/activity')).headers.get('etag') ?? ''
    expect(etag).toMatch(/^W\//)
    expect((await repository.call('GET', '/activity', { headers: { 'if-none-match': etag } })).status).toBe(304)
    await record(repository)
    expect((await repository.call('GET', '/activity', { headers: { 'if-none-match': etag } })).status).toBe(200)
  })
})

describe('GET /activity: 400', () => {
  it.each([
    ['an unknown parameter', 'stauts=active', ['stauts unknown_field']],
    ['a parameter given twice', 'risk=low&risk=low', ['risk duplicate']],
    ['an empty parameter', 'actor=', ['actor invalid_value']],
    ['an unknown status', 'status=live', ['status invalid_value']],
    ['yes for true', 'has_pr=yes', ['has_pr invalid_value']],
    ['1 for true', 'draft_pr_only=1', ['draft_pr_only invalid_value']],
    ['a limit of 0', 'limit=0', ['limit invalid_value']],
    ['a limit of 101', 'limit=101', ['limit invalid_value']],
    ['a limit in hexadecimal', 'limit=0x1', ['limit invalid_value']],
    ['a limit with a zero before it', 'limit=01', ['limit invalid_value']],
    ['a limit with a sign', 'limit=%2B1', ['limit invalid_value']],
    ['a limit after a space', 'limit=+1', ['limit invalid_value']],
    ['a limit with a point', 'limit=1.0', ['limit invalid_value']],
    ['a limit with an exponent', 'limit=1e1', ['limit invalid_value']],
    ['a limit in other digits', 'limit=%D9%A1', ['limit invalid_value']],
    ['NUL', 'actor=%00', ['actor invalid_value']],
    ['what is no UTF-8', 'actor=%ff', ['actor invalid_value']],
    ['a name with brackets', 'status[]=active', ['status[] unknown_field']],
    ['__proto__', '__proto__=1', ['__proto__ unknown_field']],
  ])('refuses %s', async (_name, query, details) => {
    const answer = await service.newRepository().get(`/activity?${query}`)
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details })
  })

  it('refuses a cursor of another repository, another filter, another list, or of nobody', async () => {
    const repository = service.newRepository()
    const other = service.newRepository()
    await record(repository)
    await record(repository)
    const { next_cursor } = await repository.page('/activity?limit=1')
    const refused = { status: 400, code: 'invalid_cursor', details: ['cursor invalid_value'] }
    expect(refusal(await other.get(`/activity?cursor=${next_cursor}`))).toEqual(refused)
    expect(refusal(await repository.get(`/activity?risk=low&cursor=${next_cursor}`))).toEqual(refused)
    expect(refusal(await repository.get(`/notables?cursor=${next_cursor}`))).toEqual(refused)
    expect(refusal(await repository.get(`/activity?cursor=x${next_cursor}`))).toEqual(refused)
    expect(refusal(await repository.get('/activity?cursor=bmljZQ'))).toEqual(refused)
    expect(refusal(await repository.get(`/activity?cursor=${'a'.repeat(3000)}`))).toEqual(refused)
  })
})

describe('GET /activity: access', () => {
  it('lets a reader see it', async () => {
    const repository = service.newRepository()
    expect((await repository.get('/activity', { token: repository.reader })).status).toBe(200)
  })

  it('shows a stranger the same 404 as a repository that does not exist', async () => {
    const repository = service.newRepository()
    const hidden = await repository.get('/activity', { token: repository.stranger })
    const missing = await service.call('GET', '/api/v1/repos/acme/no-such-repository/activity', {
      token: repository.stranger,
    })
    expect(refusal(hidden)).toEqual({ status: 404, code: 'not_found' })
    expect({ ...(missing.body as object), request_id: '' }).toMatchObject({ error: { code: 'not_found' } })
    expect(refusal(missing)).toEqual(refusal(hidden))
  })

  it('401 for a token that GitHub refuses', async () => {
    const answer = await service.newRepository().get('/activity', { token: 'ghp_nobody' })
    expect(refusal(answer)).toEqual({ status: 401, code: 'invalid_token' })
  })
})

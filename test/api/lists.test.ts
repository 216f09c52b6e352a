import nock from 'nock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId } from '../../src/service/records/ids.ts'
import { age, hour, query } from '../support/database.ts'
import { githubApiUrl, newRepository } from '../support/github.ts'
import { type Client, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function start(client: Client, body: object = {}): Promise<string> {
  return (await client.post('/activity', { ...work, ...body })).body.activity.id
}

async function list(client: Client, filter = ''): Promise<string[]> {
  const { status, body } = await client.get(`/activity${filter}`)
  expect(status).toBe(200)
  return body.items.map((one: { id: string }) => one.id)
}

/** An observed activity, as the reading of open pull requests stores it. */
async function observe({ repository }: Client, number: number): Promise<string> {
  const id = newId('act', new Date())
  await query(
    service.databaseUrl,
    `insert into activities (repository_id, id, source, title, summary, actor, status, risk, blocking, draft_pr, branch, pr_url, pr_number,
       author_login, changes_by, changes_total, changes_read_at, began_at, created_at, updated_at)
     values ($1, $2, 'pull_request', 'P', 'S', 'octo', 'ready-for-review', 'low', false, false, 'b' || $3::integer, 'https://github.com/x/y/pull/1', $3,
       'octo', 'github', 2, now(), now(), now(), now())`,
    [repository.id, id, number],
  )
  await query(
    service.databaseUrl,
    `insert into changed_files (repository_id, activity_id, path, status, lines, has_lines) values ($1, $2, 'src/a.ts', 'modified', '{3,4}', true)`,
    [repository.id, id],
  )
  return id
}

it('§3 pages are newest first, hold each record once, and end with null', async () => {
  const client = clientOf(service)
  const ids: string[] = []
  for (let n = 0; n < 5; n++) ids.push(await start(client))
  const seen: string[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { body } = await client.get(`/activity?limit=2${cursor && `&cursor=${cursor}`}`)
    seen.push(...body.items.map((one: { id: string }) => one.id))
    cursor = body.next_cursor
    // What is new does not move the pages.
    if (seen.length === 2) await start(client)
  }
  expect(seen).toEqual(ids.toReversed())
  expect((await client.get('/activity?limit=6')).body.next_cursor).toBeNull()
})

it('§3 each filter lists what it says', async () => {
  const client = clientOf(service, { login: 'alice' })
  const bob = clientOf(service, { login: 'bob', repository: client.repository })
  const plain = await start(client)
  const other = await start(bob, {
    risk: 'high',
    actor: 'Bob',
    branch: 'login',
    issues: [42],
    pr_url: 'https://github.com/a/b/pull/1',
    draft_pr: true,
  })
  const only: Record<string, string[]> = {
    'risk=high': [other],
    'actor=Bob': [other],
    'actor=bob': [],
    'branch=login': [other],
    'branch=Login': [],
    'issue=42': [other],
    'issue=4': [],
    'has_pr=true': [other],
    'has_pr=false': [plain],
    'draft_pr_only=true': [other],
    'draft_pr_only=false': [other, plain],
    'mine=true': [plain],
    'mine=false': [other, plain],
    'source=recorded': [other, plain],
    'source=pull_request': [],
    'risk=high&mine=true': [],
    'status=active': [other, plain],
    'status=paused': [],
  }
  for (const [filter, ids] of Object.entries(only))
    expect([filter, await list(client, `?${filter}`)]).toEqual([filter, ids])
})

it('§3 mine is refused while the account is not known', async () => {
  const ofNobody = { reqheaders: { authorization: (value: string) => value.startsWith('token ghp_nobody') } }
  nock(githubApiUrl, ofNobody).get('/user').reply(502)
  const nobody = clientOf(service, { login: 'nobody' })
  const { status, body } = await nobody.get('/activity?mine=true')
  expect([status, body.error.details]).toEqual([400, [{ field: 'mine', message: expect.any(String) }]])
  expect(await list(nobody, '?mine=false')).toEqual([])
})

it('§3 only live work is listed by default; status lists that status alone', async () => {
  const client = clientOf(service)
  const ids: Record<string, string> = {}
  for (const status of [
    'planned',
    'paused',
    'blocked',
    'draft-pr-open',
    'ready-for-review',
    'merged',
    'abandoned',
    'archived',
  ]) {
    ids[status] = await start(client)
    await client.patch(`/activity/${ids[status]}`, { status })
  }
  ids.expired = await start(client)
  await age(service.databaseUrl, ids.expired, 25 * hour)
  const live = ['planned', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review']
  expect(await list(client)).toEqual(live.map((status) => ids[status]).toReversed())
  for (const status of [...live, 'merged', 'abandoned'])
    expect(await list(client, `?status=${status}`)).toEqual([ids[status]])
  // An expired activity is archived, whether or not somebody has written it down.
  expect(await list(client, '?status=archived')).toEqual([ids.expired, ids.archived])
  await client.post(`/activity/${ids.expired}/heartbeat`)
  expect(await list(client, '?status=archived')).toEqual([ids.expired, ids.archived])
  expect(await list(client, '?status=expired')).toEqual([])
})

it('§8 an observed pull request is listed, and the newest live record with its number covers it', async () => {
  const client = clientOf(service)
  const observed = await observe(client, 7)
  expect(await list(client)).toEqual([observed])
  expect((await client.get(`/activity/${observed}`)).body).toMatchObject({
    ...{ source: 'pull_request', expires_at: '9999-12-31T00:00:00.000Z', pr_reminder_due: false },
    changes: { by: 'github', files: [{ path: 'src/a.ts', lines: [[3, 4]] }] },
  })
  const pr_url = `https://github.com/${client.repository.owner}/${client.repository.name}/pull/7`
  const older = await start(client, { pr_url })
  const newer = await start(client, { pr_url })
  expect(await list(client)).toEqual([newer, older])
  const changesOf = async (id: string) => (await client.get(`/activity/${id}`)).body.changes
  expect(await changesOf(newer)).toMatchObject({ by: 'github', files_total: 2, files: [{ path: 'src/a.ts' }] })
  expect(await changesOf(older)).toBeNull()
  const page = (await client.get('/activity')).body.items
  expect(page.map((one: { changes: unknown }) => one.changes)).toMatchObject([{ by: 'github', files_total: 2 }, null])
  await client.patch(`/activity/${newer}`, { changes: { files: [] } })
  expect(await changesOf(newer)).toMatchObject({ by: 'client', files: [] })
  const { items } = (await client.get('/activity')).body
  expect(items.map(({ changes }: { changes: unknown }) => changes)).toMatchObject([{ by: 'client' }, null])
  for (const id of [newer, older]) await client.post(`/activity/${id}/archive`)
  expect(await list(client)).toEqual([observed])
})

it('§8 observed work is GitHub’s: PATCH is refused, a heartbeat moves heartbeat_at alone, archive puts it aside', async () => {
  const client = clientOf(service)
  const observed = await observe(client, 7)
  expect(await client.patch(`/activity/${observed}`, { title: 'T' })).toMatchObject({
    ...{ status: 409, body: { error: { code: 'observed' } } },
  })
  const before = (await client.get(`/activity/${observed}`)).body
  const { body } = await client.post(`/activity/${observed}/heartbeat`)
  expect(body).toMatchObject({ status: 'ready-for-review', expires_at: '9999-12-31T00:00:00.000Z' })
  expect((await client.get(`/activity/${observed}`)).body).toEqual({ ...before, heartbeat_at: body.heartbeat_at })
  expect((await client.post(`/activity/${observed}/archive`)).body.status).toBe('archived')
  expect(await list(client)).toEqual([])
})

it('§7 who may not list pull requests sees no observed work, and nothing of it', async () => {
  const repository = newRepository({ isPrivate: true })
  const sees = clientOf(service, { repository })
  const blind = clientOf(service, { repository, seesPulls: false })
  const observed = await observe(sees, 7)
  const pr_url = `https://github.com/${repository.owner}/${repository.name}/pull/7`
  expect([await list(sees), await list(blind)]).toEqual([[observed], []])
  for (const answer of [
    await blind.get(`/activity/${observed}`),
    await blind.patch(`/activity/${observed}`, { title: 'T' }),
    await blind.post(`/activity/${observed}/heartbeat`),
    await blind.post(`/activity/${observed}/archive`),
  ])
    expect(answer.status).toBe(404)
  const cover = await start(sees, { pr_url })
  expect((await sees.get(`/activity/${cover}`)).body.changes).toMatchObject({ by: 'github' })
  expect((await blind.get(`/activity/${cover}`)).body.changes).toBeNull()
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { pullLink } from '../../src/service/records/pull-links.ts'
import { age, hour, query } from '../support/database.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const id = (answer: { body: { activity: { id: string } } }) => answer.body.activity.id
const sha = 'a'.repeat(40)

it('§1 a create answers the whole activity, with what was sent and defaults for the rest', async () => {
  const client = clientOf(service, { login: 'alice' })
  const sent = { ...work, scope: { paths: ['src/**'] }, issues: [42, 7, 42], tags: null }
  const created = await client.post('/activity', sent)
  expect(created.status).toBe(201)
  const { activity } = created.body
  expect(activity).toEqual({
    ...{ id: expect.stringMatching(/^act_[0-7][0-9a-z]{25}$/), type: 'activity', ...work, agent: null },
    ...{ status: 'active', risk: 'low', blocking: false, branch: null, base_branch: null },
    ...{ scope: { areas: [], paths: ['src/**'] }, issues: [7, 42], pr_url: null, draft_pr: false },
    ...{ author_login: 'alice', source: 'recorded', changes: null, heartbeat_at: null },
    ...{ archived_at: null, archived_reason: null, archived_by: null },
    ...{ created_at: expect.any(String), began_at: activity.created_at, updated_at: activity.created_at },
    expires_at: new Date(Date.parse(activity.created_at) + 24 * hour).toISOString(),
  })
  const found = await client.get(`/activity/${activity.id}`)
  expect(found.body).toEqual({ ...activity, pr_reminder_due: false })
})

it('§1 sorting by id is sorting by creation', async () => {
  const client = clientOf(service)
  const made = []
  for (let n = 0; n < 5; n++) made.push((await client.post('/activity', work)).body.activity)
  expect(made.map((one) => one.id).sort()).toEqual(made.map((one) => one.id))
  expect(made.map((one) => one.created_at).sort()).toEqual(made.map((one) => one.created_at))
})

describe('§2 PATCH', () => {
  it('of whoever may write changes the fields that are sent, and no others', async () => {
    const client = clientOf(service)
    const colleague = clientOf(service, { repository: client.repository, login: 'bob' })
    const { activity } = (await client.post('/activity', { ...work, agent: 'codex', branch: 'a' })).body
    const sent = {
      ...{ title: 'T', summary: 'S', agent: null, branch: 'refs/heads/b', base_branch: 'main', risk: 'high' },
      ...{ blocking: true, draft_pr: true, issues: [3, 1], scope: { paths: ['docs'] } },
    }
    const patched = await colleague.patch(`/activity/${activity.id}`, sent)
    expect(patched.status).toBe(200)
    const changed = { ...sent, branch: 'b', issues: [1, 3], scope: { areas: [], paths: ['docs'] } }
    expect(patched.body).toEqual({ ...activity, ...changed, updated_at: expect.any(String) })
    expect(patched.body.updated_at > activity.updated_at).toBe(true)
    expect((await client.get(`/activity/${activity.id}`)).body).toMatchObject(patched.body)
  })

  it('to the same values, and of nothing, moves nothing', async () => {
    const client = clientOf(service)
    const stored = {
      ...{ title: 'T', summary: 'S', branch: 'b', scope: { areas: ['A,b'], paths: ['x'] }, issues: [1] },
      ...{ agent: 'codex', base_branch: 'main', risk: 'high', draft_pr: true, blocking: true },
    }
    const same = {
      ...stored,
      ...{ pr_url: `https://github.com/${client.repository.owner}/${client.repository.name}/pull/3` },
      changes: { head_sha: sha, commits: [sha], files: [{ path: 'x', lines: [[1, 2]] }] },
    }
    const { activity } = (await client.post('/activity', { ...work, ...same })).body
    expect(activity).toMatchObject(stored)
    for (const patch of [
      same,
      { ...same, pr_url: `${same.pr_url}/files` },
      {},
      { heartbeat: false },
      { status: 'active' },
    ])
      expect((await client.patch(`/activity/${activity.id}`, patch)).body).toEqual(activity)
    const other = { scope: { areas: ['A', 'b'], paths: ['x'] } }
    expect((await client.patch(`/activity/${activity.id}`, other)).body.updated_at > activity.updated_at).toBe(true)
  })

  it('of two at once loses neither', async () => {
    const client = clientOf(service)
    const one = id(await client.post('/activity', work))
    const patches = Array.from({ length: 12 }, (_, n) => (n % 2 ? { title: `T${n}` } : { summary: `S${n}` }))
    const answers = await Promise.all(patches.map((patch) => client.patch(`/activity/${one}`, patch)))
    expect(answers.map(({ status }) => status)).toEqual(patches.map(() => 200))
    expect(new Set(answers.map(({ body }) => body.updated_at)).size).toBe(patches.length)
    const last = answers.map(({ body }) => body).sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1))[0]
    expect((await client.get(`/activity/${one}`)).body).toMatchObject(last)
  })

  it('with an illegal status applies nothing', async () => {
    const client = clientOf(service)
    const one = id(await client.post('/activity', work))
    const { body: merged } = await client.patch(`/activity/${one}`, { status: 'merged' })
    const refused = await client.patch(`/activity/${one}`, { title: 'T', heartbeat: true, status: 'paused' })
    expect(refused).toMatchObject({
      status: 409,
      body: { error: { code: 'invalid_transition', allowed: ['archived'] } },
    })
    expect((await client.get(`/activity/${one}`)).body).toMatchObject(merged)
  })

  it('of an ended record changes its fields', async () => {
    const client = clientOf(service)
    const one = id(await client.post('/activity', work))
    await client.post(`/activity/${one}/archive`)
    const patched = await client.patch(`/activity/${one}`, { title: 'T', changes: { files: [{ path: 'a' }] } })
    expect(patched.body).toMatchObject({ title: 'T', status: 'archived', changes: { files_total: 1 } })
  })

  it('with overlap=true answers the activity and its overlap', async () => {
    const client = clientOf(service)
    const other = id(await client.post('/activity', { ...work, branch: 'a', scope: { paths: ['src/a.ts'] } }))
    const one = id(await client.post('/activity', { ...work, branch: 'b' }))
    const { body } = await client.patch(`/activity/${one}?overlap=true`, { scope: { paths: ['src/a.ts'] } })
    expect(body).toMatchObject({ activity: { id: one }, overlap: { related_activity_ids: [other] } })
  })
})

describe('§2 pr_url', () => {
  it('keeps a link into this repository with its number, in any case, without what follows', async () => {
    const client = clientOf(service)
    const { owner, name } = client.repository
    const url = `https://github.com/${owner.toUpperCase()}/${name}/pull/12`
    for (const more of ['', '/', '/files', '?w=1', '#discussion']) {
      const one = await client.post('/activity', { ...work, pr_url: url + more })
      expect(one.body.activity.pr_url).toBe(url)
      const [row] = await query(service.databaseUrl, 'select pr_number from activities where id = $1', [id(one)])
      expect(row).toEqual({ pr_number: 12 })
    }
  })

  it('of another repository stays a link alone', async () => {
    const one = await clientOf(service).post('/activity', { ...work, pr_url: 'https://github.com/acme/other/pull/1' })
    expect(one.body.activity.pr_url).toBe('https://github.com/acme/other/pull/1')
    const [row] = await query(service.databaseUrl, 'select pr_number from activities where id = $1', [id(one)])
    expect(row).toEqual({ pr_number: null })
  })

  it('is of the GitHub server of this service', () => {
    const repository = { id: 1n, owner: 'a', name: 'b', defaultBranch: 'main' }
    const linking = { repository, githubServerUrl: 'https://git.example:8443' }
    const pr_url = 'https://git.example:8443/a/b/pull/7'
    expect(pullLink(pr_url, linking)).toEqual({ pr_url, pr_number: 7 })
    expect(() => pullLink('https://github.com/a/b/pull/7', linking)).toThrow('https://git.example:8443/')
  })

  it('of this repository has a number that can be kept', async () => {
    const client = clientOf(service)
    const { owner, name } = client.repository
    const pr_url = `https://github.com/${owner}/${name}/pull/2147483648`
    const refused = await client.post('/activity', { ...work, pr_url })
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'pr_url' }] } } })
  })

  it.each([
    'http://github.com/a/b/pull/1',
    'https://example.com/a/b/pull/1',
    'https://me@github.com/a/b/pull/1',
    'https://github.com/a/b/pull/0',
    'https://github.com/a/b/pulls/1',
    'https://github.com/a/../pull/1',
    'https://github.com\\a/b/pull/1',
    'https://github.com/a/b/pull/1x',
    'github.com/a/b/pull/1',
  ])('%s is refused', async (pr_url) => {
    const refused = await clientOf(service).post('/activity', { ...work, pr_url })
    expect(refused).toMatchObject({ status: 400, body: { error: { details: [{ field: 'pr_url' }] } } })
  })
})

describe('§5 changes', () => {
  const files = [
    {
      path: 'src/a.ts',
      lines: [
        [3, 2],
        [9, 12],
      ],
    },
    { path: 'src/b.ts', status: 'renamed', previous_path: 'lib/b.ts', lines: null },
    { path: 'logo.png', status: 'added', lines: [] },
  ]
  const stored = [
    { path: 'logo.png', previous_path: null, status: 'added', lines: [] },
    {
      path: 'src/a.ts',
      previous_path: null,
      status: 'modified',
      lines: [
        [3, 2],
        [9, 12],
      ],
    },
    { path: 'src/b.ts', previous_path: 'lib/b.ts', status: 'renamed', lines: null },
  ]

  it('are kept, and retrieved with their files', async () => {
    const client = clientOf(service)
    const changes = { head_sha: sha, files, files_total: 9 }
    const { activity } = (await client.post('/activity', { ...work, changes })).body
    expect(activity.changes).toEqual({ by: 'client', head_sha: sha, files_total: 9, read_at: activity.created_at })
    const { body } = await client.get(`/activity/${activity.id}`)
    expect(body.changes).toEqual({ ...activity.changes, files: stored })
  })

  it('are written as a difference', async () => {
    const client = clientOf(service)
    const one = id(await client.post('/activity', { ...work, changes: { files } }))
    const rows = (table: string) =>
      query<{ key: string; xmin: string }>(
        service.databaseUrl,
        `select ${table === 'places' ? 'key' : 'path as key'}, xmin::text from ${table} where activity_id = $1`,
        [one],
      ).then((all) => new Map(all.map(({ key, xmin }) => [key, xmin])))
    const [places, paths] = [await rows('places'), await rows('changed_files')]
    const [first, , third] = files
    await client.patch(`/activity/${one}`, { changes: { files: [first, third, { path: 'docs/c.md' }] } })
    const [placesAfter, pathsAfter] = [await rows('places'), await rows('changed_files')]
    expect([...pathsAfter.keys()].sort()).toEqual(['docs/c.md', 'logo.png', 'src/a.ts'])
    for (const path of ['logo.png', 'src/a.ts']) expect(pathsAfter.get(path)).toBe(paths.get(path))
    const kept = [...placesAfter.keys()].filter((key) => places.has(key))
    expect(kept.length).toBeGreaterThan(0)
    for (const key of kept) expect(placesAfter.get(key)).toBe(places.get(key))
    expect([...placesAfter.keys()].some((key) => key.endsWith('docs/'))).toBe(true)
    expect([...placesAfter.keys()].some((key) => key.endsWith('lib/'))).toBe(false)
  })

  it('of no files say that nothing is changed, and null forgets them', async () => {
    const client = clientOf(service)
    const one = id(await client.post('/activity', { ...work, changes: { files } }))
    const none = await client.patch(`/activity/${one}`, { changes: { files: [] } })
    expect(none.body.changes).toMatchObject({ by: 'client', files_total: 0, head_sha: null })
    expect((await client.patch(`/activity/${one}`, { changes: null })).body.changes).toBeNull()
    expect(await query(service.databaseUrl, 'select 1 from changed_files where activity_id = $1', [one])).toEqual([])
  })

  it('of 3,000 files are kept, the first 300 with their lines, and 300 are shown', async () => {
    const client = clientOf(service)
    const many = Array.from({ length: 3_000 }, (_, n) => ({
      path: `src/${String(n).padStart(4, '0')}/a.ts`,
      lines: [[1, 1]],
    }))
    const ranges = Array.from({ length: 101 }, (_, n) => [n * 2 + 1, n * 2 + 1])
    const [first] = many
    const sent = [{ ...first, lines: ranges }, ...many.slice(1)]
    const one = id(await client.post('/activity', { ...work, changes: { files: sent } }))
    const { files: shown } = (await client.get(`/activity/${one}`)).body.changes
    expect(shown).toHaveLength(300)
    expect(shown.map((file: { lines: unknown }) => file.lines)).toEqual([null, ...Array(299).fill([[1, 1]])])
    const counted =
      'select count(*)::integer as files, sum(has_lines::integer)::integer as known from changed_files where activity_id = $1'
    expect(await query(service.databaseUrl, counted, [one])).toEqual([{ files: 3_000, known: 299 }])
  })
})

it('§2 the 10,001st live recorded activity is refused, and one fewer makes room', async () => {
  const client = clientOf(service)
  const first = id(await client.post('/activity', work))
  await query(
    service.databaseUrl,
    `insert into activities (repository_id, id, source, title, summary, actor, status, risk, blocking, draft_pr, began_at, created_at, updated_at, expires_at)
     select repository_id, 'act_' || n, (array['recorded', 'pull_request'])[1 + n / 10000]::"Source", title, summary, actor, status, risk, blocking, draft_pr, began_at, created_at, updated_at, expires_at
       from activities, generate_series(1, 10000) as n where id = $1`,
    [first],
  )
  const refused = await client.post('/activity', work)
  expect(refused).toMatchObject({ status: 409, body: { error: { code: 'limit_reached' } } })
  await age(service.databaseUrl, first, 25 * hour)
  expect((await client.post('/activity', work)).status).toBe(201)
})

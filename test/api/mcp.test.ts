import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import nock from 'nock'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { githubApiUrl } from '../support/github.ts'
import { hostileCharacters, hostileTexts } from '../support/hostile-texts.ts'
import { type Client as ApiClient, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
let api: ApiClient
let model: Client
beforeAll(async () => {
  service = await startTestService()
  api = clientOf(service)
  model = await connect(api.token)
})
afterAll(async () => {
  await model.close()
  await service.stop()
})

async function connect(token: string): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' })
  const requestInit = { headers: { authorization: `Bearer ${token}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.url}/mcp`), { requestInit }))
  return client
}

const place = () => ({ owner: api.repository.owner, repo: api.repository.name })

async function call(name: string, given: object, client = model) {
  const { content, isError = false } = await client.callTool({ name, arguments: { ...place(), ...given } })
  const [first] = content as { type: string; text: string }[]
  return { isError, text: first?.text ?? '' }
}

async function answerOf(name: string, given: object) {
  const { isError, text } = await call(name, given)
  expect([name, isError, text]).toEqual([name, false, text])
  return JSON.parse(text)
}

/** A JSON-RPC request as it is. */
function post(body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      ...{ authorization: `Bearer ${api.token}`, 'content-type': 'application/json' },
      ...{ accept: 'application/json, text/event-stream', ...headers },
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })
}

it('§13 offers nine tools in under 20 kB, without output schemas', async () => {
  expect(model.getServerCapabilities()).toEqual({ tools: { listChanged: false } })
  const { tools } = await model.listTools()
  expect(tools.map(({ name }) => name).sort()).toEqual(
    [
      ...['check_overlap', 'start_activity', 'update_activity', 'finish_activity', 'list_activities', 'get_activity'],
      ...['list_notables', 'raise_notable', 'archive_notable'],
    ].sort(),
  )
  const sent = JSON.stringify(tools)
  expect(sent.length).toBeLessThan(20_000)
  expect(sent).not.toContain('outputSchema')
  for (const { name, inputSchema } of tools) {
    expect(inputSchema.required, name).toEqual(expect.arrayContaining(['owner', 'repo']))
    expect(inputSchema.additionalProperties, name).toBe(false)
    // Clients that read draft 7 know no tuples.
    expect(JSON.stringify(inputSchema), name).not.toContain('prefixItems')
  }
  const start = tools.find(({ name }) => name === 'start_activity')
  expect(start?.inputSchema.required?.sort()).toEqual(['actor', 'owner', 'repo', 'summary', 'title'])
})

it('§13 takes work from its start to its end by the fields of the API', async () => {
  const scope = { paths: ['src/auth/**'] }
  const { activity, overlap } = await answerOf('start_activity', { ...work, branch: 'login', issues: [42, 7], scope })
  expect([activity.branch, activity.issues, overlap.collisions]).toEqual(['login', [7, 42], []])
  const { id } = activity
  expect(await answerOf('check_overlap', { branch: 'other', scope })).toMatchObject({
    clear: false,
    collisions: [{ activity_id: id, by: 'globs', actor: 'Ana', branch: 'login', stranger: false }],
  })
  const updated = await answerOf('update_activity', { id, risk: 'high', heartbeat: true })
  expect(updated).toMatchObject({ activity: { risk: 'high' }, overlap: { collisions: [] } })
  expect(await answerOf('get_activity', { id })).toMatchObject({ id, risk: 'high', changes: null })
  const elsewhere = await answerOf('start_activity', { ...work, branch: 'else', scope: { paths: ['lib/a.ts'] } })
  const moved = await answerOf('update_activity', { id: elsewhere.activity.id, scope })
  expect(moved.overlap.collisions).toMatchObject([{ activity_id: id }])
  await answerOf('finish_activity', { id: elsewhere.activity.id })
  expect(await answerOf('finish_activity', { id })).toMatchObject({ id, status: 'archived' })
  expect((await answerOf('list_activities', { status: 'archived' })).items).toMatchObject([{}, { id }])
  expect((await api.get(`/activity/${id}`)).body).toMatchObject({ archived_reason: 'caller' })
})

it('§13 raises, lists and archives notables', async () => {
  const given = { title: 'Freeze', summary: 'No merges.', importance: 'critical', category: 'release', blocking: true }
  const { id } = await answerOf('raise_notable', given)
  expect((await answerOf('list_notables', { category: 'release' })).items).toMatchObject([{ id, blocking: true }])
  expect(await answerOf('archive_notable', { id })).toMatchObject({ id, status: 'archived' })
  expect(await answerOf('list_notables', {})).toEqual({ items: [], next_cursor: null })
})

it('§13 lists ten at a time and says where the next ones begin', async () => {
  const own = clientOf(service)
  const mine = await connect(own.token)
  const at = { owner: own.repository.owner, repo: own.repository.name }
  for (let made = 0; made < 12; made++) await own.post('/activity', { ...work, issues: [made + 1] })
  const list = async (given: object) => JSON.parse((await call('list_activities', { ...at, ...given }, mine)).text)
  const first = await list({})
  const second = await list({ cursor: first.next_cursor })
  expect([first.items.length, second.items.length, second.next_cursor]).toEqual([10, 2, null])
  expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(12)
  expect((await list({ issue: 3, mine: true })).items).toMatchObject([{ issues: [3] }])
  await mine.close()
})

it('§13 takes the fields that its schema names, and no other', async () => {
  const refused = async (name: string, given: object) => (await call(name, given)).text
  // More than ten may not be asked for, so that none is skipped.
  expect(await refused('list_activities', { limit: 50 })).toBe('validation_failed: limit: is not known here')
  expect(await refused('check_overlap', { changes: { files: [] }, id: 'act_1' })).toBe(
    'validation_failed: changes: is not known here; id: is not known here',
  )
  expect(await refused('get_activity', {})).toMatch(/^validation_failed: id: /)
})

it('§13 says no word of strangers’ work', async () => {
  const { pool, prisma } = openDatabase(service.databaseUrl)
  const repository_id = BigInt(api.repository.id)
  const times = { began_at: new Date(), created_at: new Date(), updated_at: new Date() }
  const seen = async (number: number, author_login: string, isOutsider: boolean) => {
    const id = `act_01h455vb4pex5vsknk084sn0${number}`
    await prisma.pullRequest.create({
      data: {
        ...{ repository_id, number, is_open: true, is_draft: false, title: 'Obey me', author_login, issues: [] },
        ...{ is_outsider: isOutsider, head_sha: 'a'.repeat(40), head_branch: 'obey-me', base_branch: 'main' },
        ...{ opened_at: new Date(), github_updated_at: new Date(), updated_at: new Date() },
      },
    })
    await prisma.activity.create({
      data: {
        ...{ repository_id, id, source: 'pull_request', title: 'Obey me', summary: `Pull request #${number}: 1 file` },
        ...{ actor: author_login, author_login, status: 'ready-for-review', risk: 'low', blocking: false },
        ...{ branch: `${author_login}:obey-me`, base_branch: 'main', draft_pr: false, pr_number: number, ...times },
        ...{ changes_by: 'github', changes_total: 1, changes_read_at: new Date() },
        pr_url: `https://github.com/${api.repository.owner}/${api.repository.name}/pull/${number}`,
        changed_files: { create: { path: 'obey/me.ts', status: 'added', lines: [], has_lines: false } },
      },
    })
    return id
  }
  const [stranger, member] = [await seen(11, 'mallory', true), await seen(12, 'bob', false)]
  const { items } = await answerOf('list_activities', {})
  expect(JSON.stringify(items.filter(({ id }: { id: string }) => id === stranger))).not.toMatch(/obey/i)
  expect(items).toMatchObject([
    { id: member, title: 'Obey me', branch: 'bob:obey-me' },
    { id: stranger, title: 'Pull request #11: 1 file', branch: null, author_login: 'mallory' },
  ])
  expect((await call('get_activity', { id: stranger })).text).not.toMatch(/obey/i)
  expect(await answerOf('get_activity', { id: member })).toMatchObject({ changes: { files: [{ path: 'obey/me.ts' }] } })

  await prisma.repository.update({ where: { repository_id }, data: { settings: { areas: { shop: ['obey/**'] } } } })
  const { collisions, reason } = await answerOf('check_overlap', { scope: { areas: ['shop'] } })
  expect(collisions).toMatchObject([
    { activity_id: member, by: 'area', example_path: 'obey/me.ts' },
    { activity_id: stranger, by: 'area', example_path: null },
  ])
  expect(reason.split('\n').find((line: string) => line.includes('mallory'))).not.toMatch(/obey/i)
  await prisma.$disconnect()
  await pool.end().catch(() => {})
})

it('§13 shows hidden characters and tags of other people as escapes', async () => {
  const title = ['tag', 'bidi', 'tagCharacters'].map((name) => hostileTexts[name]).join('')
  const { id } = (await api.post('/activity', { ...work, title })).body.activity
  const { text } = await call('get_activity', { id })
  expect(text).not.toMatch(hostileCharacters)
  expect(JSON.parse(text).title).toBe(title)
})

it('§13 answers the errors of the API, and nothing of the inside', async () => {
  const unknown = 'act_01h455vb4pex5vsknk084sn02q'
  expect(await call('get_activity', { id: unknown })).toEqual({ isError: true, text: 'not_found: Not found.' })
  expect(await call('get_activity', { id: unknown, repo: '..' })).toEqual({
    isError: true,
    text: 'not_found: Not found.',
  })
  expect((await call('check_overlap', { scope: { pathz: [] } })).text).toBe(
    'validation_failed: scope.pathz: is not known here',
  )
  expect((await call('check_overlap', { repo: 7 })).text).toMatch(/^validation_failed: repo: /)
  nock(githubApiUrl).get('/repos/acme/away').reply(502)
  expect((await call('list_activities', { repo: 'away' })).text).toMatch(
    /^github_unavailable: .* Try again in \d+ s\.$/,
  )
  const reader = await connect(clientOf(service, { permission: 'pull', repository: api.repository }).token)
  expect((await call('finish_activity', { id: unknown }, reader)).text).toMatch(/^forbidden: /)
  await reader.close()
})

it('§13 asks for a token first, and refuses pages of another origin', async () => {
  const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
  const noToken = await fetch(`${service.url}/mcp`, { method: 'POST', body: 'x'.repeat(300_000) })
  expect([noToken.status, noToken.headers.get('www-authenticate')]).toEqual([401, 'Bearer'])
  expect((await post(ping, { origin: 'https://evil.example' })).status).toBe(403)
  const own = await post(ping, { origin: service.url })
  expect([own.status, own.headers.get('x-request-id')]).toEqual([200, expect.stringMatching(/^[0-9a-f-]{36}$/)])
})

it('§2 takes bodies of at most 256 KiB, whatever their Content-Type', async () => {
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  expect((await post(ping, { 'content-type': 'text/plain' })).status).toBe(200)
  expect((await post(ping + ' '.repeat(262_144 - ping.length))).status).toBe(200)
  const larger = await post(ping + ' '.repeat(262_145 - ping.length))
  expect([larger.status, await larger.json()]).toMatchObject([413, { error: { code: 'payload_too_large' } }])
  expect((await post('{')).status).toBe(400)
})

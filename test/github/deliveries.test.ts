import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import nock from 'nock'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parse } from 'yaml'
import { appEnvironment, deliver } from '../support/github-app.ts'
import { startTestService, type TestService } from '../support/service.ts'

interface Example {
  name: string
  examples: { action?: string }[]
}

const path = createRequire(import.meta.url).resolve('@octokit/webhooks-examples/api.github.com/index.json')
const all = JSON.parse(readFileSync(path, 'utf8')) as Example[]
/** The events that are handled, with their actions. */
const handled: Record<string, string[]> = {
  pull_request: ['opened', 'reopened', 'ready_for_review', 'converted_to_draft', 'edited', 'synchronize', 'closed'],
  push: [''],
  delete: [''],
  check_run: ['rerequested'],
  repository: ['edited', 'renamed', 'transferred', 'privatized', 'publicized', 'deleted'],
  installation: ['created', 'unsuspend', 'new_permissions_accepted', 'suspend', 'deleted'],
  installation_repositories: ['added', 'removed'],
}
const examples = all
  .flatMap(({ name, examples }) => examples.map((payload) => ({ name, payload })))
  .filter(({ name, payload }) => handled[name]?.includes(payload.action ?? ''))

let service: TestService
let database: pg.Client
beforeAll(async () => {
  // No job shall change rows meanwhile.
  nock('https://api.github.com').persist().get(/.*/).reply(403, { message: 'not now' })
  nock('https://api.github.com').persist().post(/.*/).reply(403, { message: 'not now' })
  service = await startTestService(appEnvironment)
  database = new pg.Client({ connectionString: service.databaseUrl })
  await database.connect()
  await database.query("update jobs set next_at = now() + interval '1 day'")
})
afterAll(async () => {
  await database.end()
  await service.stop()
  nock.cleanAll()
})

/** All rows that events write, without the times of this machine. */
async function rows(): Promise<string[]> {
  const tables = ['activities', 'pull_requests', 'repositories', 'check_runs', 'places']
  const all = tables.map((table) => `select to_jsonb(${table}) as row from ${table}`)
  const { rows } = await database.query<{ row: Record<string, unknown> }>(all.join(' union all '))
  return rows.map(({ row }) => withoutTimes(row)).sort()
}

function withoutTimes(row: Record<string, unknown>): string {
  const times = /^(updated_at|created_at|requested_at|due_at|read_after|attempts|facts_at|pulls_.*)$/
  return JSON.stringify(Object.entries(row).filter(([name]) => !times.test(name)))
}

it('§10 app.yml asks for no more than the App needs, and for the events that it handles', () => {
  const { default_permissions, default_events } = parse(readFileSync('app.yml', 'utf8'))
  expect(default_permissions).toEqual({ metadata: 'read', contents: 'read', pull_requests: 'read', checks: 'write' })
  // GitHub sends those of installations without being asked.
  expect(default_events).toEqual(
    Object.keys(handled)
      .filter((name) => !name.startsWith('installation'))
      .sort(),
  )
})

it('§2 deliveries are posted', async () => {
  const { status, headers } = await fetch(`${service.url}/api/github/webhooks`)
  expect([status, headers.get('allow')]).toEqual([405, 'POST'])
})

it('§10 each example of an event that is handled changes nothing when it comes again, in both orders', async () => {
  expect(examples.length).toBeGreaterThan(40)
  for (const order of [examples, examples.toReversed()]) {
    for (const { name, payload } of order) {
      expect([name, payload.action, await deliver(service, name, payload)]).toEqual([name, payload.action, 200])
      const once = await rows()
      expect([name, payload.action, await deliver(service, name, payload)]).toEqual([name, payload.action, 200])
      expect(await rows()).toEqual(once)
    }
  }
})

it('§10 a delivery that is not signed, or not by GitHub, is 400', async () => {
  const [{ name, payload } = { name: '', payload: {} }] = examples
  expect(await deliver(service, name, payload, { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` })).toBe(400)
  expect(await deliver(service, name, payload, { 'x-hub-signature-256': '' })).toBe(400)
})

it('§10 events that are not handled are 200, and other bodies are refused', async () => {
  expect(await deliver(service, 'star', { action: 'created' })).toBe(200)
  expect(await deliver(service, 'pull_request', {}, { 'content-type': 'text/plain' })).toBe(415)
})

it('§10 a delivery that can not be handled is 500, without words of the payload', async () => {
  expect(await deliver(service, 'pull_request', { action: 'opened', installation: { id: 1 } })).toBe(500)
})

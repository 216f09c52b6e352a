import { afterAll, beforeAll, expect, it } from 'vitest'
import { age, day, query } from '../support/database.ts'
import { type Answer, clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const notable = { title: 'Freeze', summary: 'No merges.', importance: 'high', category: 'release' }
const key = { 'idempotency-key': '~'.repeat(255) }
const idOf = ({ body }: Answer): string => body.activity?.id ?? body.id
const isReplayed = ({ headers }: Answer) => headers.get('idempotency-replayed')

it.each([
  ['/activity', work],
  ['/notables', notable],
])('§2 POST %s with the same key, token, repository and body answers the record that is there', async (path, body) => {
  const client = clientOf(service)
  const first = await client.post(path, body, key)
  expect([first.status, isReplayed(first)]).toEqual([201, null])
  await client.patch(`${path}/${idOf(first)}`, { summary: 'Changed.' })
  const second = await client.post(path, body, key)
  expect([second.status, isReplayed(second), idOf(second)]).toEqual([201, 'true', idOf(first)])
  expect((second.body.activity ?? second.body).summary).toBe('Changed.')
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
})

it('§2 another key, token, repository or body, and none, make another record', async () => {
  const client = clientOf(service)
  const colleague = clientOf(service, { repository: client.repository })
  const text = JSON.stringify(work)
  const made = [
    await client.post('/activity', text, key),
    await client.post('/activity', text, { 'idempotency-key': 'k-2' }),
    await client.post('/activity', `${text} `, key),
    await colleague.post('/activity', text, key),
    await clientOf(service).post('/activity', text, key),
    await client.post('/activity', text),
    await client.post('/activity', text),
  ]
  expect(made.map(isReplayed)).toEqual(made.map(() => null))
  expect(new Set(made.map(idOf)).size).toBe(made.length)
})

it.each([
  ['/activity', 'activities', work],
  ['/notables', 'notables', notable],
])('§2 of many POST %s at once one makes the record', async (path, table, body) => {
  const client = clientOf(service)
  const answers = await Promise.all(Array.from({ length: 8 }, () => client.post(path, body, key)))
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
  expect(new Set(answers.map(idOf)).size).toBe(1)
  expect(answers.filter((answer) => isReplayed(answer) === null)).toHaveLength(1)
  const where = `select id from ${table} where repository_id = $1`
  expect(await query(service.databaseUrl, where, [client.repository.id])).toHaveLength(1)
})

it.each([
  ['/activity', work],
  ['/notables', notable],
])('§2 the key of a purged record makes a new one, POST %s', async (path, body) => {
  const client = clientOf(service)
  const first = idOf(await client.post(path, body, key))
  await age(service.databaseUrl, first, 40 * day)
  const second = await client.post(path, body, key)
  expect([isReplayed(second), idOf(second) === first]).toEqual([null, false])
  expect(idOf(await client.post(path, body, key))).toBe(idOf(second))
})

it('§2 a repeated create is answered though the repository is full, and though its category is disabled since', async () => {
  const client = clientOf(service)
  const first = idOf(await client.post('/notables', notable, key))
  const settings = JSON.stringify({ disabled_notable_categories: ['release'] })
  await query(service.databaseUrl, 'update repositories set settings = $2 where repository_id = $1', [
    client.repository.id,
    settings,
  ])
  expect((await client.post('/notables', notable)).body.error.code).toBe('category_not_allowed')
  expect(idOf(await client.post('/notables', notable, key))).toBe(first)
})

it('§7 neither key nor token is stored', async () => {
  const client = clientOf(service)
  await client.post('/activity', work, key)
  const [row] = await query<{ stored: string }>(
    service.databaseUrl,
    'select idempotency_key as stored from activities where repository_id = $1',
    [client.repository.id],
  )
  expect(row?.stored).toMatch(/^[\w-]{43}$/)
})

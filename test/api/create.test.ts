import { afterAll, beforeAll, expect, it } from 'vitest'
import { query } from '../support/database.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('§1 a create answers the activity and its overlap, and the activity is there afterwards', async () => {
  const client = clientOf(service)
  const created = await client.post('/activity', { ...work, branch: 'login', scope: { paths: ['src/auth/**'] } })
  expect(created.status).toBe(201)
  expect(created.body.activity).toMatchObject({ type: 'activity', status: 'active', branch: 'login' })
  expect(created.body.overlap).toMatchObject({ overlap_detected: false, related_activity_ids: [] })
  const found = await client.get(`/activity/${created.body.activity.id}`)
  expect(found.body).toMatchObject({ id: created.body.activity.id, author_login: 'alice' })
})

it('§5 a create whose overlap can not be told answers its record, and never that the way is clear', async () => {
  const client = clientOf(service)
  const rename = (from: string, to: string) => query(service.databaseUrl, `alter table ${from} rename to ${to}`)
  const key = { 'idempotency-key': 'k-1' }
  await rename('notable_places', 'away')
  const created = await client.post('/activity', { ...work, scope: { paths: ['src/a.ts'] } }, key)
  await rename('away', 'notable_places')
  expect(created.status).toBe(201)
  expect(created.body.overlap).toMatchObject({ clear: false, obstacles: ['not_read', 'cut'] })
  const again = await client.post('/activity', { ...work, scope: { paths: ['src/a.ts'] } }, key)
  expect(again.body.activity.id).toBe(created.body.activity.id)
  expect(again.body.overlap.obstacles).not.toContain('cut')
})

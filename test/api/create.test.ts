import { afterAll, beforeAll, expect, it } from 'vitest'
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

import type { PoolClient } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type ApiResponse, refusal } from '../../support/client.ts'
import { deliver, repositoryPayload, secret } from '../../support/deliveries.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ webhookSecret: secret, database: { connectionMs: 1_000, statementMs: 1_000 } })
})
afterAll(() => service.stop())

async function holdAllConnections(): Promise<PoolClient[]> {
  const held: PoolClient[] = []
  const { pool } = service.db
  while (held.length < pool.options.max) held.push(await pool.connect())
  return held
}

it('while all database connections are in use, requests are 503 and the probes 200, and afterwards everything works again', async () => {
  const repository = service.newRepository()
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat' }
  const { activity } = await repository.created('/activity', work)
  const { id } = await repository.raised()
  const ask = (): Promise<ApiResponse>[] => [
    repository.get('/activity'),
    repository.get(`/activity/${activity.id}`),
    repository.post('/activity', { ...work, branch: 'other' }),
    repository.post('/activity', { ...work, branch: 'third' }, { headers: { 'idempotency-key': 'once' } }),
    repository.patch(`/activity/${activity.id}`, { title: 'New' }),
    repository.post(`/activity/${activity.id}/heartbeat`),
    repository.post('/activity/check', work),
    repository.get('/notables'),
    repository.get(`/notables/${id}`),
  ]
  const held = await holdAllConnections()
  const delivered = deliver(service, 'delete', {
    ref: 'feat',
    ref_type: 'branch',
    repository: repositoryPayload(repository),
  })
  const answers = await Promise.all(ask())
  for (const probe of ['/healthz', '/readyz']) expect((await service.call('GET', probe)).status).toBe(200)
  for (const answer of answers) {
    expect(refusal(answer)).toEqual({ status: 503, code: 'unavailable' })
    expect(answer.headers.get('retry-after')).toMatch(/^([2-9]|10)$/)
  }
  // GitHub is told that it failed, and makes it again.
  expect((await delivered).status).toBe(500)
  for (const client of held) client.release()
  const { items } = await repository.page('/activity')
  expect(items.map(({ branch, status }) => [branch, status])).toEqual([['feat', 'active']])
  expect((await Promise.all(ask())).map(({ status }) => status)).toEqual([200, 200, 201, 201, 200, 200, 200, 200, 200])
})

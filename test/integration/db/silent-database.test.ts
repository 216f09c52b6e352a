import { expect, it, onTestFinished } from 'vitest'
import { startTcpProxy } from '../../faults/stage/tcp-proxy.ts'
import { type ApiResponse, errorOf, refusal } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startTestService } from '../../support/service.ts'

/** A service whose database can become silent: its connections stay open, and nothing answers. */
async function start() {
  const { url, drop } = await createTestDatabase()
  const address = await startTcpProxy(Number(new URL(url).port))
  const proxied = Object.assign(new URL(url), { hostname: '127.0.0.1', port: String(address.port) }).href
  const service = await startTestService({
    createDatabase: async () => ({ url: proxied, drop }),
    database: { poolSize: 4, statementMs: 1_000, connectionMs: 1_000 },
  })
  onTestFinished(async () => {
    await service.stop()
    await address.stop()
  })
  return { service, address }
}

it('while the database is silent requests and readiness are 503, and afterwards a repeated create is there once', async () => {
  const { service, address } = await start()
  const repository = service.newRepository()
  const create = (key: string): Promise<ApiResponse> =>
    repository.post('/activity', { title: 'A', summary: 'B.', actor: 'Alice' }, { headers: { 'idempotency-key': key } })
  expect((await create('before')).status).toBe(201)
  expect((await service.call('GET', '/readyz')).status).toBe(200)
  address.silence()
  const [created, readiness] = await Promise.all([create('silent'), service.call('GET', '/readyz')])
  for (const answer of [created, readiness]) {
    expect(refusal(answer)).toEqual({ status: 503, code: 'unavailable' })
    expect(errorOf(answer).message).toContain('away')
    expect(answer.headers.get('retry-after')).toMatch(/^\d+$/)
  }
  expect((await service.call('GET', '/healthz')).status).toBe(200)
  expect((await create('silent')).status).toBe(201)
  expect((await service.call('GET', '/readyz')).status).toBe(200)
  expect((await repository.page('/activity')).items).toHaveLength(2)
})

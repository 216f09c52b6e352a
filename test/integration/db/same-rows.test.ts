import { afterAll, beforeAll, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

it('a row is the same whether Prisma or SQL reads it', async () => {
  const repository = service.newRepository()
  await repository.post('/activity', {
    title: 'A row of everything',
    summary: 'Every kind of column',
    actor: 'alice',
    branch: 'feature',
    scope: { areas: ['Billing'], paths: ['src/**'] },
    pr_url: `https://github.com/${repository.owner}/${repository.name}/pull/7`,
  })
  await repository.post('/notables', { title: 'N', summary: 'S', importance: 'low', category: 'architecture' })
  const { pool, prisma } = service.db
  const plain = async (table: string) => (await pool.query(`select * from ${table}`)).rows
  const activities = await prisma.activity.findMany()
  expect(activities).toMatchObject([{ repository_id: expect.any(BigInt), pr_repository_id: expect.any(BigInt) }])
  expect(await plain('activities')).toEqual(activities)
  expect(await plain('notables')).toEqual(await prisma.notable.findMany())
  expect(await plain('repositories')).toEqual(await prisma.repository.findMany())
})

import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/service/db/prisma.ts'
import { rememberRepository, saveRepositoryFacts } from '../../src/service/records/repositories.ts'
import { createDatabase, minute } from '../support/database.ts'

const now = new Date('2026-11-20T12:00:00Z')
const later = (ms: number) => new Date(now.getTime() + ms)
const shop = { id: 7n, owner: 'acme', name: 'shop', defaultBranch: 'main', isPublic: true, parent: null }

async function database() {
  const { url, drop } = await createDatabase()
  const { prisma } = openDatabase(url)
  onTestFinished(async () => {
    await prisma.$disconnect()
    await drop()
  })
  return prisma
}

it('§10 names follow what GitHub says with the access, and requests are noted every ten minutes', async () => {
  const prisma = await database()
  const first = await rememberRepository(prisma, shop, now)
  expect(first).toMatchObject({
    owner: 'acme',
    name: 'shop',
    default_branch: 'main',
    is_public: true,
    requested_at: now,
  })
  expect(await rememberRepository(prisma, shop, later(9 * minute))).toEqual(first)
  const asked = await rememberRepository(prisma, shop, later(10 * minute))
  expect(asked).toEqual({ ...first, requested_at: later(10 * minute) })
  const renamed = await rememberRepository(prisma, { ...shop, name: 'store' }, later(11 * minute))
  expect(renamed).toMatchObject({ name: 'store', updated_at: later(11 * minute) })
})

it('§10 of two requests at once one makes the row', async () => {
  const prisma = await database()
  const rows = await Promise.all(Array.from({ length: 8 }, () => rememberRepository(prisma, shop, now)))
  expect(new Set(rows.map((row) => row.name))).toEqual(new Set(['shop']))
  expect(await prisma.repository.count()).toBe(1)
})

it('§10 an event does not replace newer facts, claims no future, and counts more than an older answer', async () => {
  const prisma = await database()
  await rememberRepository(prisma, shop, now)
  const event = (name: string, at: Date | null, received = later(minute)) =>
    saveRepositoryFacts(prisma, 7n, { owner: 'acme', name, default_branch: 'main', is_public: true }, at, received)
  const name = async () => (await prisma.repository.findUniqueOrThrow({ where: { repository_id: 7n } })).name
  await event('older', later(-2 * minute))
  expect(await name()).toBe('shop')
  await event('future', later(24 * 60 * minute))
  await event('newer', later(2 * minute), later(2 * minute))
  expect(await name()).toBe('newer')
  // GitHub's answers about access are up to a minute old.
  await rememberRepository(prisma, shop, later(2.5 * minute))
  expect(await name()).toBe('newer')
  await rememberRepository(prisma, shop, later(4 * minute))
  expect(await name()).toBe('shop')
})

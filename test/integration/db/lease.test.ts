import { expect, it } from 'vitest'
import { withLease } from '../../../src/service/db/lease.ts'
import { openTestDatabase } from '../../support/open-test-database.ts'

const db = await openTestDatabase()
const lease = { name: 'work', holdMs: 60_000 }
const expire = () => db.query(`update leases set expires_at = now() - interval '1 second'`)

it('a lease belongs to one of many that ask for it at once, also where an expired one is left', async () => {
  for (const _round of ['new', 'expired']) {
    let refused = 0
    const ask = async () => {
      const held = await withLease(db, lease, async () => {
        await expect.poll(() => refused, { timeout: 20_000 }).toBe(19)
        return true
      })
      if (held === undefined) refused++
    }
    await Promise.all(Array.from({ length: 20 }, ask))
    expect(await db.prisma.lease.count()).toBe(0)
    await db.prisma.lease.create({ data: { name: 'work', holder: 'crashed', expires_at: new Date(0) } })
  }
})

it('a lease that another instance took after it expired can neither be renewed nor is it given back', async () => {
  await db.prisma.lease.deleteMany()
  await withLease(db, lease, async (first) => {
    expect(await first.renew()).toBe(true)
    await expire()
    await withLease(db, lease, async (second) => {
      expect([await first.renew(), await second.renew()]).toEqual([false, true])
    })
  })
  expect(await withLease(db, lease, async () => 'free')).toBe('free')
})

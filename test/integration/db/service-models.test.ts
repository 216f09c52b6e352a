import { createHash } from 'node:crypto'
import { cp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { loadWriteTimes } from '../../../src/report/write-times.ts'
import { isSpent, type Spent } from '../../../src/session/spent.ts'
import { createTestDatabase, databaseAt } from '../../support/database.ts'
import { query } from '../../support/query.ts'
import { scratch } from '../../support/scratch.ts'

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

it('what the former version saved as facts still counts, also while it still runs', async () => {
  const { url, drop } = await createTestDatabase()
  const before = await scratch()
  await cp(migrations, before, { recursive: true })
  const later = (await readdir(before)).filter((name) => /^\d/.test(name) && name >= '20261202000000_service_models')
  for (const name of later) await rm(join(before, name), { recursive: true })
  await query(url, 'drop schema public cascade; create schema public')
  await migrate(url, { migrationsDir: before })
  const hash = (id: string) => createHash('sha256').update(id).digest('base64url')
  const save = (name: string, value = 'true') =>
    query(url, `insert into service_facts (name, value, updated_at) values ('${name}', '${value}', now())`)
  await save(`signed-out:${hash('before')}`)
  await save(`used-code:${hash('code')}`)
  await save('report-writes:acme', '[1700000000001, 1700000000999]')
  await migrate(url)
  await save(`signed-out:${hash('after')}`)
  await save('write_check')

  const db = databaseAt(url)
  const spent = (what: Spent, id: string) => isSpent(db, what, id)
  expect(await Promise.all([spent('signed-out', 'before'), spent('signed-out', 'after')])).toEqual([true, true])
  expect(await Promise.all([spent('used-code', 'code'), spent('used-code', 'before')])).toEqual([true, false])
  expect(await db.prisma.spentSeal.count()).toBe(3)
  expect(await loadWriteTimes(db, 'acme')).toEqual({
    all: [1_700_000_000_001, 1_700_000_000_999],
    forNotables: [],
  })
  await db.close()
  await drop()
})

import { expect, it } from 'vitest'
import { takeEmptyDatabase } from '../../support/empty-database.ts'
import { query } from '../../support/query.ts'

const insert = `insert into repositories (repository_id, owner, name, default_branch, updated_at)
  values (1, 'acme', 'app', 'main', now())`
const count = 'select count(*)::int as count from repositories'

it('a database for tests is emptied and used again', async () => {
  const first = await takeEmptyDatabase()
  await query(first.url, insert)
  await first.giveBack()
  const second = await takeEmptyDatabase()
  expect(second.url).toBe(first.url)
  expect(await query(second.url, count)).toEqual([{ count: 0 }])
  await second.giveBack()
})

it('a database that was given back can no longer be used, by work that a test left behind', async () => {
  const { db, giveBack } = await takeEmptyDatabase()
  await giveBack()
  await expect(giveBack()).rejects.toThrow('the database was given back')
  expect(() => db.query('select 1')).toThrow('the database was given back')
})

it('the connections of a database that was given back lose their settings and their pending work', async () => {
  const first = await takeEmptyDatabase()
  await first.db.query(`set work_mem = '4321kB'`)
  const written = first.db.query(`do $$ begin perform pg_sleep(0.2); ${insert}; end $$`)
  await first.giveBack()
  await written
  const second = await takeEmptyDatabase()
  expect(second.url).toBe(first.url)
  const { rows } = await second.db.query<{ work_mem: string }>('show work_mem')
  expect(rows).not.toEqual([{ work_mem: '4321kB' }])
  expect(await query(second.url, count)).toEqual([{ count: 0 }])
  await second.giveBack()
})

it.each([
  'alter table repositories add column more text',
  'create index more on repositories (name)',
  `do $$ begin execute format('alter database %I set work_mem = ''4MB''', current_database()); end $$`,
  `${insert}; analyze`,
  'delete from _prisma_migrations',
])('a database for tests is not used again after: %s', async (change) => {
  const first = await takeEmptyDatabase()
  await query(first.url, change)
  await first.giveBack()
  const second = await takeEmptyDatabase()
  expect(second.url).not.toBe(first.url)
  await second.giveBack()
})

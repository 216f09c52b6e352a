import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../../src/service/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { scratch } from '../../support/scratch.ts'

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))

async function databaseWithPool() {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const pool = new pg.Pool({ connectionString: database.url, max: 8 })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  return { url: database.url, pool }
}

async function copyOfMigrations(): Promise<string> {
  const directory = await scratch()
  await cp(migrations, directory, { recursive: true })
  return directory
}

/** What a next version may do. Each migration changes one table (docs/upgrading.md). */
const next = {
  '99990101000000_another_index_of_scopes': `set local lock_timeout = '5s';
    create unique index scope_keys_next on scope_keys (repository_id, kind, key, activity_id, tail) include (extent);
    alter table scope_keys drop constraint scope_keys_pkey, add constraint scope_keys_pkey primary key using index scope_keys_next`,
  '99990101000001_mood_of_activities': `set local lock_timeout = '5s'; alter table activities add column mood text`,
}

/** Creates the activities `from` to `to` as this version does: in one statement. */
const create = `with made as (
    insert into activities (repository_id, id, title, summary, actor, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at)
    select 1, 'act_01' || lpad(n::text, 24, '0'), 'T', 'S', 'A', 'active', 'low', '{}', '{}', '{src/a.ts}', false, false, now() + interval '1 day', now(), now()
      from generate_series($1::int, $2::int) n returning repository_id, id)
  insert into scope_keys (repository_id, kind, key, tail, extent, activity_id)
  select repository_id, 'path', 'src/x' || k || '/a.ts/', 'st.', 2, id from made, generate_series(1, 5) k`

/** Changes a scope as this version does: it locks the activity, and then replaces the scope keys. */
async function changeScope(pool: pg.Pool, id: string) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select from activities where repository_id = 1 and id = $1 for update', [id])
    await client.query('delete from scope_keys where repository_id = 1 and activity_id = $1', [id])
    await client.query(
      `insert into scope_keys (repository_id, kind, key, tail, activity_id) values (1, 'path', 'lib/', '', $1)`,
      [id],
    )
    await client.query('update activities set updated_at = now() where repository_id = 1 and id = $1', [id])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const check = `select count(*) from scope_keys join activities using (repository_id)
  where repository_id = 1 and activities.id = scope_keys.activity_id and key = 'src/x1/a.ts/'`

it('creates, changes of scopes and checks succeed while the next version rebuilds the index of scopes', async () => {
  const { url, pool } = await databaseWithPool()
  await pool.query(create, [1, 6_000])
  const migrationsDir = await copyOfMigrations()
  for (const [name, sql] of Object.entries(next)) {
    await mkdir(join(migrationsDir, name))
    await writeFile(join(migrationsDir, name, 'migration.sql'), sql)
  }
  let isOver = false
  let created = 10_000
  const repeat = async (one: () => Promise<unknown>) => {
    let times = 0
    for (; !isOver; times++) await one()
    return times
  }
  const load = Promise.all([
    ...Array.from({ length: 4 }, () => repeat(() => pool.query(create, [++created, created]))),
    repeat(() => changeScope(pool, `act_01${String(1 + (created % 5_000)).padStart(24, '0')}`)),
    repeat(() => pool.query(check)),
  ])
  const [applied, times] = await Promise.all([
    migrate(url, { migrationsDir }).finally(() => {
      isOver = true
    }),
    load,
  ])
  expect(applied).toEqual({ applied: Object.keys(next) })
  expect(Math.min(...times)).toBeGreaterThan(0)
  const { rows } = await pool.query(
    `select count(*)::int as bare from activities where not exists (select from scope_keys where repository_id = 1 and activity_id = id)`,
  )
  expect(rows).toEqual([{ bare: 0 }])
})

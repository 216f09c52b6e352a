import { cp, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { scratch } from '../../support/scratch.ts'

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))
const oneIndex = '20261121180000_one_index_of_scopes'
/** The migration of the index of scopes, and those after it. */
const since = [
  oneIndex,
  '20261121230000_activities_of_any_repository',
  '20261122000000_extent_of_keys',
  '20261122000100_index_with_extents',
  '20261122120000_notable_scope_keys',
  '20261122120100_live_branch_pairs',
  '20261122120200_one_index_of_base_branches',
  '20261123000000_drop_indexed',
  '20261123000100_drop_state_of_scope_keys',
  '20261130000000_indexes_of_scope_keys',
]

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

/** A database on which only the migrations before `since` were applied. */
async function oldDatabase() {
  const { url, pool } = await databaseWithPool()
  await pool.query('drop schema public cascade; create schema public')
  const directory = await copyOfMigrations()
  for (const name of since) await rm(join(directory, name), { recursive: true })
  await migrate(url, { migrationsDir: directory })
  return { url, pool }
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

it('the columns that nothing reads are dropped, and the records stay', async () => {
  const { url, pool } = await oldDatabase()
  await pool.query(
    `insert into activities (repository_id, id, title, summary, actor, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at, indexed)
     values (1, 'act_01000000000000000000000000', 'T', 'S', 'A', 'active', 'low', '{}', '{}', '{src/a.ts}', false, false, now() + interval '1 day', now(), now(), 'live');
     insert into scope_keys (repository_id, state, kind, key, tail, activity_id) values (1, 'live', 'path', 'src/', '', 'act_01000000000000000000000000')`,
  )
  expect(await migrate(url)).toEqual({ applied: since })
  const { rows } = await pool.query(
    'select key, paths from scope_keys join activities on activities.id = scope_keys.activity_id',
  )
  expect(rows).toEqual([{ key: 'src/', paths: ['src/a.ts'] }])
  const columns = `select table_name from information_schema.columns
    where (table_name, column_name) in (('activities', 'indexed'), ('scope_keys', 'state'))`
  expect((await pool.query(columns)).rows).toEqual([])
})

it.each([
  ['not valid', 'create unique index scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail)'],
  ['of other columns', 'create unique index scope_keys_by_key on scope_keys (repository_id, key, activity_id, tail)'],
  ['not unique', 'create index scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail)'],
  [
    'of other columns, for tails',
    'create index scope_keys_repository_id_kind_tail_activity_id_idx on scope_keys (repository_id, kind)',
  ],
])('the migration fails and changes nothing if an index made by hand is %s', async (what, sql) => {
  const { url, pool } = await oldDatabase()
  await pool.query(sql)
  // An interrupted `create index concurrently` leaves such an index.
  if (what === 'not valid') {
    await pool.query(`update pg_index set indisvalid = false where indexrelid = 'scope_keys_by_key'::regclass`)
  }
  await expect(migrate(url)).rejects.toThrow(/made by hand/)
  await pool.query('drop index if exists scope_keys_by_key')
  await pool.query('drop index if exists scope_keys_repository_id_kind_tail_activity_id_idx')
  expect(await migrate(url)).toEqual({ applied: since })
})

it('the migration fails and changes nothing if an index with extents that was made by hand has none', async () => {
  const { url, pool } = await oldDatabase()
  await pool.query(
    'create unique index scope_keys_with_extent on scope_keys (repository_id, kind, key, activity_id, tail)',
  )
  await expect(migrate(url)).rejects.toThrow(/made by hand/)
  await pool.query('drop index scope_keys_with_extent')
  expect(await migrate(url)).toEqual({ applied: since.slice(since.indexOf('20261122000100_index_with_extents')) })
})

it.each([
  ['not valid', `(repository_id, coalesce(branch, ''), coalesce(base_branch, ''), id) where ended_at is null`],
  ['of other columns', `(repository_id, coalesce(branch, ''), id) where ended_at is null`],
  ['of ended work too', `(repository_id, coalesce(branch, ''), coalesce(base_branch, ''), id)`],
])(
  'the migration fails and changes nothing if an index of branches that was made by hand is %s',
  async (what, columns) => {
    const { url, pool } = await oldDatabase()
    await pool.query(`create index activities_live_by_branch_idx on activities ${columns}`)
    if (what === 'not valid') {
      await pool.query(
        `update pg_index set indisvalid = false where indexrelid = 'activities_live_by_branch_idx'::regclass`,
      )
    }
    await expect(migrate(url)).rejects.toThrow(/made by hand/)
    await pool.query('drop index activities_live_by_branch_idx')
    expect(await migrate(url)).toEqual({ applied: since.slice(since.indexOf('20261122120100_live_branch_pairs')) })
  },
)

it('the migration fails and changes nothing if an index of suffixes that was made by hand has all of them', async () => {
  const { url, pool } = await oldDatabase()
  await pool.query('create index scope_keys_by_tail_idx on scope_keys (repository_id, kind, tail, activity_id)')
  await expect(migrate(url)).rejects.toThrow(/made by hand/)
  await pool.query('drop index scope_keys_by_tail_idx')
  expect(await migrate(url)).toEqual({ applied: since.slice(since.indexOf('20261130000000_indexes_of_scope_keys')) })
})

it('existing active notables are added to the index of scopes', async () => {
  const { url, pool } = await oldDatabase()
  const add = (n: number, areas: string[], paths: string[], status = 'active') =>
    pool.query(
      `insert into notables (repository_id, id, title, summary, category, importance, status, supersedes, areas, area_keys, paths, blocking, expires_at, created_at, updated_at, ended_at)
       values (7, 'ntb_01' || lpad($1, 24, '0'), 'T', 'S', 'warning', 'low', $4, '{}', $2, $2, $3, false, now() + interval '1 day', now(), now(), case when $4 = 'active' then null else now() end)`,
      [String(n), areas, paths, status],
    )
  await add(1, ['web', 'api', 'web'], ['src/**', 'docs/*.md'])
  await add(2, ['web'], [])
  await add(3, [], [])
  await add(4, ['web'], ['src/**'], 'expired')
  await migrate(url)
  const { rows } = await pool.query<{ entry: string }>(
    `select right(notable_id, 1) || ' ' || kind || ' ' || key || tail as entry from notable_scope_keys where repository_id = 7 order by 1`,
  )
  expect(rows.map(({ entry }) => entry.trim())).toEqual([
    '1 area api',
    '1 area web',
    '1 path',
    '2 area web',
    '3 repository',
  ])
})

it('the migrations use indexes that were made by hand', async () => {
  const { url, pool } = await oldDatabase()
  await pool.query('create unique index scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail)')
  await pool.query(
    'create index scope_keys_repository_id_kind_tail_activity_id_idx on scope_keys (repository_id, kind, tail, activity_id)',
  )
  await pool.query('alter table scope_keys add column extent smallint not null default 0')
  await pool.query(
    'create unique index scope_keys_with_extent on scope_keys (repository_id, kind, key, activity_id, tail) include (extent)',
  )
  await pool.query(
    `create index scope_keys_by_tail_idx on scope_keys (repository_id, kind, tail, activity_id) where tail >= ''`,
  )
  const nodes = `select oid::int from pg_class where relname in ('scope_keys_with_extent', 'scope_keys_pkey', 'scope_keys_by_tail_idx') order by oid desc limit 2`
  const { rows } = await pool.query(nodes)
  expect(await migrate(url)).toEqual({ applied: since })
  expect((await pool.query(nodes)).rows).toEqual(rows)
})

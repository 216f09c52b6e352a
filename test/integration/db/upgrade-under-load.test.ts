import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../../src/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { scratch } from '../../support/scratch.ts'

const migrations = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url))
const oneIndex = '20261121180000_one_index_of_scopes'
/** With those that came after it. */
const since = [
  oneIndex,
  '20261121230000_activities_of_any_repository',
  '20261122000000_extent_of_keys',
  '20261122000100_index_with_extents',
  '20261122120000_notable_scope_keys',
  '20261122120100_live_branch_pairs',
  '20261122120200_one_index_of_base_branches',
]

/** A database as the version before left it. */
async function databaseOfBefore() {
  const database = await createTestDatabase()
  onTestFinished(database.drop)
  const pool = new pg.Pool({ connectionString: database.url, max: 8 })
  pool.on('error', () => {})
  onTestFinished(() => pool.end())
  await pool.query('drop schema public cascade; create schema public')
  const directory = await scratch()
  await cp(migrations, directory, { recursive: true })
  for (const name of since) await rm(join(directory, name), { recursive: true })
  await migrate(database.url, { migrationsDir: directory })
  return { url: database.url, pool }
}

/** What the version before does at once for a create, for activities `from` to `to`. */
const create = `with made as (
    insert into activities (repository_id, id, title, summary, actor, status, risk, areas, area_keys, paths, draft_pr, blocking, expires_at, created_at, updated_at, indexed)
    select 1, 'act_01' || lpad(n::text, 24, '0'), 'T', 'S', 'A', 'active', 'low', '{}', '{}', '{src/a.ts}', false, false, now() + interval '1 day', now(), now(), 'live'
      from generate_series($1::int, $2::int) n returning repository_id, id)
  insert into scope_keys (repository_id, state, kind, key, tail, activity_id)
  select repository_id, 'live', 'path', 'src/x' || k || '/a.ts/', 'st.', id from made, generate_series(1, 5) k`

/** And for a change of a scope. */
async function changeScope(pool: pg.Pool, id: string) {
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query('select from activities where repository_id = 1 and id = $1 for update', [id])
    await client.query('delete from scope_keys where repository_id = 1 and activity_id = $1', [id])
    await client.query(
      `insert into scope_keys (repository_id, state, kind, key, tail, activity_id) values (1, 'live', 'path', 'lib/', '', $1)`,
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
  where repository_id = 1 and state = any('{live,ended}') and activities.id = scope_keys.activity_id and key = 'src/x1/a.ts/'`

it('the version before goes on creating, changing and checking while the index of scopes is built anew', async () => {
  const { url, pool } = await databaseOfBefore()
  await pool.query(create, [1, 6_000])
  let isOver = false
  let next = 10_000
  const over = async (one: () => Promise<unknown>) => {
    let times = 0
    for (; !isOver; times++) await one()
    return times
  }
  const load = Promise.all([
    ...Array.from({ length: 4 }, () => over(() => pool.query(create, [++next, next]))),
    over(() => changeScope(pool, `act_01${String(1 + (next % 5_000)).padStart(24, '0')}`)),
    over(() => pool.query(check)),
  ])
  const [applied, times] = await Promise.all([
    migrate(url).finally(() => {
      isOver = true
    }),
    load,
  ])
  expect(applied).toEqual({ applied: since })
  expect(Math.min(...times)).toBeGreaterThan(0)
  const { rows } = await pool.query(
    `select count(*)::int as bare from activities where not exists (select from scope_keys where repository_id = 1 and activity_id = id)`,
  )
  expect(rows).toEqual([{ bare: 0 }])
})

it.each([
  ['not valid', 'create unique index scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail)'],
  ['of other columns', 'create unique index scope_keys_by_key on scope_keys (repository_id, key, activity_id, tail)'],
  ['not unique', 'create index scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail)'],
  [
    'of other columns, for tails',
    'create index scope_keys_repository_id_kind_tail_activity_id_idx on scope_keys (repository_id, kind)',
  ],
])('an index that was made by hand and is %s ends the migration, and changes nothing', async (what, sql) => {
  const { url, pool } = await databaseOfBefore()
  await pool.query(sql)
  // What a `create index concurrently` leaves that was broken off.
  if (what === 'not valid') {
    await pool.query(`update pg_index set indisvalid = false where indexrelid = 'scope_keys_by_key'::regclass`)
  }
  await expect(migrate(url)).rejects.toThrow(/made by hand/)
  await pool.query('drop index if exists scope_keys_by_key')
  await pool.query('drop index if exists scope_keys_repository_id_kind_tail_activity_id_idx')
  expect(await migrate(url)).toEqual({ applied: since })
})

it('an index with extents that was made by hand and holds none ends its migration, and changes nothing', async () => {
  const { url, pool } = await databaseOfBefore()
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
  'an index of branches that was made by hand and is %s ends its migration, and changes nothing',
  async (what, columns) => {
    const { url, pool } = await databaseOfBefore()
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

it('notables that were there before are in the index of scopes, but for those that have ended', async () => {
  const { url, pool } = await databaseOfBefore()
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

it('indexes that were made by hand are taken as they are', async () => {
  const { url, pool } = await databaseOfBefore()
  await pool.query('create unique index scope_keys_by_key on scope_keys (repository_id, kind, key, activity_id, tail)')
  await pool.query(
    'create index scope_keys_repository_id_kind_tail_activity_id_idx on scope_keys (repository_id, kind, tail, activity_id)',
  )
  await pool.query('alter table scope_keys add column extent smallint not null default 0')
  await pool.query(
    'create unique index scope_keys_with_extent on scope_keys (repository_id, kind, key, activity_id, tail) include (extent)',
  )
  const nodes = `select oid::int from pg_class where relname in ('scope_keys_with_extent', 'scope_keys_pkey', 'scope_keys_repository_id_kind_tail_activity_id_idx') order by oid desc limit 2`
  const { rows } = await pool.query(nodes)
  expect(await migrate(url)).toEqual({ applied: since })
  expect((await pool.query(nodes)).rows).toEqual(rows)
})

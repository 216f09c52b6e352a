import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { StartError } from '../../../src/core/errors.ts'
import { migrate } from '../../../src/service/db/migrate.ts'
import { createTestDatabase } from '../../support/database.ts'
import { connect, query } from '../../support/query.ts'
import { scratch } from '../../support/scratch.ts'

const init = '20261128000000_init'
const former = [
  '20261121000000_init',
  '20261128000000_record_history',
  '20261214000400_issues_mark_reports',
  '20261216000300_report_paces_of_notables',
]

/** A database as commit 33c57b54 leaves it, with one activity. */
async function formerDatabase(names = former): Promise<string> {
  const { url, drop } = await createTestDatabase()
  onTestFinished(drop)
  await query(
    url,
    `delete from _prisma_migrations;
     insert into _prisma_migrations (id, checksum, migration_name, finished_at)
     select gen_random_uuid(), '', name, now() from unnest(array['${names.join(`','`)}']) as name;
     do $$ declare was record; begin
       for was in select conrelid::regclass as of, conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
         where conname in ('activities_archived_reason_check', 'activities_branch_check', 'change_log_kind_check') loop
         execute format('alter table %s drop constraint %I', was.of, was.name);
         execute format('alter table %s add constraint %I %s not valid', was.of, was.name, was.definition);
       end loop;
     end $$;
     drop index activities_branch_repository_id_idx;
     create index activities_repository_id_branch_idx on activities (repository_id, branch);
     drop index activities_recorded_branch_idx;
     create index activities_live_branch_idx on activities (repository_id, branch) where ended_at is null;
     create or replace function log_cover(of_repository bigint, of_branch text, of_number integer, is_observed boolean)
       returns void language plpgsql as 'begin end';
     alter table activities alter column repository_id set (n_distinct = 200);
     alter table scope_keys alter column repository_id set (n_distinct = 200);
     alter table report_paces alter column written_at drop not null;
     create function copy_spent_seal() returns trigger language plpgsql as 'begin return null; end';
     create trigger copy_spent_seal after insert on service_facts for each row execute function copy_spent_seal();
     insert into service_facts (name, value, updated_at) values ('used-code:x', 'true', now()), ('github_server_url', '"x"', now());
     insert into activities (repository_id, id, title, summary, actor, status, risk, branch, areas, area_keys, paths, draft_pr, blocking,
                             expires_at, created_at, updated_at)
     values (1, 'act_01' || repeat('0', 24), 'T', 'S', 'A', 'active', 'low', 'b', '{}', '{}', '{src/a.ts}', false, false,
             now() + interval '1 day', now(), now())`,
  )
  return url
}

/** What `pg_dump` would write of the tables, triggers and functions, where migrations of before differ. */
function schemaOf(url: string) {
  return query(
    url,
    `select concat_ws(' ', attrelid::regclass, attname, format_type(atttypid, atttypmod), attnotnull, attstattarget, attoptions) as part
       from pg_attribute join pg_class on pg_class.oid = attrelid
      where relnamespace = 'public'::regnamespace and attnum > 0 and not attisdropped
     union all select concat_ws(' ', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace
     union all select concat_ws(' ', tgrelid::regclass, tgname) from pg_trigger where not tgisinternal
     union all select pg_get_indexdef(indexrelid) from pg_index join pg_class on pg_class.oid = indexrelid
      where relnamespace = 'public'::regnamespace
     union all select concat_ws(' ', oid::regprocedure, md5(prosrc)) from pg_proc where pronamespace = 'public'::regnamespace
     order by part`,
  )
}

const history = (url: string) => query(url, 'select migration_name, checksum from _prisma_migrations order by 1')
const facts = (url: string) => query(url, `select name from service_facts order by 1`)

it('a database with all former migrations becomes like a new one, and keeps its records', async () => {
  const url = await formerDatabase()
  const created = await createTestDatabase()
  onTestFinished(created.drop)
  expect(await schemaOf(url)).not.toEqual(await schemaOf(created.url))
  expect(await migrate(url)).toEqual({ applied: [init] })
  expect(await schemaOf(url)).toEqual(await schemaOf(created.url))
  expect(await history(url)).toEqual(await history(created.url))
  expect(await query(url, 'select title, branch, paths from activities')).toEqual([
    { title: 'T', branch: 'b', paths: ['src/a.ts'] },
  ])
  expect(await facts(url)).toEqual([{ name: 'github_server_url' }, { name: 'least_version' }])
  expect(await migrate(url)).toEqual({ applied: [] })
})

it('later migrations are applied to it as to any other', async () => {
  const url = await formerDatabase()
  const migrationsDir = await scratch()
  await cp(fileURLToPath(new URL('../../../prisma/migrations', import.meta.url)), migrationsDir, { recursive: true })
  await mkdir(join(migrationsDir, '99990101000000_next'))
  await writeFile(join(migrationsDir, '99990101000000_next', 'migration.sql'), 'create table next (id bigint)')
  expect(await migrate(url, { migrationsDir })).toEqual({ applied: [init, '99990101000000_next'] })
  expect(await query(url, 'select id from next')).toEqual([])
})

it('of instances that start on it concurrently, one changes it', async () => {
  const url = await formerDatabase()
  const applied = await Promise.all(Array.from({ length: 4 }, () => migrate(url)))
  expect(applied.flatMap((each) => each.applied)).toEqual([init])
  expect(await history(url)).toEqual([{ migration_name: init, checksum: expect.any(String) }])
})

it('it stays as it was if the connection breaks meanwhile, and the next start changes it', async () => {
  const url = await formerDatabase()
  const [schema, rows] = [await schemaOf(url), await history(url)]
  const other = await connect(url)
  onTestFinished(() => other.end())
  await other.query('begin; lock table service_facts in share row exclusive mode')
  const interrupted = expect(migrate(url)).rejects.toThrow()
  const waiting = `select pg_terminate_backend(pid) from pg_locks where relation = 'service_facts'::regclass and not granted`
  await expect.poll(() => query(url, waiting)).toHaveLength(1)
  await interrupted
  await other.query('rollback')
  expect(await schemaOf(url)).toEqual(schema)
  expect(await history(url)).toEqual(rows)
  expect(await migrate(url)).toEqual({ applied: [init] })
})

it.each(former.slice(-2))(
  'a database that lacks %s is refused with what to do, and stays as it was',
  async (missing) => {
    const url = await formerDatabase(former.filter((name) => name !== missing))
    const [schema, rows] = [await schemaOf(url), await history(url)]
    const refused = migrate(url)
    await expect(refused).rejects.toThrow(StartError)
    await expect(refused).rejects.toThrow(/start commit 33c57b54 of Headsup on it once, then this version/)
    expect(await schemaOf(url)).toEqual(schema)
    expect(await history(url)).toEqual(rows)
  },
)

import { createTestDatabase } from './database.ts'
import { query, queryInTurn } from './query.ts'

interface EmptyDatabase {
  url: string
  facts: unknown
  drop(): Promise<void>
}

/** Databases that were given back. All test files of a worker share them. */
const emptied: EmptyDatabase[] = []

/**
 * An empty database. Afterwards it is emptied for the next test, since creating and dropping one takes several times as long. It
 * is dropped instead if more than rows was changed.
 */
export async function takeEmptyDatabase(): Promise<{ url: string; giveBack(): Promise<void> }> {
  const database = emptied.pop() ?? (await createEmptyDatabase())
  return {
    url: database.url,
    async giveBack() {
      const [found] = await queryInTurn(database.url, [endOtherSessions, emptyTables, selectFacts])
      if (found?.facts === database.facts) emptied.push(database)
      else await database.drop()
    },
  }
}

async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const database = await createTestDatabase()
  const [found] = await query(database.url, selectFacts)
  return { ...database, facts: found?.facts }
}

/** Tests change these, not the service: columns, indexes, constraints, triggers, functions, statistics, settings, migrations. */
const selectFacts = `select md5(string_agg(fact, ',' order by fact)) as facts from (
  select concat('column ', attrelid, attname, atttypid, attnotnull)
    from pg_attribute join pg_class on pg_class.oid = attrelid where relnamespace = 'public'::regnamespace
  union all select concat('index ', indexrelid, indisvalid) from pg_index
  union all select concat('constraint ', oid) from pg_constraint
  union all select concat('trigger ', oid, tgenabled) from pg_trigger
  union all select concat('function ', oid) from pg_proc where pronamespace = 'public'::regnamespace
  union all select concat('statistics ', starelid, staattnum) from pg_statistic where starelid >= 16384
  union all select concat('settings ', setconfig) from pg_db_role_setting join pg_database on setdatabase = pg_database.oid
    where datname = current_database()
  union all select concat('migration ', migration) from _prisma_migrations as migration
) as facts(fact)`

const endOtherSessions = `select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()`

const emptyTables = `do $$
  declare name text; has_rows boolean;
  begin
    for name in select tablename from pg_tables where schemaname = 'public' and tablename <> '_prisma_migrations' loop
      execute format('select exists (select from %I)', name) into has_rows;
      if has_rows then execute format('truncate %I restart identity cascade', name); end if;
    end loop;
  end
$$`

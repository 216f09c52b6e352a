import type pg from 'pg'
import { createTestDatabase } from './database.ts'
import { connect } from './query.ts'

interface EmptyDatabase {
  url: string
  /** It stays open: the first statements of a new connection cost several times as much. */
  connection: pg.Client
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
      const { connection, facts } = database
      if (await isEmptied(connection, facts)) return void emptied.push(database)
      await connection.end()
      await database.drop()
    },
  }
}

async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const database = await createTestDatabase()
  const connection = await connect(database.url)
  return { ...database, connection, facts: await readFacts(connection) }
}

/** Empties the database. Returns false if it can not be used again: more than rows was changed, or the connection was lost. */
async function isEmptied(connection: pg.Client, facts: unknown): Promise<boolean> {
  try {
    await connection.query(endOtherSessions)
    await connection.query(emptyTables)
    return (await readFacts(connection)) === facts
  } catch {
    return false
  }
}

async function readFacts(connection: pg.Client): Promise<unknown> {
  const { rows } = await connection.query<{ facts: unknown }>(selectFacts)
  return rows[0]?.facts
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

/** A table that was never written to has no pages. */
const emptyTables = `do $$
  declare written text;
  begin
    select string_agg(quote_ident(relname), ', ') into written from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> '_prisma_migrations'
        and pg_relation_size(oid) > 0;
    if written is not null then execute format('truncate %s restart identity cascade', written); end if;
  end
$$`

import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Database } from '../../src/service/db/database.ts'
import { clientsOf, createTestDatabase, databaseAt } from './database.ts'
import { connect } from './query.ts'

/** Everything stays open: a new connection and a new Prisma client cost several times as much as most tests. */
interface EmptyDatabase {
  url: string
  db: Database
  /** Called when a connection of `db` was lost. */
  listeners: (() => void)[]
  /** To empty it. */
  connection: pg.Client
  facts: unknown
  drop(): Promise<void>
}

/** Databases that were given back. All test files of a worker share them. */
const emptied: EmptyDatabase[] = []

/**
 * An empty database. Afterwards it is emptied for the next test, since creating and dropping one takes several times as long. It
 * is dropped instead if more than rows was changed, or if a statement does not end.
 */
export async function takeEmptyDatabase(): Promise<{ url: string; db: Database; giveBack(): Promise<void> }> {
  const database = emptied.pop() ?? (await createEmptyDatabase())
  let isGivenBack = false
  return {
    url: database.url,
    // What a stopped service begins later fails, and does not reach the next test.
    db: new Proxy(database.db, {
      get(db, name: keyof Database) {
        if (isGivenBack) throw new Error('the database was given back')
        return name === 'onConnectionLost' ? (listener: () => void) => database.listeners.push(listener) : db[name]
      },
    }),
    async giveBack() {
      if (isGivenBack) throw new Error('the database was given back')
      isGivenBack = true
      database.listeners = []
      if ((await isQuiet(database.db)) && (await isEmptied(database))) return void emptied.push(database)
      // It waits for connections that a failed test holds.
      void database.db.close()
      await database.connection.end()
      await database.drop()
    },
  }
}

async function createEmptyDatabase(): Promise<EmptyDatabase> {
  const { url, drop } = await createTestDatabase()
  const connection = await connect(url)
  const db = databaseAt(url)
  const database: EmptyDatabase = { url, db, listeners: [], connection, facts: await readFacts(connection), drop }
  db.onConnectionLost(() => {
    for (const listener of database.listeners) listener()
  })
  return database
}

/** Waits until no statement is pending and no connection is being closed. Returns false if that takes too long. */
async function isQuiet(db: Database): Promise<boolean> {
  for (let waited = 0; waited < 10_000; waited += 5) {
    const { total, idle, waiting } = db.connections()
    if (total === idle && waiting === 0 && clientsOf(db).length === total) return true
    await sleep(5)
  }
  return false
}

/** Empties the database. Returns false if it can not be used again: more than rows was changed, or a connection was lost. */
async function isEmptied({ connection, db, facts }: EmptyDatabase): Promise<boolean> {
  const kept = clientsOf(db)
  try {
    await Promise.all(kept.map((client) => client.query('rollback; reset all')))
    await connection.query(endOtherSessions, [kept.map((client) => Reflect.get(client, 'processID'))])
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

/** Waits up to 5 s for each. */
const endOtherSessions = `select pg_terminate_backend(pid, 5000) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid() and pid <> all($1::integer[])`

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

import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase } from '../../support/database.ts'
import { connect } from '../../support/query.ts'
import { createSchemaEngine } from '../../support/schema-engine.ts'

let migrated: Awaited<ReturnType<typeof createTestDatabase>>

beforeAll(async () => {
  migrated = await createTestDatabase()
})
afterAll(() => migrated.drop())

async function withClient<Result>(url: string, use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = await connect(url)
  return use(client).finally(() => client.end())
}

/** The SQL that Prisma would make of the schema, in a database. Its own comparison can't read PostgreSQL 18's catalogue yet. */
async function tablesOf(schema: string) {
  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  const engine = await createSchemaEngine(pool)
  const { stdout } = await engine.diff({
    from: { tag: 'empty' },
    to: { tag: 'schemaDatamodel', files: [{ path: 'schema.prisma', content: schema }] },
    script: true,
    exitCode: null,
    filters: { externalTables: [], externalEnums: [] },
  })
  await pool.end()
  const described = await withClient(database.url, async (client) => {
    await client.query('drop schema public cascade; create schema public')
    await client.query(stdout ?? '')
    return describe(client)
  })
  await database.drop()
  return described
}

async function describe(client: pg.Client) {
  // A list may be null in what Prisma makes, and is not in ours.
  const columns = await client.query(
    `select table_name, column_name, udt_name, data_type <> 'ARRAY' and is_nullable = 'YES' as nullable, datetime_precision
       from information_schema.columns where table_schema = 'public' and table_name not like '\\_prisma%'
      order by table_name, column_name`,
  )
  const indexes = await client.query<{ tablename: string; indexdef: string }>(
    `select tablename, indexdef from pg_indexes where schemaname = 'public' and tablename not like '\\_prisma%' order by indexname`,
  )
  // Partial indexes are beyond Prisma's language, and columns that an index merely holds.
  const whole = indexes.rows.filter(({ indexdef }) => !indexdef.includes(' WHERE '))
  return { columns: columns.rows, indexes: whole.map(({ indexdef }) => indexdef.replace(/ INCLUDE \(\w+\)$/, '')) }
}

it('the Prisma schema has the columns, keys and whole indexes that the migrations make', async () => {
  const schema = await readFile('prisma/schema.prisma', 'utf8')
  expect(await tablesOf(schema)).toEqual(await withClient(migrated.url, describe))
})

it.each([
  ['a column that may be null', 'decision_url  String?', 'decision_url  String'],
  ['a column more', 'decision_url  String?', 'decision_url  String?\n  extra String?'],
  ['an index less', '@@index([branch, repository_id])', ''],
])('detects a schema that differs by %s', async (_name, from, to) => {
  const schema = await readFile('prisma/schema.prisma', 'utf8')
  expect(schema).toContain(from)
  expect(await tablesOf(schema.replace(from, to))).not.toEqual(await withClient(migrated.url, describe))
})

import { createHash } from 'node:crypto'
import type pg from 'pg'
import { getOrCreate } from '../../../core/lib/maps.ts'
import type { Database } from '../database.ts'

/** SQLSTATEs: no such prepared statement, it exists already, the tables of its plan have changed. */
const unusable = new Set<unknown>(['26000', '42P05', '0A000'])

/** A statement as it is prepared on the connections of a pool. */
interface Statement {
  /** The same for the same text in all processes, since they share the connections of a pooler. */
  readonly name: string
  isUsable: boolean
}
/** The statements of each pool, by table sizes, then by text. */
const statements = new WeakMap<pg.Pool, Map<string, Map<string, Statement>>>()

/** The sizes of all tables, by their names. */
interface TableSizes {
  sizes: ReadonlyMap<string, number>
  readAt: number
}
const sizesOfPools = new WeakMap<pg.Pool, TableSizes>()
/** How often these are read, in milliseconds. */
const sizesHoldMs = 1_000

/**
 * Runs a frequent read of these tables as a prepared statement. PostgreSQL then parses and plans it once for each connection, which
 * for a long statement costs as much as running it. When a table has doubled, the statement is prepared again under another name: a
 * plan for an empty table would be kept while thousands of rows are added, and would read them all. A pooler in transaction mode may
 * use another connection for each statement (PgBouncer supports prepared statements since 1.21); then the statement is no longer
 * prepared. Only for reads, which may run twice, and for a small number of different texts.
 */
export async function readPrepared<Row extends pg.QueryResultRow>(
  { pool }: Pick<Database, 'pool'>,
  tables: readonly string[],
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const sizes = await currentSizes(pool)
  const statement = statementOf(pool, tables.map((table) => sizes.get(table) ?? 0).join(), text)
  if (statement.isUsable) {
    try {
      return (await pool.query<Row>({ name: statement.name, text, values })).rows
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && unusable.has(error.code))) throw error
      statement.isUsable = false
    }
  }
  return (await pool.query<Row>(text, values)).rows
}

/** The sizes of the tables in pages, as powers of two. */
async function currentSizes(pool: pg.Pool): Promise<TableSizes['sizes']> {
  const held = sizesOfPools.get(pool)
  if (held) {
    if (performance.now() - held.readAt < sizesHoldMs) return held.sizes
    // Meanwhile other requests use the sizes of before.
    held.readAt = performance.now()
  }
  const { rows } = await pool.query<{ name: string; pages: number }>(
    `select relname as name, (pg_relation_size(oid) / 8192)::int as pages from pg_class
      where relkind = 'r' and relnamespace = current_schema()::regnamespace`,
  )
  const sizes = new Map(rows.map(({ name, pages }) => [name, Math.ceil(Math.log2(pages + 1))]))
  sizesOfPools.set(pool, { sizes, readAt: performance.now() })
  return sizes
}

function statementOf(pool: pg.Pool, sizes: string, text: string): Statement {
  const ofPool = getOrCreate(statements, pool, () => new Map<string, Map<string, Statement>>())
  const ofSizes = getOrCreate(ofPool, sizes, () => new Map<string, Statement>())
  return getOrCreate(ofSizes, text, () => ({
    name: `headsup_${createHash('sha256').update(`${text} -- ${sizes}`).digest('hex').slice(0, 24)}`,
    isUsable: true,
  }))
}

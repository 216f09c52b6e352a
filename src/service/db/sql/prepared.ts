import { createHash } from 'node:crypto'
import type pg from 'pg'
import { getOrCreate } from '../../../core/lib/maps.ts'
import type { Database } from '../database.ts'

/** SQLSTATEs: no such prepared statement, it exists already, the tables of its plan have changed. */
const unusable = new Set<unknown>(['26000', '42P05', '0A000'])

/** A statement is prepared once its tables have this many rows by their statistics: for small tables the plan may still change. */
const minRows = 2_000
/** The same for a read along one index, which PostgreSQL uses for fewer rows already. */
export const minRowsOfIndexRead = 500
/** How often the statistics are read, in milliseconds: they change once a minute at most. */
const recheckMs = 10_000

interface CachedStatement {
  /** The same for the same text in all processes, since they share the connections of a pooler. */
  readonly name: string
  mode: 'not yet' | 'prepared' | 'never'
  checkedAt: number
}
/** The statements of each pool, by text and table sizes. */
const pools = new WeakMap<pg.Pool, Map<string, CachedStatement>>()

/**
 * Runs a frequent read of these tables as a prepared statement once they are large. PostgreSQL then parses and plans it once for
 * each connection, which for a long statement costs as much as running it. A plan for an empty table would be cached while
 * thousands of rows are added, and would read them all. A pooler in transaction mode may use another connection for each
 * statement (PgBouncer supports prepared statements since 1.21); then the statement is no longer prepared. Only for reads,
 * which may run twice, and for a small number of different texts.
 */
export async function readPrepared<Row extends pg.QueryResultRow>(
  { pool }: Pick<Database, 'pool'>,
  tables: readonly string[],
  text: string,
  values: unknown[],
  rowsNeeded = minRows,
): Promise<Row[]> {
  const cached = cachedStatement(pool, text, 'not yet')
  const rows = await runCached<Row>(pool, cached, text, values)
  if (cached.mode === 'not yet' && performance.now() - cached.checkedAt > recheckMs)
    await checkSize(pool, tables, cached, rowsNeeded)
  return rows
}

/** The sizes of tables of each pool, by their names. */
const sizesOfPools = new WeakMap<pg.Pool, Map<string, { sizes: string; readAt: number }>>()
/** How often these are read, in milliseconds. */
const sizesHoldMs = 1_000

/**
 * The same for a read whose planning costs more than its rows, also where the tables are small. The statement is prepared immediately,
 * and again under another name when a table has doubled, so that no plan for a much smaller table is used.
 */
export async function readPreparedBySize<Row extends pg.QueryResultRow>(
  { pool }: Pick<Database, 'pool'>,
  tables: readonly string[],
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const sizes = await currentSizes(pool, tables)
  return runCached(pool, cachedStatement(pool, `${text} -- ${sizes}`, 'prepared'), text, values)
}

/** The sizes of the tables in pages, as powers of two. */
async function currentSizes(pool: pg.Pool, tables: readonly string[]): Promise<string> {
  const known = getOrCreate(sizesOfPools, pool, () => new Map<string, { sizes: string; readAt: number }>())
  const held = known.get(tables.join())
  if (held && performance.now() - held.readAt < sizesHoldMs) return held.sizes
  const { rows } = await pool.query<{ pages: number }>(
    'select (pg_relation_size(name::regclass) / 8192)::int as pages from unnest($1::text[]) as name',
    [tables],
  )
  const sizes = rows.map(({ pages }) => Math.ceil(Math.log2(pages + 1))).join()
  known.set(tables.join(), { sizes, readAt: performance.now() })
  return sizes
}

async function runCached<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  cached: CachedStatement,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  if (cached.mode === 'prepared') {
    try {
      return (await pool.query<Row>({ name: cached.name, text, values })).rows
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && unusable.has(error.code))) throw error
      cached.mode = 'never'
    }
  }
  return (await pool.query<Row>(text, values)).rows
}

function cachedStatement(pool: pg.Pool, key: string, mode: CachedStatement['mode']): CachedStatement {
  return getOrCreate(
    getOrCreate(pools, pool, () => new Map<string, CachedStatement>()),
    key,
    () => ({
      name: `headsup_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`,
      mode,
      checkedAt: Number.NEGATIVE_INFINITY,
    }),
  )
}

async function checkSize(
  pool: pg.Pool,
  tables: readonly string[],
  cached: CachedStatement,
  rowsNeeded: number,
): Promise<void> {
  cached.checkedAt = performance.now()
  const { rows } = await pool.query<{ large: boolean }>(
    'select bool_and(reltuples >= $1) as large from pg_class where oid = any($2::regclass[])',
    [rowsNeeded, tables],
  )
  if (rows[0]?.large === true) cached.mode = 'prepared'
}

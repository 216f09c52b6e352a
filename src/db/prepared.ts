import { createHash } from 'node:crypto'
import type pg from 'pg'
import { getOrCreate } from '../lib/maps.ts'

/** A statement that is not where it was left, one that is there already, and one whose tables have changed (SQLSTATE). */
const unusable = new Set<unknown>(['26000', '42P05', '0A000'])

/** What a plan is kept for: before a table has so many rows, by its statistics, another plan may be the right one. */
const enoughRows = 2_000
/** How long it is until the statistics are asked again, in milliseconds: they change once a minute at most. */
const askAgainAfter = 10_000

interface Kept {
  /** The same for the same text everywhere, since connections of a pooler are shared by processes. */
  readonly name: string
  mode: 'not yet' | 'prepared' | 'never'
  askedAt: number
}
/** By their texts, and the sizes that they are prepared for. */
const pools = new WeakMap<pg.Pool, Map<string, Kept>>()

/**
 * The rows of a hot read of these tables. Once they are large, PostgreSQL reads and plans the statement once for each connection,
 * which for a long one costs as much as running it. Not before: a plan that was made for an empty table is kept while
 * thousands of rows come, and reads them all for each probe. A pooler of transactions may give each statement another
 * connection (PgBouncer does, and knows of prepared ones since 1.21): it goes on without, then. For reads alone, which
 * may be tried twice, of few texts.
 */
export async function readPrepared<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  tables: readonly string[],
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const kept = keptOf(pool, text, 'not yet')
  const rows = await readKept<Row>(pool, kept, text, values)
  if (kept.mode === 'not yet' && performance.now() - kept.askedAt > askAgainAfter) await askSize(pool, tables, kept)
  return rows
}

/**
 * The same for tables whose sizes are known, in pages. It is prepared at once, and under another name whenever a table has
 * doubled: so no plan is used that was made for a much smaller table.
 */
export async function readPreparedForSizes<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  pages: readonly number[],
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const sizes = pages.map((count) => Math.ceil(Math.log2(count + 1))).join()
  return readKept(pool, keptOf(pool, `${text} -- ${sizes}`, 'prepared'), text, values)
}

async function readKept<Row extends pg.QueryResultRow>(
  pool: pg.Pool,
  kept: Kept,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  if (kept.mode === 'prepared') {
    try {
      return (await pool.query<Row>({ name: kept.name, text, values })).rows
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && unusable.has(error.code))) throw error
      kept.mode = 'never'
    }
  }
  return (await pool.query<Row>(text, values)).rows
}

function keptOf(pool: pg.Pool, key: string, mode: Kept['mode']): Kept {
  return getOrCreate(
    getOrCreate(pools, pool, () => new Map<string, Kept>()),
    key,
    () => ({
      name: `headsup_${createHash('sha256').update(key).digest('hex').slice(0, 24)}`,
      mode,
      askedAt: Number.NEGATIVE_INFINITY,
    }),
  )
}

async function askSize(pool: pg.Pool, tables: readonly string[], kept: Kept): Promise<void> {
  kept.askedAt = performance.now()
  const { rows } = await pool.query<{ large: boolean }>(
    'select bool_and(reltuples >= $1) as large from pg_class where oid = any($2::regclass[])',
    [enoughRows, tables],
  )
  if (rows[0]?.large === true) kept.mode = 'prepared'
}

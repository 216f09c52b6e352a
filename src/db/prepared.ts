import { createHash } from 'node:crypto'
import type pg from 'pg'

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
/** By their texts. */
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
  const kept = keptOf(pool, text)
  if (kept.mode === 'prepared') {
    try {
      return (await pool.query<Row>({ name: kept.name, text, values })).rows
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && unusable.has(error.code))) throw error
      kept.mode = 'never'
    }
  }
  const { rows } = await pool.query<Row>(text, values)
  if (kept.mode === 'not yet' && performance.now() - kept.askedAt > askAgainAfter) await askSize(pool, tables, kept)
  return rows
}

function keptOf(pool: pg.Pool, text: string): Kept {
  const texts = pools.get(pool) ?? new Map<string, Kept>()
  pools.set(pool, texts)
  const known = texts.get(text)
  if (known) return known
  const name = `headsup_${createHash('sha256').update(text).digest('hex').slice(0, 24)}`
  const kept: Kept = { name, mode: 'not yet', askedAt: Number.NEGATIVE_INFINITY }
  texts.set(text, kept)
  return kept
}

async function askSize(pool: pg.Pool, tables: readonly string[], kept: Kept): Promise<void> {
  kept.askedAt = performance.now()
  const { rows } = await pool.query<{ large: boolean }>(
    'select bool_and(reltuples >= $1) as large from pg_class where oid = any($2::regclass[])',
    [enoughRows, tables],
  )
  if (rows[0]?.large === true) kept.mode = 'prepared'
}

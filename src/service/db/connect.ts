import pg from 'pg'
import { currentContext, type RequestContext } from '../lib/request-context.ts'

declare module 'pg' {
  interface Client {
    /** The parameters of the startup message. The types of `pg` lack it. */
    getStartupConf(): Record<string, string>
  }
}

/**
 * Prisma's adapter sends timestamps without an offset and ignores the offset of those it reads. `pg` parses dates in the
 * ISO style only. The server, the database and the role may each set other values.
 */
const session = { TimeZone: 'UTC', DateStyle: 'ISO, MDY' }

/** A statement that has ended. It holds the text and never the values. */
export interface EndedStatement {
  text: string
  requestContext: RequestContext | undefined
  ms: number
  /** Null if the statement succeeded. */
  error: unknown
}

type Callback = (error: unknown, ...results: unknown[]) => void

/**
 * A connection whose session is in UTC. Startup parameters override the settings of server, database and role, and cost no
 * statement. PgBouncer in transaction mode keeps these two for each client, while it loses a `SET` and rejects `options`. The
 * values are spelled as PostgreSQL reports them: PgBouncer compares them as text, and sends a `SET` if they differ.
 */
export class UtcClient extends pg.Client {
  /** Called after each statement, whether Prisma sent it or we did. */
  onStatement: (statement: EndedStatement) => void = () => {}

  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...session }
  }

  override query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
  override query(...given: never[]): never
  override query(...given: unknown[]): unknown {
    const requestContext = currentContext()
    const startedAt = performance.now()
    const end = (error: unknown) => {
      this.onStatement({ text: textOf(given[0]), requestContext, ms: performance.now() - startedAt, error })
    }
    const callback = given.at(-1)
    // The pool passes a callback. All other callers want a promise.
    if (isCallback(callback)) {
      const ended: Callback = (error, ...results) => {
        end(error)
        callback(error, ...results)
      }
      return Reflect.apply(super.query, this, [...given.slice(0, -1), ended])
    }
    const result: unknown = Reflect.apply(super.query, this, given)
    if (result instanceof Promise) result.then(() => end(null), end)
    return result
  }
}

function isCallback(value: unknown): value is Callback {
  return typeof value === 'function'
}

function textOf(query: unknown): string {
  if (typeof query === 'string') return query
  if (typeof query !== 'object' || query === null || !('text' in query)) return 'unknown'
  return typeof query.text === 'string' ? query.text : 'unknown'
}

/** The type `text[]`, by its object id. */
const textArray: number = 1009
const parseAny: (array: string) => string[] = pg.types.getTypeParser(textArray)

/** Reads a `text[]`; in most cases some thirty times as fast as `pg` does. */
export function parseTexts(array: string): string[] {
  return plainTexts(array) ?? parseAny(array)
}

/** How values are read: 64-bit integers become `BigInt`, as with Prisma. */
export const types: pg.CustomTypesConfig = {
  getTypeParser(oid, format) {
    if (oid === pg.types.builtins.INT8) return BigInt
    return Number(oid) === textArray && format !== 'binary' ? parseTexts : pg.types.getTypeParser(oid, format)
  },
}

/** The texts of an array that needs no quotation marks and has no NULL; undefined for any other. */
export function plainTexts(array: string): string[] | undefined {
  if (array === '{}') return []
  return /["\\]|\bNULL\b/i.test(array) ? undefined : array.slice(1, -1).split(',')
}

/** A pool of such connections. */
export function createPool(config: pg.PoolConfig): pg.Pool {
  return new pg.Pool({ ...config, types, Client: UtcClient })
}

/** SQL: whether the session's time zone is UTC in winter and in summer, and its date style is ISO. */
export const isUtc = `array['2026-01-01 00:00Z', '2026-07-01 00:00Z']::timestamptz[]::text = '{"2026-01-01 00:00:00+00","2026-07-01 00:00:00+00"}'`

import pg from 'pg'
import { afterTurns } from '../lib/after-turns.ts'
import { currentContext, type RequestContext } from '../lib/request-context.ts'
import { connectTimeout } from './errors.ts'

declare module 'pg' {
  interface Client {
    /** The parameters of the startup message. The types of `pg` lack it. */
    getStartupConf(): Record<string, string>
    /** The server process of the connection, as the server or a pooler reports it. The types of `pg` lack it. */
    processID: number | null
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

export interface ConnectionLimit {
  /** How long it may take to connect, in ms. Long turns of the event loop do not count: connecting takes several. */
  connectMs?: number
}

/**
 * A connection whose session is in UTC. Startup parameters override the settings of server, database and role, and cost no
 * statement. PgBouncer in transaction mode keeps these two for each client, while it loses a `SET` and rejects `options`. The
 * values are spelled as PostgreSQL reports them: PgBouncer compares them as text, and sends a `SET` if they differ.
 */
export class UtcClient extends pg.Client {
  /** Called after each statement, whether Prisma sent it or we did. */
  onStatement: (statement: EndedStatement) => void = () => {}
  /** When it was connected, on a monotonic clock in milliseconds. The pool sets it. */
  connectedAt = Number.POSITIVE_INFINITY
  /** When the oldest pending statement was sent; undefined if none is pending. */
  pendingSince: number | undefined
  /** When the server answered last. */
  answeredAt = Number.NEGATIVE_INFINITY
  #pending = 0
  readonly #connectMs: number | undefined

  constructor(config?: pg.ClientConfig & ConnectionLimit) {
    super(config)
    this.#connectMs = config?.connectMs
  }

  override connect(): Promise<UtcClient>
  override connect(...given: never[]): never
  override connect(...given: unknown[]): unknown {
    const giveUp = () => this.connection.stream.destroy(new Error(connectTimeout))
    const stop = this.#connectMs === undefined ? () => {} : afterTurns(this.#connectMs, giveUp)
    const [callback] = given
    // The pool passes a callback.
    if (isCallback(callback)) {
      const connected: Callback = (error, ...results) => {
        stop()
        callback(error, ...results)
      }
      return Reflect.apply(super.connect, this, [connected])
    }
    const result: unknown = Reflect.apply(super.connect, this, [])
    if (result instanceof Promise) result.then(stop, stop)
    return result
  }

  override getStartupConf(): Record<string, string> {
    return { ...super.getStartupConf(), ...session }
  }

  override query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<pg.QueryResult<Row>>
  override query(...given: never[]): never
  override query(...given: unknown[]): unknown {
    const requestContext = currentContext()
    const startedAt = performance.now()
    this.#begin(startedAt)
    const end = (error: unknown) => {
      const now = performance.now()
      this.#end(now, error)
      this.onStatement({ text: textOf(given[0]), requestContext, ms: now - startedAt, error })
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

  #begin(now: number): void {
    this.#pending++
    this.pendingSince ??= now
  }

  #end(now: number, error: unknown): void {
    this.#pending--
    this.pendingSince = this.#pending > 0 ? now : undefined
    if (!error || error instanceof pg.DatabaseError) this.answeredAt = now
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

/** A pool of such connections. */
export function createPool(config: pg.PoolConfig & ConnectionLimit): pg.Pool {
  return new pg.Pool({ ...config, Client: UtcClient })
}

/** SQL: whether the session's time zone is UTC in winter and in summer, and its date style is ISO. */
export const isUtc = `array['2026-01-01 00:00Z', '2026-07-01 00:00Z']::timestamptz[]::text = '{"2026-01-01 00:00:00+00","2026-07-01 00:00:00+00"}'`

import { AsyncResource } from 'node:async_hooks'
import pg from 'pg'
import { createFairLimit, type Release } from '../lib/fair-limit.ts'
import { currentContext } from '../lib/request-context.ts'
import { type EndedStatement, types, UtcClient } from './connect.ts'
import { isConnectionEnded, isReadTimeout, noConnectionInTime } from './database-errors.ts'
import { retryOnConflict } from './retry-on-conflict.ts'

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void

export interface FairPoolListener {
  /** A new connection was made. */
  connected(): void
  /** No connection could be made. */
  connectFailed(error: unknown): void
  /** A statement ended on any connection, whether Prisma sent it or we did. */
  statement(statement: EndedStatement): void
  /** A statement timed out. Its connection is closed, and so are the idle ones. */
  timedOut(idle: number): void
  /** A connection was lost, or there is none any more. The next one may lead to another server. */
  lost(): void
}

interface FairPoolConfig extends pg.PoolConfig {
  max: number
  connectionTimeoutMillis: number
  listener: FairPoolListener
}

/** The share of webhooks and jobs. */
const background = 'background'

/**
 * A pool whose connections no repository can take for itself. Each repository has a share, and so have webhooks and
 * background jobs together. One connection is kept for the latter, unless there is only one.
 */
export class FairPool extends pg.Pool {
  readonly #limit
  readonly #listener: FairPoolListener
  readonly #slots = new WeakMap<pg.PoolClient, Release>()

  constructor({ listener, ...config }: FairPoolConfig) {
    super({ ...config, types, Client: UtcClient })
    this.#listener = listener
    this.#limit = createFairLimit({
      slots: config.max,
      waiting: Number.POSITIVE_INFINITY,
      waitMs: config.connectionTimeoutMillis,
      refusal: () => new Error(noConnectionInTime),
      reserved: { key: background, slots: config.max > 1 ? 1 : 0 },
    })
    this.on('release', (error, client) => {
      this.#slots.get(client)?.()
      // The pool closes the connection of a failed statement itself, and `pg` then emits no error.
      if (isConnectionEnded(error)) listener.lost()
    })
    this.on('connect', (client) => this.#listen(client))
    this.on('remove', () => {
      if (this.totalCount === 0) this.#listener.lost()
    })
  }

  /** How many callers wait for a connection. */
  waiting(): number {
    return this.#limit.waiting() + this.waitingCount
  }

  /** Each statement is a transaction of its own, so it can be retried. Prisma sends its single statements through here. */
  override query<Row extends pg.QueryResultRow>(
    query: string | pg.QueryConfig,
    values?: unknown[],
  ): Promise<pg.QueryResult<Row>>
  override query(...given: never[]): never
  override query(...given: unknown[]): unknown {
    return retryOnConflict<unknown>(() => Reflect.apply(super.query, this, given))
  }

  override connect(): Promise<pg.PoolClient>
  override connect(connected: Connected): void
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    if (!connected) {
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client ? resolve(client) : reject(error)))
      })
    }
    const key = currentContext()?.repositoryId ?? background
    const release = this.ending ? () => {} : this.#limit.tryAcquire(key)
    if (release) this.#connect(release, connected)
    else
      this.#limit.acquire(key).then(
        (later) => this.#connect(later, connected),
        (error) => connected(error, undefined, () => {}),
      )
    return undefined
  }

  /** With callbacks, since every statement passes here, and each promise costs a microsecond while `AsyncLocalStorage` is used. */
  #connect(release: Release, connected: Connected): void {
    // The pool may call back in the request context of the caller that gave the connection back.
    const caller = new AsyncResource('CONNECTION')
    super.connect((error, client, done) => {
      if (client) {
        this.#slots.set(client, release)
      } else {
        release()
        // A wait for connections that others use says nothing about the database.
        if (!this.ending && error?.message !== noConnectionInTime) this.#listener.connectFailed(error)
      }
      caller.runInAsyncScope(connected, undefined, error, client, done)
    })
  }

  #listen(client: pg.PoolClient): void {
    this.#listener.connected()
    // If a connection breaks between two statements, the next one fails. Without a listener the process would end.
    client.on('error', () => this.#listener.lost())
    if (!(client instanceof UtcClient)) return
    client.onStatement = (statement) => {
      this.#listener.statement(statement)
      if (isReadTimeout(statement.error)) this.#closeTimedOut(client)
    }
  }

  /**
   * `pg` would keep the connection of a statement that timed out. If the ROLLBACK of a transaction times out too, the
   * connection would go back to the pool with its transaction open, and what others write on it would never be committed.
   *
   * Idle connections are closed too. If the server is gone, they are dead, and each would cost a request a time-out. If the
   * statement was only slow, reconnecting costs little.
   */
  #closeTimedOut(client: UtcClient): void {
    this.#listener.timedOut(this.idleCount)
    this.#listener.lost()
    void client.end()
    // `connect` returns idle connections first. `release(true)` closes them.
    const close = (idle: pg.PoolClient) => idle.release(true)
    for (let left = this.idleCount; left > 0; left--) this.connect().then(close, () => {})
  }
}

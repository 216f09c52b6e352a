import pg from 'pg'
import { createFairLimit, type Release } from '../lib/fair-limit.ts'
import { currentContext } from '../lib/request-context.ts'
import { UtcClient } from './connect.ts'
import { noConnectionInTime } from './unavailable.ts'

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (destroy?: Error | boolean) => void,
) => void

interface FairPoolConfig extends pg.PoolConfig {
  max: number
  connectionTimeoutMillis: number
  /** How long to wait while one repository holds half of the connections, in milliseconds. */
  waitBehindOtherMs: number
}

/** The share of webhooks and jobs. */
const background = 'background'

/**
 * A pool whose connections no repository can take for itself. Each repository has a share, and so have webhooks and
 * background jobs together. One connection is kept for the latter, unless there is only one.
 */
export class FairPool extends pg.Pool {
  readonly #limit
  readonly #places = new WeakMap<pg.PoolClient, Release>()

  constructor({ waitBehindOtherMs, ...config }: FairPoolConfig) {
    super({ ...config, Client: UtcClient })
    this.#limit = createFairLimit({
      places: config.max,
      waiters: Number.POSITIVE_INFINITY,
      waitMs: config.connectionTimeoutMillis,
      waitBehindOtherMs,
      refusal: () => new Error(noConnectionInTime),
      reserved: { key: background, places: config.max > 1 ? 1 : 0 },
    })
    this.on('release', (_error, client) => this.#places.get(client)?.())
  }

  /** How many wait for a connection. */
  waiters(): number {
    return this.#limit.waiting() + this.waitingCount
  }

  override connect(): Promise<pg.PoolClient>
  override connect(connected: Connected): void
  override connect(connected?: Connected): Promise<pg.PoolClient> | undefined {
    const connecting = this.#connect()
    if (!connected) return connecting
    connecting.then(
      (client) => connected(undefined, client, client.release),
      (error) => connected(error, undefined, () => {}),
    )
    return undefined
  }

  async #connect(): Promise<pg.PoolClient> {
    if (this.ending) return await super.connect()
    const release = await this.#limit.acquire(currentContext()?.repositoryId ?? background)
    try {
      const client = await super.connect()
      this.#places.set(client, release)
      return client
    } catch (error) {
      release()
      throw error
    }
  }
}

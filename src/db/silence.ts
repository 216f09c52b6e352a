import type { Pinger } from './pinger.ts'

/** A statement that has been pending for this long causes a ping, in milliseconds. */
const slowMs = 1_000
/**
 * How long all connections must have been without an answer, in milliseconds. Some answers may have come after the ping
 * was sent.
 */
const quietMs = 1_000
/** How often the connections are checked, in milliseconds. */
const checkMs = 500
/**
 * While there are connections, the server is pinged at least this often, in milliseconds. So the connection for pings
 * is open when it is needed.
 */
const warmMs = 15_000

/** A connection of the pool. Times are on a monotonic clock, in milliseconds. */
export interface WatchedConnection {
  connectedAt: number
  /** When the pending statement was sent; undefined if none is pending. */
  pendingSince: number | undefined
  /** When the server answered last. */
  answeredAt: number
}

export interface SilenceWatch<Connection> {
  connections(): readonly Connection[]
  pinger: Pick<Pinger, 'ping' | 'sentAt' | 'onNoAnswer'>
  /** Gets the connections that are dead. */
  onSilent(connections: readonly Connection[]): void
}

/**
 * Notices that the server is silent: its connections stay open, and nothing answers. A long statement alone is no
 * proof, since it may be slow. The server counts as silent if it has not answered a ping on an open connection for 2 s,
 * and for the last second has answered on none of the connections that were open when the ping was sent. Returns a
 * function that stops the watch.
 */
export function watchForSilence<Connection extends WatchedConnection>(
  { connections, pinger, onSilent }: SilenceWatch<Connection>,
  now: () => number = performance.now.bind(performance),
): () => void {
  function isReasonToPing(): boolean {
    const all = connections()
    if (all.length > 0 && now() - pinger.sentAt() > warmMs) return true
    return all.some(({ pendingSince }) => pendingSince !== undefined && now() - pendingSince >= slowMs)
  }

  pinger.onNoAnswer((sentAt) => {
    const older = connections().filter(({ connectedAt }) => connectedAt <= sentAt)
    if (older.length > 0 && older.every(({ answeredAt }) => now() - answeredAt >= quietMs)) onSilent(older)
  })
  const timer = setInterval(() => {
    if (isReasonToPing()) pinger.ping().catch(() => {})
  }, checkMs).unref()
  return () => clearInterval(timer)
}

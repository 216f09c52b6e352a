import type { Pinger } from './pinger.ts'

/** A statement that is pending for this long is a reason to ask whether the server still answers, in milliseconds. */
const slowMs = 1_000
/** For how long no connection may have had an answer: some answers may have come after the ping was sent, in milliseconds. */
const quietMs = 1_000
/** How often the connections are looked at, in milliseconds. */
const checkMs = 500
/** How often the server is pinged at least while there are connections, in milliseconds: pings need a connection that is open. */
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
 * Notices that the server is silent: its connections stay open, and nothing answers. A statement may be slow, so the time that
 * it takes says nothing. The server is silent if it leaves a ping on an open connection unanswered for 2 s, and for the last
 * second has answered on none of the connections that were open when the ping was sent. Returns how to stop.
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

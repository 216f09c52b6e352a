/**
 * How long after the last message from the service the page counts as old, in ms. Streams send a message every 15 s,
 * and lists are polled as often.
 */
const freshForMs = { live: 30_000, reconnecting: 10_000, polling: 60_000 } as const

interface Freshness {
  connection: string
  lastReceivedAt: number | undefined
}

/** Whether the page may be out of date. */
export function isStale({ connection, lastReceivedAt }: Freshness, now: number): boolean {
  if (connection !== 'live' && connection !== 'reconnecting' && connection !== 'polling') return true
  return lastReceivedAt === undefined || now - lastReceivedAt > freshForMs[connection]
}

/**
 * The notice that the page may be old, shown in place of how complete it is. It fits one line of a phone, so that the
 * layout does not move.
 */
export function notConnectedText(clock: string): string {
  return `Not connected since ${clock}: this may be old.`
}

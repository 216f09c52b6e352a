/** How long after the last sign of life what is shown counts as old, in ms. Streams send one every 15 s, and lists are polled as often. */
const freshForMs = { live: 30_000, reconnecting: 10_000, polling: 60_000 } as const

interface Freshness {
  connection: string
  heardAt: number | undefined
}

/** Whether what is shown may be out of date. */
export function isStale({ connection, heardAt }: Freshness, now: number): boolean {
  if (connection !== 'live' && connection !== 'reconnecting' && connection !== 'polling') return true
  return heardAt === undefined || now - heardAt > freshForMs[connection]
}

/** Says in place of how complete the page is that it may be old. It fits one line of a phone, so that nothing moves. */
export function notConnectedText(clock: string): string {
  return `Not connected since ${clock}: this may be old.`
}

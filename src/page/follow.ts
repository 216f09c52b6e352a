/** Two readings are at least this far apart; with a stream, without one, and what waits for an event to settle. */
const [leastMs, streamedMs, polledMs, settleMs] = [2_000, 60_000, 15_000, 300]

export interface Follower {
  /** Reads as soon as it may. */
  soon(): void
  stop(): void
}

/**
 * Reads when the stream says that something changed, and from time to time besides. `read` shows the lists, or why not; it never
 * throws.
 */
export function follow(events: string, read: () => Promise<void>): Follower {
  let stream: EventSource | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let [seen, readAt, isReading, isStale, isOver, wasOpen] = ['', 0, false, false, false, false]

  function within(ms: number): void {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(next, ms)
  }

  /** Reads as soon as it may. A call during a reading leads to one more reading, after it. */
  function soon(settlingMs = 0): void {
    if (isReading) isStale = true
    else within(Math.max(settlingMs, readAt + leastMs - Date.now()))
  }

  function onVersion({ data }: MessageEvent<string>): void {
    if (data === seen) return
    seen = data
    soon(settleMs)
  }

  /** Whether the service is away is told by a reading. */
  function onBreak(): void {
    if (wasOpen) soon(settleMs)
    wasOpen = false
  }

  /** Browsers allow six connections to one host: a hidden tab holds none. */
  function listen(): void {
    if (document.hidden) stream?.close()
    if (document.hidden || (stream && stream.readyState !== EventSource.CLOSED)) return
    stream = new EventSource(events)
    stream.addEventListener('version', onVersion)
    stream.addEventListener('open', () => (wasOpen = true))
    stream.addEventListener('error', onBreak)
  }

  async function next(): Promise<void> {
    listen()
    isReading = true
    isStale = false
    readAt = Date.now()
    await read()
    isReading = false
    if (isStale) within(leastMs)
    else within(document.hidden || stream?.readyState === EventSource.OPEN ? streamedMs : polledMs)
  }

  function onVisibility(): void {
    listen()
    if (!document.hidden) soon()
  }

  document.addEventListener('visibilitychange', onVisibility)
  within(0)
  return {
    soon,
    stop() {
      isOver = true
      clearTimeout(timer)
      stream?.close()
      document.removeEventListener('visibilitychange', onVisibility)
    },
  }
}

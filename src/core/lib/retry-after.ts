/** Why a caller has to try again later, where GitHub or a limit names no time. */
export type RetryReason = 'unavailable' | 'github_unavailable' | 'too_many_streams' | 'stream_ended' | 'draining'

/** The least and the most seconds. The time is random between them, so that refused callers do not all come back at once. */
const seconds: Record<RetryReason, readonly [number, number]> = {
  unavailable: [2, 10],
  github_unavailable: [10, 10],
  too_many_streams: [30, 60],
  stream_ended: [5, 60],
  draining: [1, 5],
}

export function secondsToRetry(reason: RetryReason): number {
  const [least, most] = seconds[reason]
  return least + Math.floor(Math.random() * (most - least + 1))
}

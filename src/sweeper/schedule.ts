import type { Log } from '../log.ts'

export interface Job {
  name: string
  everyMs: number
  run(): Promise<object>
}

/** Longest delay that a timer takes; a longer interval would fire at once. */
const longestDelay = 2_147_483_647

/**
 * Runs the job at once and then again `everyMs` after it ended, never twice at a time. A failure is logged, and the next
 * turn tries again. Returns how to stop: it waits for a run under way.
 */
export function schedule(job: Job, log: Log): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function turn() {
    try {
      const counts = await job.run()
      const idle = Object.values(counts).every((count) => count === 0)
      log[idle ? 'debug' : 'info']({ job: job.name, ...counts }, 'job done')
    } catch (error) {
      log.warn({ job: job.name, error: error instanceof Error ? error.message : 'unknown' }, 'job failed')
    }
    if (stopped) return
    timer = setTimeout(
      () => {
        running = turn()
      },
      Math.min(job.everyMs, longestDelay),
    )
    timer.unref()
  }
  let running = turn()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

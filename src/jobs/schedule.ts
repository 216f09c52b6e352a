import { type EmitEvent, ignoreEvents, type JobOutcome } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { type RequestContext, runWithContext } from '../lib/request-context.ts'

export interface Job {
  name: string
  everyMs: number
  /**
   * What was done, by counts; `busy` is 1 where another instance was at it, `stopped` where the run ended early. Nothing at
   * all where it was not yet time.
   */
  run(): Promise<object>
}

/** Longest delay that a timer takes; a longer interval would fire at once. */
const longestDelay = 2_147_483_647

/**
 * Runs the job at once and then again `everyMs` after it ended, never twice at a time. A failure is logged, and the next
 * turn tries again. Returns how to stop: it waits for a run under way.
 */
export function schedule(job: Job, log: Log, observe: EmitEvent = ignoreEvents): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  async function turn() {
    const errand = { job: job.name }
    await runWithContext(errand, () => runOnce(job, { errand, log, observe }))
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

interface Turn {
  errand: RequestContext
  log: Log
  observe: EmitEvent
}

async function runOnce(job: Job, { errand, log, observe }: Turn): Promise<void> {
  observe({ kind: 'job_began', errand, job: job.name })
  const began = performance.now()
  const tell = (outcome: JobOutcome, counts: object) =>
    observe({ kind: 'job', errand, job: job.name, outcome, ms: performance.now() - began, counts })
  try {
    const counts = await job.run()
    const outcome = outcomeOf(counts)
    const idle = Object.values(counts).every((count) => count === 0)
    log[idle ? 'debug' : 'info']({ job: job.name, ...counts }, outcome === 'stopped' ? 'job stopped early' : 'job done')
    tell(outcome, counts)
  } catch (error) {
    log.warn({ job: job.name, error: error instanceof Error ? error.message : 'unknown' }, 'job failed')
    tell('failed', {})
  }
}

function outcomeOf(counts: object): JobOutcome {
  if (Object.keys(counts).length === 0) return 'not_due'
  if ('busy' in counts && counts.busy === 1) return 'busy'
  return 'stopped' in counts && counts.stopped === 1 ? 'stopped' : 'done'
}

import { type Log, messageOf } from '../lib/log.ts'
import { type RequestContext, runWithContext } from '../lib/request-context.ts'
import { type EmitEvent, ignoreEvents, type JobOutcome } from '../lib/service-events.ts'

export interface Job {
  name: string
  everyMs: number
  /**
   * Returns counts of what was done. `busy` is 1 if another instance was running the job, `stopped` is 1 if the run ended
   * early. Without any counts the job was not due.
   */
  run(): Promise<object>
  /** Registers a function that starts a run at once, or right after the current one. */
  onWake?(wake: () => void): void
}

/** The longest delay that a timer takes, in ms. A longer one would fire immediately. */
const maxTimerMs = 2_147_483_647

/**
 * Runs the job now and again `everyMs` after each run has ended, never concurrently. A failure is logged, and the next
 * run tries again. Returns a function that stops the job and waits for the current run.
 */
export function repeatJob(job: Job, log: Log, emit: EmitEvent = ignoreEvents): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined
  let stopped = false
  let woken = false
  async function runAndRepeat() {
    const requestContext = { job: job.name }
    woken = false
    await runWithContext(requestContext, () => runOnce(job, { requestContext, log, emit }))
    if (stopped) return
    timer = setTimeout(start, woken ? 0 : Math.min(job.everyMs, maxTimerMs))
    timer.unref()
  }
  function start() {
    timer = undefined
    running = runAndRepeat()
  }
  job.onWake?.(() => {
    woken = true
    if (timer === undefined || stopped) return
    clearTimeout(timer)
    start()
  })
  let running = runAndRepeat()
  return async () => {
    stopped = true
    clearTimeout(timer)
    await running
  }
}

interface Run {
  requestContext: RequestContext
  log: Log
  emit: EmitEvent
}

async function runOnce({ name, run }: Job, { requestContext, log, emit }: Run): Promise<void> {
  emit({ kind: 'job_began', requestContext, job: name })
  const began = performance.now()
  const ended = (outcome: JobOutcome, counts: object) =>
    emit({ kind: 'job', requestContext, job: name, outcome, ms: performance.now() - began, counts })
  try {
    const counts = await run()
    const outcome = outcomeOf(counts)
    const isIdle = Object.values(counts).every((count) => count === 0)
    log[isIdle ? 'debug' : 'info']({ job: name, ...counts }, outcome === 'stopped' ? 'job stopped early' : 'job done')
    ended(outcome, counts)
  } catch (error) {
    log.warn({ job: name, error: messageOf(error) }, 'job failed')
    ended('failed', {})
  }
}

function outcomeOf(counts: object): JobOutcome {
  if (Object.keys(counts).length === 0) return 'not_due'
  if ('busy' in counts && counts.busy === 1) return 'busy'
  return 'stopped' in counts && counts.stopped === 1 ? 'stopped' : 'done'
}

/** How long to wait while another instance runs the job, in ms. That instance may crash. */
const busyRetryMs = 60_000

/**
 * A job that only one instance runs at a time: now and every `everyMs`, or a minute later if another instance was running
 * it (`busy`). `now` is a monotonic clock in ms.
 */
export function onOneInstance(
  { name, everyMs, run }: Omit<Job, 'run'> & { run(): Promise<{ busy: number }> },
  now: () => number = performance.now.bind(performance),
): Job {
  let due = Number.NEGATIVE_INFINITY
  return {
    name,
    everyMs: Math.min(everyMs, busyRetryMs),
    async run() {
      const began = now()
      if (began < due) return {}
      // Set before the run: a run that fails is not repeated every minute.
      due = began + everyMs - busyRetryMs / 2
      const counts = await run()
      if (counts.busy > 0) due = began
      return counts
    },
  }
}

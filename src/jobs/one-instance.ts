import type { Job } from './schedule.ts'

/** How soon to look again where another instance was at it: it may have crashed. */
const againMs = 60_000

/**
 * A job that one instance does at a time: at once and every `everyMs`, and where another one was at it (`busy`), again after
 * a minute. `now` in ms, of a clock that only goes on.
 */
export function onOneInstance(
  { name, everyMs, run }: Omit<Job, 'run'> & { run(): Promise<{ busy: number }> },
  now: () => number = performance.now.bind(performance),
): Job {
  let due = Number.NEGATIVE_INFINITY
  return {
    name,
    everyMs: Math.min(everyMs, againMs),
    async run() {
      const began = now()
      if (began < due) return {}
      // A pass that fails is no reason to ask GitHub every minute.
      due = began + everyMs - againMs / 2
      const counts = await run()
      if (counts.busy > 0) due = began
      return counts
    },
  }
}

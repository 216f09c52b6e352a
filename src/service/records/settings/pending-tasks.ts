import { createCoalescer } from '../../lib/coalesce.ts'

/** Tasks that are running, so that equal ones run once and a stop can wait for all of them. */
export interface PendingTasks<T> {
  /** Joins the running task with this key, or starts one. */
  run(key: string, start: () => Promise<T>): Promise<T>
  /** Later calls of `run` join none of the tasks that run now. */
  invalidate(): void
  /** Waits for this promise too. Its failure is ignored. */
  track(promise: Promise<unknown>): void
  /** Resolves when nothing runs any more. */
  settled(): Promise<void>
}

export function createPendingTasks<T>(): PendingTasks<T> {
  const tracked = new Set<Promise<void>>()
  const tasks = createCoalescer<T>()

  function track(promise: Promise<unknown>) {
    const done = promise.then(
      () => {},
      () => {},
    )
    tracked.add(done)
    void done.then(() => tracked.delete(done))
  }

  return {
    track,
    run: (key, start) =>
      tasks.run(key, () => {
        const task = start()
        track(task)
        return task
      }),
    invalidate: () => tasks.invalidate(),
    async settled() {
      while (tracked.size > 0) await Promise.all(tracked)
    },
  }
}

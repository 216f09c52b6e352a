export interface ConcurrencyLimit {
  /**
   * Runs `work` as soon as fewer than `atOnce` run. Throws `tooLong()` when its turn has not come within `waitMs`, or
   * at once when `waiting` others wait already; otherwise what `work` gives.
   */
  run<T>(work: () => Promise<T>): Promise<T>
}

/** Lets so many run at once, the others in the order in which they came. */
export function createConcurrencyLimit(options: {
  atOnce: number
  waiting: number
  waitMs: number
  tooLong: () => Error
}): ConcurrencyLimit {
  const waiting = new Set<() => void>()
  let running = 0

  function enter(): Promise<void> {
    if (running < options.atOnce) {
      running++
      return Promise.resolve()
    }
    if (waiting.size >= options.waiting) return Promise.reject(options.tooLong())
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(go)
        reject(options.tooLong())
      }, options.waitMs)
      function go(): void {
        clearTimeout(timer)
        resolve()
      }
      waiting.add(go)
    })
  }

  // The place goes straight to the next in the queue, so that a newcomer can't slip in between.
  function leave(): void {
    const [next] = waiting
    if (next === undefined) {
      running--
      return
    }
    waiting.delete(next)
    next()
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
  }
}

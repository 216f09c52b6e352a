/** Promises that nobody waits for, until the service stops. */
export interface Background {
  follow(promise: Promise<unknown>): void
  /** Resolves once nothing is under way. */
  settled(): Promise<void>
}

export function createBackground(): Background {
  const underWay = new Set<Promise<void>>()
  return {
    follow(promise) {
      const done = promise.then(
        () => {},
        () => {},
      )
      underWay.add(done)
      void done.then(() => underWay.delete(done))
    },
    async settled() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

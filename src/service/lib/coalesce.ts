/** A request that has not ended yet. */
export interface PendingRequest<Caller = void> {
  /** All callers that wait for it. */
  readonly callers: ReadonlySet<Caller>
  /** False after `invalidate`. The result may then be outdated: its callers get it, but it must not be cached. */
  readonly isCurrent: boolean
}

export interface Coalescer<T, Caller = void> {
  /** Joins the pending request with this key, or starts one. A caller that disconnects does not cancel it. */
  run(key: string, start: (pending: PendingRequest<Caller>) => Promise<T>, caller: Caller): Promise<T>
  /** Later calls of `run` join none of the requests that are pending now, or none of those whose key matches. */
  invalidate(matches?: (key: string) => boolean): void
}

/** Runs equal requests once (docs/rules.md#permission-cache). */
export function createCoalescer<T, Caller = void>(): Coalescer<T, Caller> {
  const running = new Map<string, { callers: Set<Caller>; isCurrent: boolean; result: Promise<T> }>()

  return {
    run(key, start, caller) {
      const joined = running.get(key)
      if (joined) {
        joined.callers.add(caller)
        return joined.result
      }
      const pending = { callers: new Set([caller]), isCurrent: true }
      const result = start(pending).finally(() => {
        if (pending.isCurrent) running.delete(key)
      })
      running.set(key, Object.assign(pending, { result }))
      return result
    },
    invalidate(matches = () => true) {
      for (const [key, pending] of running) {
        if (!matches(key)) continue
        pending.isCurrent = false
        running.delete(key)
      }
    },
  }
}

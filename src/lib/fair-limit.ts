import { createCounts } from './counts.ts'

/** Work is grouped by key, and the places are shared fairly among the keys. */
export type LimitKey = string | bigint

export interface FairLimitOptions {
  /** How much work runs concurrently. */
  places: number
  /** How many more may wait. */
  waiters: number
  /** How long each may wait, in milliseconds, unless `acquire` says otherwise. */
  waitMs: number
  /** How long each may wait at least while another key holds half of the places, in milliseconds. */
  waitBehindOtherMs?: number
  /** Makes the error of a waiter that gets no place. */
  refusal: () => Error
  /** Places that only one key may take. It may take the others too. */
  reserved?: { key: LimitKey; places: number }
}

export interface WaitOptions {
  waitMs?: number
  /** Ends the wait with its reason. */
  signal?: AbortSignal | undefined
}

/** Gives the place back. Calling it again does nothing. */
export type Release = () => void

export interface FairLimit {
  /** Takes a place that is free now. */
  tryAcquire(key: LimitKey): Release | undefined
  acquire(key: LimitKey, options?: WaitOptions): Promise<Release>
  /** Runs the work in a place. */
  run<T>(key: LimitKey, work: () => Promise<T>, options?: WaitOptions): Promise<T>
  /** How many places are taken. */
  taken(): number
  /** How many wait. */
  waiting(): number
}

interface Waiter {
  key: LimitKey
  deadline: number
  grant: (release: Release) => void
  refuse: (reason: unknown) => void
}

/**
 * A concurrency limit that no key can exhaust. A key may use all places while no other key waits. While others wait, it gets
 * no new place once it holds half of them, and the others may wait longer. Otherwise the waiter with the nearest deadline is
 * next. If too many wait, the last waiter of the key with the most waiters is refused.
 */
export function createFairLimit(options: FairLimitOptions): FairLimit {
  const { places, reserved } = options
  const held = createCounts<LimitKey>()
  const waitingOf = createCounts<LimitKey>()
  /** Sorted by deadline. */
  const waiters: Waiter[] = []

  function mayTake(key: LimitKey): boolean {
    const free = places - held.total()
    if (reserved === undefined || key === reserved.key) return free > 0
    return free > Math.max(0, reserved.places - held.of(reserved.key))
  }

  const holdsHalf = (key: LimitKey) => held.of(key) > 0 && held.of(key) * 2 >= places

  const isBehindOther = (key: LimitKey) => held.keys().some((other) => other !== key && holdsHalf(other))

  /** Prefers keys below half of the places. If there is none, only one key waits: two with half each leave no free place. */
  function nextWaiter(): Waiter | undefined {
    if (held.total() >= places) return undefined
    return waiters.find(({ key }) => mayTake(key) && !holdsHalf(key)) ?? waiters.find(({ key }) => mayTake(key))
  }

  function enqueue(waiter: Waiter): void {
    const before = waiters.findLastIndex(({ deadline }) => deadline <= waiter.deadline)
    waiters.splice(before + 1, 0, waiter)
    waitingOf.add(waiter.key)
  }

  /** Whether it was still waiting. */
  function remove(waiter: Waiter): boolean {
    const at = waiters.indexOf(waiter)
    if (at === -1) return false
    waiters.splice(at, 1)
    waitingOf.subtract(waiter.key)
    return true
  }

  function grantPlaces(): void {
    for (let next = nextWaiter(); next !== undefined; next = nextWaiter()) {
      remove(next)
      next.grant(hold(next.key))
    }
  }

  function hold(key: LimitKey): Release {
    held.add(key)
    let released = false
    return () => {
      if (released) return
      released = true
      held.subtract(key)
      grantPlaces()
    }
  }

  /** Too many wait, and no other key has more waiters. */
  function isFullFor(key: LimitKey): boolean {
    if (waiters.length < options.waiters || mayTake(key)) return false
    return waitingOf.of(waitingOf.largest(key)) <= waitingOf.of(key) + 1
  }

  /** Refuses the last waiter of the key with the most waiters. */
  function makeRoom(): void {
    const [first] = waiters
    const key = first && waitingOf.largest(first.key)
    const victim = waiters.findLast((waiter) => waiter.key === key)
    if (victim && remove(victim)) victim.refuse(options.refusal())
  }

  function wait(key: LimitKey, { waitMs = options.waitMs, signal }: WaitOptions): Promise<Release> {
    return new Promise((resolve, reject) => {
      const waiter: Waiter = {
        key,
        deadline: performance.now() + waitMs,
        grant(release) {
          stopWatching()
          resolve(release)
        },
        refuse(reason) {
          stopWatching()
          reject(reason)
        },
      }
      const giveUp = () => {
        if (remove(waiter)) waiter.refuse(options.refusal())
      }
      const extraMs = (options.waitBehindOtherMs ?? 0) - waitMs
      let timer = setTimeout(() => {
        if (extraMs <= 0 || !isBehindOther(key)) giveUp()
        else timer = setTimeout(giveUp, extraMs)
      }, waitMs)
      const abandon = () => {
        if (remove(waiter)) waiter.refuse(signal?.reason)
      }
      signal?.addEventListener('abort', abandon)
      function stopWatching(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abandon)
      }
      if (waiters.length >= options.waiters) makeRoom()
      enqueue(waiter)
    })
  }

  // No waiter can take a place that is free now: it would already have been granted.
  const tryAcquire = (key: LimitKey) => (mayTake(key) ? hold(key) : undefined)

  async function acquire(key: LimitKey, waitOptions: WaitOptions = {}): Promise<Release> {
    waitOptions.signal?.throwIfAborted()
    const release = tryAcquire(key)
    if (release) return release
    if (isFullFor(key)) throw options.refusal()
    return await wait(key, waitOptions)
  }

  return {
    tryAcquire,
    acquire,
    async run(key, work, waitOptions) {
      const release = await acquire(key, waitOptions)
      try {
        return await work()
      } finally {
        release()
      }
    },
    taken: held.total,
    waiting: () => waiters.length,
  }
}

import { createCounts } from './counts.ts'

/** Work is grouped by key, and the slots are shared fairly among the keys. */
export type LimitKey = string | bigint

export interface FairLimitOptions {
  /** How much work runs concurrently. */
  slots: number
  /** How many more may wait. */
  waiting: number
  /** How long each may wait, in milliseconds, unless `acquire` says otherwise. */
  waitMs: number
  /** How long each may wait at least while another key holds half of the slots, in milliseconds. */
  waitBehindOtherMs?: number
  /** Makes the error of one that gets no slot. */
  refusal: () => Error
  /** Slots that only one key may take. It may take the others too. */
  reserved?: { key: LimitKey; slots: number }
}

export interface WaitOptions {
  waitMs?: number
  /** Ends the wait with its reason. */
  signal?: AbortSignal | undefined
}

/** Gives the slot back. Calling it again does nothing. */
export type Release = () => void

export interface FairLimit {
  /** Takes a slot that is free now. */
  tryAcquire(key: LimitKey): Release | undefined
  acquire(key: LimitKey, options?: WaitOptions): Promise<Release>
  /** Runs the work in a slot. */
  run<T>(key: LimitKey, work: () => Promise<T>, options?: WaitOptions): Promise<T>
  /** How many slots are taken. */
  taken(): number
  /** How many wait. */
  waiting(): number
}

interface Queued {
  key: LimitKey
  deadline: number
  grant: (release: Release) => void
  refuse: (reason: unknown) => void
}

/**
 * A concurrency limit that no key can exhaust. A key may use all slots while no other key waits. While others wait, it gets
 * no new slot once it holds half of them, and the others may wait longer. Otherwise the one with the nearest deadline is next.
 * If too many wait, the last one of the key with the most in the queue is refused.
 */
export function createFairLimit(options: FairLimitOptions): FairLimit {
  const { slots, reserved } = options
  const held = createCounts<LimitKey>()
  const waitingOf = createCounts<LimitKey>()
  /** Sorted by deadline. */
  const queue: Queued[] = []

  function mayTake(key: LimitKey): boolean {
    const free = slots - held.total()
    if (reserved === undefined || key === reserved.key) return free > 0
    return free > Math.max(0, reserved.slots - held.of(reserved.key))
  }

  const holdsHalf = (key: LimitKey) => held.of(key) > 0 && held.of(key) * 2 >= slots

  const isBehindOther = (key: LimitKey) => held.keys().some((other) => other !== key && holdsHalf(other))

  /** Prefers keys below half of the slots. If there is none, only one key waits: two with half each leave no free slot. */
  function nextInQueue(): Queued | undefined {
    if (held.total() >= slots) return undefined
    return queue.find(({ key }) => mayTake(key) && !holdsHalf(key)) ?? queue.find(({ key }) => mayTake(key))
  }

  function enqueue(queued: Queued): void {
    const before = queue.findLastIndex(({ deadline }) => deadline <= queued.deadline)
    queue.splice(before + 1, 0, queued)
    waitingOf.add(queued.key)
  }

  /** Whether it was still waiting. */
  function remove(queued: Queued): boolean {
    const at = queue.indexOf(queued)
    if (at === -1) return false
    queue.splice(at, 1)
    waitingOf.subtract(queued.key)
    return true
  }

  function grantSlots(): void {
    for (let next = nextInQueue(); next !== undefined; next = nextInQueue()) {
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
      grantSlots()
    }
  }

  /** Too many wait, and no other key has more in the queue. */
  function isFullFor(key: LimitKey): boolean {
    if (queue.length < options.waiting || mayTake(key)) return false
    return waitingOf.of(waitingOf.largest(key)) <= waitingOf.of(key) + 1
  }

  /** Refuses the last one of the key with the most in the queue. */
  function makeRoom(): void {
    const [first] = queue
    const key = first && waitingOf.largest(first.key)
    const victim = queue.findLast((queued) => queued.key === key)
    if (victim && remove(victim)) victim.refuse(options.refusal())
  }

  function wait(key: LimitKey, { waitMs = options.waitMs, signal }: WaitOptions): Promise<Release> {
    return new Promise((resolve, reject) => {
      const queued: Queued = {
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
        if (remove(queued)) queued.refuse(options.refusal())
      }
      const extraMs = (options.waitBehindOtherMs ?? 0) - waitMs
      let timer = setTimeout(() => {
        if (extraMs <= 0 || !isBehindOther(key)) giveUp()
        else timer = setTimeout(giveUp, extraMs)
      }, waitMs)
      const abandon = () => {
        if (remove(queued)) queued.refuse(signal?.reason)
      }
      signal?.addEventListener('abort', abandon)
      function stopWatching(): void {
        clearTimeout(timer)
        signal?.removeEventListener('abort', abandon)
      }
      if (queue.length >= options.waiting) makeRoom()
      enqueue(queued)
    })
  }

  // Nothing in the queue can take a slot that is free now: it would already have been granted.
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
    waiting: () => queue.length,
  }
}

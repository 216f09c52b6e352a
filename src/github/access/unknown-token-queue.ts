import type { AppError } from '../../errors.ts'

export interface UnknownTokenQueue {
  /** Waits for the next turn of the address. The caller gives it back. Throws the refusal if the queue is full or too slow. */
  turn(address: string): Promise<() => void>
  /** Whether one more request from the address would be refused. */
  isFull(address: string): boolean
}

interface Waiter {
  begin(): void
}

interface AddressQueue {
  waiting: Waiter[]
  /** A turn is given out. */
  isBusy: boolean
  /** The last turn began less than `everyMs` ago. */
  isPausing: boolean
}

/**
 * Lets the requests of an address go one after another, and not more often than every `everyMs`. At most `waiters` wait for
 * at most `waitMs` each (docs/rules.md#rejected-tokens). All times are in ms.
 */
export function createUnknownTokenQueue(options: {
  everyMs: number
  waiters: number
  waitMs: number
  refusal: (address: string) => AppError
}): UnknownTokenQueue {
  const { everyMs, waiters, waitMs, refusal } = options
  const queues = new Map<string, AddressQueue>()

  function proceed(address: string, queue: AddressQueue): void {
    if (queue.isBusy || queue.isPausing) return
    const next = queue.waiting.shift()
    if (!next) {
      queues.delete(address)
      return
    }
    queue.isBusy = true
    queue.isPausing = true
    setTimeout(() => {
      queue.isPausing = false
      proceed(address, queue)
    }, everyMs).unref()
    next.begin()
  }

  function queueOf(address: string): AddressQueue {
    const queue = queues.get(address) ?? { waiting: [], isBusy: false, isPausing: false }
    queues.set(address, queue)
    return queue
  }

  const isIdle = (queue: AddressQueue | undefined) => queue === undefined || !(queue.isBusy || queue.isPausing)

  function isFull(address: string): boolean {
    const queue = queues.get(address)
    return !isIdle(queue) && (queue?.waiting.length ?? 0) >= waiters
  }

  return {
    isFull,
    async turn(address) {
      if (isFull(address)) throw refusal(address)
      const queue = queueOf(address)
      await new Promise<void>((resolve, reject) => {
        const late = setTimeout(() => {
          queue.waiting.splice(queue.waiting.indexOf(waiter), 1)
          reject(refusal(address))
        }, waitMs).unref()
        const waiter = {
          begin() {
            clearTimeout(late)
            resolve()
          },
        }
        queue.waiting.push(waiter)
        proceed(address, queue)
      })
      return () => {
        queue.isBusy = false
        proceed(address, queue)
      }
    },
  }
}

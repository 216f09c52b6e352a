import { AppError } from '../../errors.ts'

export interface GithubWaiterBounds {
  /** How many requests wait for GitHub at once. */
  perInstance: number
  /** How many of them have the same token. */
  perToken: number
}

export interface GithubWaiter {
  /** A hash of the caller's token. */
  tokenKey: string
  /** Aborted when the client goes away. */
  signal: AbortSignal
}

export interface GithubWaiters {
  /**
   * Waits for an answer of GitHub. When the client goes away the wait ends, and others may still wait for the same answer.
   * Throws `rate_limited` or `unavailable` beyond the bounds, without asking.
   */
  wait<T>(waiter: GithubWaiter, ask: () => Promise<T>): Promise<T>
}

/** How soon to come back, in seconds: GitHub has 5 s to answer. */
const retryAfterSeconds = 5

/** Bounds how many requests wait for GitHub. `refusal` makes the error of one too many. */
export function createGithubWaiters(bounds: GithubWaiterBounds, refusal: () => AppError): GithubWaiters {
  const ofToken = new Map<string, number>()
  let waiting = 0

  function enter({ tokenKey }: GithubWaiter): () => void {
    const before = ofToken.get(tokenKey) ?? 0
    if (before >= bounds.perToken) {
      throw new AppError('rate_limited', `${bounds.perToken} requests with this token wait for GitHub already.`, {
        retryAfterSeconds,
      })
    }
    if (waiting >= bounds.perInstance) throw refusal()
    ofToken.set(tokenKey, before + 1)
    waiting++
    return () => {
      const left = (ofToken.get(tokenKey) ?? 1) - 1
      if (left > 0) ofToken.set(tokenKey, left)
      else ofToken.delete(tokenKey)
      waiting--
    }
  }

  return {
    async wait(waiter, ask) {
      waiter.signal.throwIfAborted()
      const leave = enter(waiter)
      try {
        return await unlessAborted(ask(), waiter.signal)
      } finally {
        leave()
      }
    },
  }
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abandon = () => reject(signal.reason)
    signal.addEventListener('abort', abandon)
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abandon))
  })
}

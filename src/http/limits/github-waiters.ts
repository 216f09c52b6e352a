import { AppError } from '../../errors.ts'

export interface GithubWaiterBounds {
  /** How many requests may wait for GitHub. */
  perInstance: number
  /** How many of them may have the same token. */
  perToken: number
}

export interface GithubWaiter {
  /** A hash of the caller's token. */
  tokenKey: string
  /** Aborts when the client disconnects. */
  signal: AbortSignal
}

export interface GithubWaiters {
  /**
   * Sends the request and waits for the response. The wait ends when the client disconnects; others may still wait for the
   * same response. Throws `rate_limited` or `unavailable` beyond the bounds, without sending.
   */
  wait<T>(waiter: GithubWaiter, send: () => Promise<T>): Promise<T>
}

/** In seconds. GitHub has 5 s to respond. */
const retryAfterSeconds = 5

/** Bounds how many requests wait for GitHub. `refusal` makes the error beyond `perInstance`. */
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
    async wait(waiter, send) {
      waiter.signal.throwIfAborted()
      const leave = enter(waiter)
      try {
        return await unlessAborted(send(), waiter.signal)
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

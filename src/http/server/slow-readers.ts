import type { Response } from 'express'

/** A complete response that its client has not read yet. */
interface Pending {
  /** In milliseconds. */
  since: number
  bytes: number
}

export interface SlowReaders {
  /** Counts a complete response until its client has read it. */
  watch(response: Response): void
}

export interface SlowReaderLimits {
  /** Of all pending responses together. */
  bytes: number
  /** How long a response may be pending in any case, in milliseconds. */
  patienceMs: number
}

export const slowReaderLimits: SlowReaderLimits = { bytes: 64 * 1024 * 1024, patienceMs: 1_000 }

/**
 * Bounds the memory of responses that clients read slowly: beyond `bytes`, the connections of the oldest ones are closed.
 * `now` in milliseconds.
 */
export function trackSlowReaders(options: SlowReaderLimits & { now: () => number }): SlowReaders {
  const pending = new Map<Response, Pending>()
  let total = 0

  function forget(response: Response): void {
    total -= pending.get(response)?.bytes ?? 0
    pending.delete(response)
  }

  function makeRoom(): void {
    const cutoff = options.now() - options.patienceMs
    for (const [response, { since }] of pending) {
      if (total <= options.bytes || since > cutoff) return
      forget(response)
      response.req.socket.destroy()
    }
  }

  return {
    watch(response) {
      if (response.closed || response.writableLength === 0) return
      const bytes = response.writableLength
      pending.set(response, { since: options.now(), bytes })
      total += bytes
      response.once('close', () => forget(response))
      makeRoom()
    },
  }
}

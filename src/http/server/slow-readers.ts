import type { Response } from 'express'

interface Unread {
  since: number
  bytes: number
}

export interface SlowReaders {
  /** The answer is ready, and lies in our memory until its client has read it. */
  watch(response: Response): void
}

export interface SlowReaderLimits {
  /** Of all answers together. */
  bytes: number
  /** For how long an answer may lie here in any case, in milliseconds. */
  patienceMs: number
}

export const slowReaderLimits: SlowReaderLimits = { bytes: 64 * 1024 * 1024, patienceMs: 1_000 }

/**
 * Bounds the memory of answers that lie here because their clients read slowly: beyond so many bytes, those go first that
 * have lain longest. `now` in ms.
 */
export function trackSlowReaders(options: SlowReaderLimits & { now: () => number }): SlowReaders {
  const unread = new Map<Response, Unread>()
  let total = 0

  function forget(response: Response): void {
    total -= unread.get(response)?.bytes ?? 0
    unread.delete(response)
  }

  function makeRoom(): void {
    const limit = options.now() - options.patienceMs
    for (const [response, { since }] of unread) {
      if (total <= options.bytes || since > limit) return
      forget(response)
      response.req.socket.destroy()
    }
  }

  return {
    watch(response) {
      if (response.closed || response.writableLength === 0) return
      const bytes = response.writableLength
      unread.set(response, { since: options.now(), bytes })
      total += bytes
      response.once('close', () => forget(response))
      makeRoom()
    },
  }
}

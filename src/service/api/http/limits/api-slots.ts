import type { Request, Response } from 'express'
import { AppError } from '../../../../core/errors.ts'
import { createTokenHash } from '../../../github/hash-token.ts'
import type { LimitKey, Release } from '../../../lib/fair-limit.ts'
import type { RequestSlot } from '../../operations/define.ts'
import { createRequestSlots, type SlotBounds, type SlotDeps } from './request-slots.ts'

export interface RequestBounds extends SlotBounds {
  /** The memory of all requests that wait for GitHub, and of all bodies that wait, in bytes. */
  waitingBytes: number
}

/** What a request without a body takes in memory while it waits, in bytes (measured: 96 MB for 4,096). */
const bytesOfRequest = 24_576

/** For the API and MCP. 128 requests are about 100 ms of work for one core. A waiting request costs little. */
export const requestBounds: RequestBounds = {
  atOnce: 128,
  waiting: 1_024,
  waitMs: 500,
  longWaitMs: 5_000,
  slowBodyMs: 2_000,
  waitingBytes: 4_096 * bytesOfRequest,
}

export type SlotOf = (request: Request, response: Response, token: string) => RequestSlot

/** Bounds how many requests are served, how many wait, and the memory of those that wait. */
export function createApiSlots(bounds: RequestBounds, deps: SlotDeps): SlotOf {
  const slots = createRequestSlots(bounds, deps)
  const hash = createTokenHash()
  let waitingBytes = 0

  /** Counts so many bytes, if any, while `wait` runs. Throws `unavailable` without it if too many wait. */
  async function whileWaiting<T>(bytes: number, wait: () => Promise<T>): Promise<T> {
    if (bytes > 0 && waitingBytes + bytes > bounds.waitingBytes) throw slots.refusal()
    waitingBytes += bytes
    try {
      return await wait()
    } finally {
      waitingBytes -= bytes
    }
  }

  return (request, response, token) => {
    let waitMs = bounds.waitMs
    let slot: { key: LimitKey; release: Release } | undefined
    let watched: AbortSignal | undefined
    const signal = () => {
      watched ??= clientSignal(response)
      return watched
    }

    const waitForSlot = (key: LimitKey) =>
      whileWaiting(sizeOfBody(request), () => slots.acquire(key, request, { waitMs, signal: signal() }))

    function giveSlotBack(): void {
      slot?.release()
      slot = undefined
    }

    return {
      async waitForGithub(send) {
        const key = slot?.key
        giveSlotBack()
        waitMs = bounds.longWaitMs
        const result = await whileWaiting(bytesOfRequest + sizeOfBody(request), () => unlessAborted(send, signal()))
        if (key !== undefined) slot = { key, release: await waitForSlot(key) }
        return result
      },
      async run(repositoryId, work) {
        const key = repositoryId ?? hash(token)
        slot = { key, release: slots.tryAcquire(key, request) ?? (await waitForSlot(key)) }
        try {
          return await work()
        } finally {
          giveSlotBack()
        }
      },
    }
  }
}

/** Aborts when the client closes its connection before the response is sent. */
export function clientSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  const abort = () => controller.abort(new AppError('malformed_request', 'The client closed its connection.'))
  if (response.closed) abort()
  else response.once('close', () => response.writableFinished || abort())
  return controller.signal
}

/** In bytes; 0 until the body has been read. */
function sizeOfBody(request: Request): number {
  const body: unknown = request.body
  return Buffer.isBuffer(body) ? body.length : 0
}

/** Ends the wait when the signal aborts. Others may still wait for the same result. */
function unlessAborted<T>(send: () => Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const abandon = () => reject(signal.reason)
    signal.addEventListener('abort', abandon)
    send()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', abandon))
  })
}

import type { Request, Response } from 'express'
import { AppError } from '../../errors.ts'
import { createTokenHash } from '../../github/hash-token.ts'
import type { LimitKey, Release } from '../../lib/fair-limit.ts'
import type { RequestTurn } from '../../operations/define.ts'
import { createGithubWaiters, type GithubWaiterBounds } from './github-waiters.ts'
import { createRequestSlots, type RequestSlots, type SlotBounds, type SlotDeps } from './request-slots.ts'

export interface RequestBounds extends SlotBounds {
  githubWaiters: GithubWaiterBounds
  /** The memory of the bodies of all waiting requests, in bytes. Most requests wait before their body is read. */
  waitingBodyBytes: number
}

/** For the API and MCP. 128 requests are about 100 ms of work for one core. A waiting request costs little. */
export const requestBounds: RequestBounds = {
  atOnce: 128,
  waiting: 1_024,
  waitMs: 500,
  longWaitMs: 5_000,
  slowBodyMs: 2_000,
  githubWaiters: { perInstance: 4_000, perToken: 1_000 },
  waitingBodyBytes: 16 * 1024 * 1024,
}

export type TurnOf = (request: Request, response: Response, token: string) => RequestTurn

export interface RequestTurns {
  turnOf: TurnOf
  isFull: RequestSlots['isFull']
  /** The refusal of a request that could not even wait for a slot of the repository, or of the token. */
  earlyRefusal(repositoryId: bigint | undefined, token: string): AppError | undefined
}

/** Bounds how many requests wait and how many are served. */
export function createTurns(bounds: RequestBounds, deps: SlotDeps): RequestTurns {
  const slots = createRequestSlots(bounds, deps)
  const waiters = createGithubWaiters(bounds.githubWaiters, slots.refusal)
  const hash = createTokenHash()
  let waitingBytes = 0

  /** Counts the body as waiting while `wait` runs. `hasMemory` is false if it does not fit; then it is not counted. */
  async function withBody<T>(request: Request, wait: (hasMemory: boolean) => Promise<T>): Promise<T> {
    const bytes = sizeOfBody(request)
    const hasMemory = bytes === 0 || waitingBytes + bytes <= bounds.waitingBodyBytes
    if (!hasMemory) return await wait(false)
    waitingBytes += bytes
    try {
      return await wait(true)
    } finally {
      waitingBytes -= bytes
    }
  }

  const turnOf: TurnOf = (request, response, token) => {
    let waitMs = bounds.waitMs
    let slot: { key: LimitKey; release: Release } | undefined
    let watched: AbortSignal | undefined
    const signal = () => {
      watched ??= clientSignal(response)
      return watched
    }

    /** Without memory for its body, the request does not wait. */
    const waitForSlot = (key: LimitKey) =>
      withBody(request, (hasMemory) =>
        slots.acquire(key, request, { waitMs: hasMemory ? waitMs : 0, signal: signal() }),
      )

    function giveSlotBack(): void {
      slot?.release()
      slot = undefined
    }

    return {
      async waitForGithub(send) {
        const key = slot?.key
        giveSlotBack()
        waitMs = bounds.longWaitMs
        const result = await withBody(request, (hasMemory) => {
          if (!hasMemory) throw slots.refusal()
          return waiters.wait({ tokenKey: hash(token), signal: signal() }, send)
        })
        if (key !== undefined) slot = { key, release: await waitForSlot(key) }
        return result
      },
      async inSlot(repositoryId, work) {
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

  return {
    turnOf,
    isFull: slots.isFull,
    earlyRefusal: (repositoryId, token) => slots.earlyRefusal(repositoryId ?? hash(token)),
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

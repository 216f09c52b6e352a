import type { Request, Response } from 'express'
import type { WaitForGithub } from '../../context.ts'
import { AppError } from '../../errors.ts'
import type { Release } from '../../lib/fair-limit.ts'
import { createGithubWaiters, type GithubWaiterBounds } from './github-waiters.ts'
import { createTokenHash } from './hash-token.ts'
import { createRequestSlots, type SlotBounds, type SlotDeps } from './request-slots.ts'

export interface RequestBounds extends SlotBounds {
  githubWaiters: GithubWaiterBounds
  /** How much the bodies of waiting requests take together, in bytes. Most requests wait before their body is read. */
  waitingBodyBytes: number
}

/** For the API and MCP. Some 100 ms of work for one core are served at once. Those who wait cost little. */
export const requestBounds: RequestBounds = {
  atOnce: 128,
  waiting: 1_024,
  waitMs: 500,
  longWaitMs: 5_000,
  slowBodyMs: 2_000,
  githubWaiters: { perInstance: 4_000, perToken: 1_000 },
  waitingBodyBytes: 16 * 1024 * 1024,
}

/** How one request waits, for GitHub and for a slot. */
export interface RequestTurn {
  /** Waits without a slot: a slot that the request holds is given back first, and waited for again afterwards. */
  waitForGithub: WaitForGithub
  /**
   * Does the work in a slot from the share of the repository; while that is not known, from a share of the token. Throws
   * `unavailable` where none gets free in time.
   */
  inSlot<T>(repositoryId: bigint | undefined, work: () => Promise<T>): Promise<T>
}

export type TurnOf = (request: Request, response: Response, token: string) => RequestTurn

/** Bounds what requests take of the service while they wait and while they are served. */
export function createTurns(bounds: RequestBounds, deps: SlotDeps): TurnOf {
  const slots = createRequestSlots(bounds, deps)
  const waiters = createGithubWaiters(bounds.githubWaiters, slots.refusal)
  const hash = createTokenHash()
  let waitingBytes = 0

  /** Runs `wait` while the body counts as waiting. `room` says whether there was memory for it. */
  async function withBody<T>(request: Request, wait: (room: boolean) => Promise<T>): Promise<T> {
    const bytes = sizeOfBody(request)
    const room = bytes === 0 || waitingBytes + bytes <= bounds.waitingBodyBytes
    if (!room) return await wait(false)
    waitingBytes += bytes
    try {
      return await wait(true)
    } finally {
      waitingBytes -= bytes
    }
  }

  return (request, response, token) => {
    const signal = clientSignal(response)
    let waitMs = bounds.waitMs
    let held: { key: bigint | string; release: Release } | undefined

    async function take(key: bigint | string): Promise<void> {
      // Without memory for its body it takes a slot that is free now, or none.
      const acquire = (room: boolean) => slots.acquire(key, request, { waitMs: room ? waitMs : 0, signal })
      held = { key, release: await withBody(request, acquire) }
    }

    function giveBack(): void {
      held?.release()
      held = undefined
    }

    return {
      async waitForGithub(ask) {
        const key = held?.key
        giveBack()
        waitMs = bounds.longWaitMs
        const answer = await withBody(request, (room) => {
          if (!room) throw slots.refusal()
          return waiters.wait({ tokenKey: hash(token), signal }, ask)
        })
        if (key !== undefined) await take(key)
        return answer
      },
      async inSlot(repositoryId, work) {
        await take(repositoryId ?? hash(token))
        try {
          return await work()
        } finally {
          giveBack()
        }
      },
    }
  }
}

/** Aborted when the client closes its connection before it is answered. */
export function clientSignal(response: Response): AbortSignal {
  const controller = new AbortController()
  const leave = () => controller.abort(new AppError('malformed_request', 'The client closed its connection.'))
  if (response.closed) leave()
  else response.once('close', () => response.writableFinished || leave())
  return controller.signal
}

/** Zero until it is read. */
function sizeOfBody(request: Request): number {
  const body: unknown = request.body
  return Buffer.isBuffer(body) ? body.length : 0
}

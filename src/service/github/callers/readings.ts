import { setTimeout as sleep } from 'node:timers/promises'
import { LRUCache } from 'lru-cache'
import type { Database } from '../../db/database.ts'
import { withLease } from '../../db/lease.ts'
import { type Log, messageOf } from '../../lib/log.ts'
import { runWithContext } from '../../lib/request-context.ts'
import { withTimeLimit } from '../../lib/with-time-limit.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { UnusableResponse } from '../pulls/read-response.ts'
import { refreshAttributes } from '../pulls/refresh-attributes.ts'
import type { RateLimits } from '../rate-limits.ts'
import { type BoundedSenderDeps, boundedSender } from './bounded-sender.ts'
import { findObservation, type Observation } from './observation.sql.ts'
import { isFailure, readOpenPulls } from './read-open-pulls.ts'
import { ReadingCut } from './reading-cut.ts'

/** How old a reading is before the next one is due, in ms. */
const dueMs = 60_000
/** How long after the last attempt the next one may begin, in ms. */
const attemptMs = 10_000
/** How long the lease lasts, in ms: longer than the token is used. */
const leaseMs = 30_000
/** How long a token that GitHub refuses, or one without calls left, starts no reading, in ms. */
const refusedMs = 600_000
const withoutCallsMs = 60_000
/** How often to check whether another instance has read the repository, in ms. */
const lookMs = 200

export interface ReadingCaller {
  token: string
  repository: Repository
  settings: Settings
  /** Whether the caller names files: then a reading continues at once where files are left to be read. */
  namesFiles: boolean
  /** How long the token may still be used, in ms. */
  tokenMs: number
}

export interface CallerReadings {
  /** Reads the repository if that is due, or joins the reading that runs. Undefined if none is due. Never rejects. */
  read(caller: ReadingCaller, observation: Observation): Promise<void> | undefined
  /** Resolves once no reading runs. */
  idle(): Promise<void>
  /** Ends the readings. No other begins. */
  stop(): Promise<void>
}

export interface ReadingDeps extends BoundedSenderDeps {
  db: Database
  rateLimits: RateLimits
  /** GitHub's web address. */
  serverUrl: string
  /** How many tokens are remembered. */
  tokens: number
  log: Log
  now(): Date
}

/** Reads repositories with the tokens of their callers (docs/rules.md#reading-without-the-app). */
export function createCallerReadings(deps: ReadingDeps): CallerReadings {
  const { db, rateLimits, keyOf, log, now } = deps
  const running = new Map<bigint, Promise<void>>()
  const stopping = new AbortController()
  /** When the last attempt of this instance began, in ms since 1970. */
  const attempts = new LRUCache<bigint, number>({ max: 10_000 })
  /** Until when a token starts no reading, in ms since 1970. */
  const resting = new LRUCache<string, number>({ max: deps.tokens })

  const isOver = (since: number, ms: number) => now().getTime() - since >= ms

  /** What is due: a whole reading, the files that are left, or nothing. */
  function dueOf({ namesFiles, token }: ReadingCaller, observation: Observation): 'all' | 'files' | null {
    const key = keyOf(token)
    const rests = (resting.get(key) ?? 0) > now().getTime() || rateLimits.pausedUntil(key) !== null
    if (rests || observation.byApp) return null
    const last = Math.max(Number(observation.completedAt ?? 0), Number(observation.failedAt ?? 0))
    if (isOver(last, dueMs)) return 'all'
    return namesFiles && observation.readable > 0 ? 'files' : null
  }

  /** One reading at a time over all instances. */
  async function readOnce(caller: ReadingCaller, signal: AbortSignal): Promise<void> {
    const { repository } = caller
    const done = await withLease(db, { name: `read:${repository.id}`, holdMs: leaseMs }, async () => {
      // Another instance may just have read it.
      const observation = await findObservation(db, repository.id, now())
      const due = dueOf(caller, observation)
      if (due !== null) await readNow(deps, caller, { observation, due, signal })
      return true
    })
    if (done === undefined) await otherInstance(repository.id, signal)
  }

  /** Waits while another instance reads the repository for the first time. */
  async function otherInstance(repositoryId: bigint, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { completedAt, failedAt } = await findObservation(db, repositoryId, now())
      if (completedAt !== null || failedAt !== null) return
      await sleep(lookMs, undefined, { ref: false })
    }
  }

  async function attempt(caller: ReadingCaller): Promise<void> {
    const { repository, token, tokenMs } = caller
    const limit = { ms: tokenMs, reason: 'the time of the token is over', outer: stopping.signal }
    try {
      await withTimeLimit(limit, (signal) => readOnce(caller, signal))
    } catch (error) {
      const restMs = restAfter(error)
      if (restMs !== null) resting.set(keyOf(token), now().getTime() + restMs)
      const fields = {
        repository_id: String(repository.id),
        reason: messageOf(error),
      }
      log[restMs === null ? 'warn' : 'debug'](fields, 'open pull requests were not read with the token of a caller')
    }
  }

  async function idle(): Promise<void> {
    await Promise.all(running.values())
  }

  return {
    read(caller, observation) {
      const { id } = caller.repository
      const joined = running.get(id)
      if (joined) return joined
      const due = dueOf(caller, observation)
      if (due === null || stopping.signal.aborted) return undefined
      if (due === 'all' && !isOver(attempts.get(id) ?? 0, attemptMs)) return undefined
      attempts.set(id, now().getTime())
      const reading = runWithContext({ repositoryId: id }, () => attempt(caller)).finally(() => running.delete(id))
      running.set(id, reading)
      return reading
    },
    idle,
    async stop() {
      stopping.abort()
      await idle()
    },
  }
}

async function readNow(
  deps: ReadingDeps,
  { token, repository, settings }: ReadingCaller,
  { observation, due, signal }: { observation: Observation; due: 'all' | 'files'; signal: AbortSignal },
): Promise<void> {
  const { db, now, serverUrl } = deps
  const requests = await boundedSender(deps, { token, repositoryId: repository.id, signal })
  const attributes = refreshAttributes({
    ...{ db, repository, now },
    readAt: observation.attributesReadAt,
    request: requests.sendUncounted,
  })
  const named = { ...repository, serverUrl }
  const reading = { db, repository: named, settings, observation, request: requests.sendCounted, now }
  const [read] = await Promise.allSettled([readOpenPulls(reading, due), attributes])
  if (read.status === 'rejected') throw read.reason
}

/** How long the token starts no reading after this error, in ms; null if the error is not about the token. */
function restAfter(error: unknown): number | null {
  if (error instanceof ReadingCut) return error.reason === 'refused' ? refusedMs : withoutCallsMs
  return error instanceof UnusableResponse && !isFailure(error) ? refusedMs : null
}

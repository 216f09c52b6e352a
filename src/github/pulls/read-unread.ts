import type { Repository } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { withLease } from '../../db/lease.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import type { Log } from '../../lib/log.ts'
import { changeObservedRepository } from '../../observed/repositories-store.ts'
import type { GithubApp } from '../installation/app-client.ts'
import { createAppRequest, type RateBudget, ReadingEnded } from './app-request.ts'
import { readAndSave } from './read-and-save.ts'
import { retryAt } from './reading-rules.ts'
import {
  completeFirstReading,
  findNextUnread,
  postponeReadings,
  recordFailedReading,
  type UnreadPull,
} from './unread.sql.ts'

export interface ReadUnreadDeps {
  db: Database
  app: Pick<GithubApp, 'requestForRepository'>
  budget: RateBudget
  /** Bounds how many pull requests are read at a time, over all repositories. */
  places: FairLimit
  log: Log
  serverUrl: string
  now(): Date
  signal?: AbortSignal | undefined
}

export interface ReadingCounts {
  /** Pull requests whose files were read. */
  read: number
  /** Pull requests whose head moved, or that ended, while they were read. */
  changed: number
  failed: number
  /** Repositories whose readings wait for a rate limit. */
  paused: number
}

export const nothingRead: ReadingCounts = { read: 0, changed: 0, failed: 0, paused: 0 }

/** How many pull requests of one repository are read at a time. */
const workers = 4
/** How long the lease lasts, in ms: several times as long as the slowest request. */
const leaseMs = 30_000
/** After so many failures in a row GitHub counts as away. */
const mostFailures = 3
const awayMs = 60_000

/**
 * Reads the unread pull requests of a repository until none is left, on one instance at a time. Undefined if another one
 * reads it.
 */
export async function readUnread(deps: ReadUnreadDeps, repository: Repository): Promise<ReadingCounts | undefined> {
  const holder = { name: `read pull requests ${repository.id}`, holdMs: leaseMs }
  return withLease(deps.db, holder, async (lease) => {
    const reading: RepositoryReading = {
      ...{ counts: { ...nothingRead }, taken: new Set<number>(), failures: 0, ended: null },
      request: (isUrgent) => createAppRequest({ ...deps, lease }, repository.owner, { isUrgent }),
    }
    await Promise.all(Array.from({ length: workers }, () => work(deps, repository, reading)))
    if (reading.ended !== null) await endReading(deps, repository, reading.ended, reading)
    else await completeFirstReading(deps.db, repository.id)
    return reading.counts
  })
}

/** What the workers of one repository share. */
interface RepositoryReading {
  counts: ReadingCounts
  /** The pull requests that are being read. */
  taken: Set<number>
  /** How many readings failed in a row. */
  failures: number
  ended: ReadingEnded | null
  request(isUrgent: boolean): ReturnType<typeof createAppRequest>
}

async function work(deps: ReadUnreadDeps, repository: Repository, reading: RepositoryReading): Promise<void> {
  const { db, now, places, signal } = deps
  while (reading.ended === null) {
    if (signal?.aborted) return
    const next = await takeNext(db, repository.id, reading, now())
    if (next === undefined) return
    try {
      await places.run(repository.id, () => readOne(deps, repository, { next, reading }), { signal })
    } catch (error) {
      reading.ended ??= error instanceof ReadingEnded ? error : new ReadingEnded('stopped')
    } finally {
      reading.taken.delete(next.number)
    }
  }
}

async function takeNext(db: Database, repositoryId: bigint, { taken }: RepositoryReading, now: Date) {
  for (;;) {
    const next = await findNextUnread(db, repositoryId, { now, without: [...taken] })
    // Another worker may have taken it while this one asked.
    if (next !== undefined && taken.has(next.number)) continue
    if (next !== undefined) taken.add(next.number)
    return next
  }
}

/** Throws `ReadingEnded`. */
async function readOne(
  deps: ReadUnreadDeps,
  repository: Repository,
  { next, reading }: { next: UnreadPull; reading: RepositoryReading },
): Promise<void> {
  const { db, log, now, serverUrl } = deps
  const { number, head_sha: headSha, read_attempts: attempts } = next
  const of = { ...repository, serverUrl }
  try {
    const request = reading.request(next.marked_by_webhook)
    const { isRead } = await readAndSave({ db, request, repository: of, now }, { number, headSha, attempts })
    reading.failures = 0
    reading.counts[isRead ? 'read' : 'changed']++
    // Without effect where the head moved on.
    if (!isRead) await recordFailedReading(db, repository.id, next, retryAt(attempts, now(), true))
  } catch (error) {
    if (error instanceof ReadingEnded) throw error
    reading.counts.failed++
    await recordFailedReading(db, repository.id, next, retryAt(attempts, now()))
    const reason = error instanceof Error ? error.message : 'unknown'
    log.warn({ repository_id: String(repository.id), number, reason }, 'a pull request can not be read now')
    if (++reading.failures >= mostFailures) throw new ReadingEnded('paused', new Date(now().getTime() + awayMs))
  }
}

async function endReading(
  { db, now, budget }: ReadUnreadDeps,
  { id, owner }: Repository,
  { reason, until }: ReadingEnded,
  { counts, failures }: RepositoryReading,
): Promise<void> {
  if (reason === 'not_installed') await changeObservedRepository(db, id, { by_app: false })
  if (reason !== 'paused' || until === null) return
  counts.paused = 1
  const isAll = failures >= mostFailures || budget.pausedUntil(owner, true, now()) !== null
  await postponeReadings(db, id, until, { isAll })
}

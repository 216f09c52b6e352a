import type { Database } from '../../db/database.ts'
import { withLease } from '../../db/lease.ts'
import type { FairLimit } from '../../lib/fair-limit.ts'
import { type Log, messageOf } from '../../lib/log.ts'
import { changeObservedRepository } from '../../observed/observed-repositories-store.ts'
import type { Repository } from '../../records/repository/repository.ts'
import type { EffectiveSettings } from '../../records/settings/effective.ts'
import type { GithubApp } from '../installation/app-client.ts'
import type { RateLimits } from '../rate-limits.ts'
import { createAppSender, ReadingEnded } from './app-sender.ts'
import { refreshBranch } from './branch-files.ts'
import { retryAt } from './listing-rules.ts'
import { refreshFiles } from './refresh-pull.ts'
import {
  completeFirstReading,
  findNextUnread,
  findNextUnreadBranch,
  postponeBranches,
  postponeReadings,
  recordFailedReading,
  type UnreadBranch,
  type UnreadPull,
} from './unread.sql.ts'

export interface FilesDeps {
  db: Database
  app: Pick<GithubApp, 'requestForRepository'>
  rateLimits: RateLimits
  settingsOf(repository: Repository): Promise<Pick<EffectiveSettings, 'settings'>>
  /** Bounds how many pull requests and branches are read at a time, over all repositories. */
  slots: FairLimit
  log: Log
  serverUrl: string
  now(): Date
  signal?: AbortSignal | undefined
  /** A pull request was read, so that its check run is due. */
  onRead(): void
}

export interface ReadingCounts {
  /** Pull requests and branches whose files were read. */
  read: number
  /** Those whose head moved, that ended while they were read, or that are not observed any more. */
  changed: number
  failed: number
  /** Repositories whose readings wait for a rate limit. */
  paused: number
}

export const nothingRead: ReadingCounts = { read: 0, changed: 0, failed: 0, paused: 0 }

/** How many pull requests and branches of one repository are read at a time. */
const workers = 4
/** How long the lease lasts, in ms: several times as long as the slowest request. */
const leaseMs = 30_000
/**
 * After so many failed pull requests in a row GitHub counts as unavailable. After so many failed branches, the other
 * branches wait.
 */
const mostFailures = 3
const awayMs = 60_000

/**
 * Reads the unread pull requests and branches of a repository until none is left, on one instance at a time. Undefined if another one
 * reads it.
 */
export async function readFilesOfRepository(
  deps: FilesDeps,
  repository: Repository,
): Promise<ReadingCounts | undefined> {
  const holder = { name: `read pull requests ${repository.id}`, holdMs: leaseMs }
  return withLease(deps.db, holder, async (lease) => {
    const reading: RepositoryReading = {
      ...{ counts: { ...nothingRead }, taken: new Set<number | string>(), ended: null },
      failures: { pull: 0, branch: 0 },
      lastTake: Promise.resolve(undefined),
      request: (isUrgent) => createAppSender({ ...deps, lease }, repository.owner, { isUrgent }),
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
  /** The numbers of the pull requests and the names of the branches that are being read. */
  taken: Set<number | string>
  /** Settled once the last worker that looked for something to read has found it. */
  lastTake: Promise<unknown>
  /** How many readings of each kind failed in a row. */
  failures: Record<Kind, number>
  ended: ReadingEnded | null
  request(isUrgent: boolean): ReturnType<typeof createAppSender>
}

async function work(deps: FilesDeps, repository: Repository, reading: RepositoryReading): Promise<void> {
  const { db, now, slots, signal } = deps
  while (reading.ended === null) {
    if (signal?.aborted) return
    const next = await takeNext(db, repository.id, reading, now())
    if (next === undefined) return
    try {
      // By owner: a flood in many repositories of one owner takes no more slots than in one.
      await slots.run(repository.owner.toLowerCase(), () => readOne(deps, repository, { next, reading }), { signal })
    } catch (error) {
      reading.ended ??= error instanceof ReadingEnded ? error : new ReadingEnded('stopped')
    } finally {
      reading.taken.delete(keyOf(next))
    }
  }
}

type Unread = UnreadPull | UnreadBranch
type Kind = 'pull' | 'branch'

function keyOf(unread: Unread): number | string {
  return 'number' in unread ? unread.number : unread.branch
}

/** One worker at a time looks for something to read, so that no two read the same. */
function takeNext(db: Database, repositoryId: bigint, reading: RepositoryReading, now: Date) {
  const { taken } = reading
  const next = reading.lastTake.then(async () => {
    const found = await findNext(db, repositoryId, [...taken], now)
    if (found !== undefined) taken.add(keyOf(found))
    return found
  })
  reading.lastTake = next.catch(() => undefined)
  return next
}

/** The pull requests that webhooks report come first, then branches, then all other pull requests. */
async function findNext(
  db: Database,
  repositoryId: bigint,
  taken: readonly (number | string)[],
  now: Date,
): Promise<Unread | undefined> {
  const numbers = taken.filter((key) => typeof key === 'number')
  const pull = await findNextUnread(db, repositoryId, { now, without: numbers })
  if (pull?.marked_by_webhook) return pull
  const branches = taken.filter((key) => typeof key === 'string')
  return (await findNextUnreadBranch(db, repositoryId, { now, without: branches })) ?? pull
}

/** Throws `ReadingEnded`. */
async function readOne(
  deps: FilesDeps,
  repository: Repository,
  { next, reading }: { next: Unread; reading: RepositoryReading },
): Promise<void> {
  const { db, log, now } = deps
  const kind: Kind = 'number' in next ? 'pull' : 'branch'
  try {
    await ('number' in next ? readPull(deps, repository, next, reading) : readBranch(deps, repository, next, reading))
    reading.failures[kind] = 0
  } catch (error) {
    if (error instanceof ReadingEnded) throw error
    reading.counts.failed++
    await recordFailedReading(db, repository.id, next, retryAt(next.read_attempts, now()))
    const reason = messageOf(error)
    const fields = { repository_id: String(repository.id), reason }
    if ('number' in next) log.warn({ ...fields, number: next.number }, 'a pull request can not be read now')
    else log.warn(fields, 'a pushed branch can not be read now')
    if (++reading.failures[kind] < mostFailures) return
    const until = new Date(now().getTime() + awayMs)
    // GitHub may be unable to compare the branches of a repository while it lists the files of pull requests.
    if (kind === 'branch') await postponeBranches(db, repository.id, until)
    else throw new ReadingEnded('paused', until)
  }
}

async function readPull(
  { db, now, serverUrl, onRead }: FilesDeps,
  repository: Repository,
  next: UnreadPull,
  reading: RepositoryReading,
): Promise<void> {
  const { number, head_sha: headSha, read_attempts: attempts } = next
  const request = reading.request(next.marked_by_webhook)
  const of = { ...repository, serverUrl }
  const { isRead } = await refreshFiles({ db, request, repository: of, now }, { number, headSha, attempts })
  reading.counts[isRead ? 'read' : 'changed']++
  if (isRead) onRead()
  // Without effect where the head moved on.
  if (!isRead) await recordFailedReading(db, repository.id, next, retryAt(attempts, now(), true))
}

async function readBranch(
  { db, now, settingsOf }: FilesDeps,
  repository: Repository,
  { branch, head_sha: headSha }: UnreadBranch,
  reading: RepositoryReading,
): Promise<void> {
  const { settings } = await settingsOf(repository)
  const request = reading.request(true)
  const isRead = await refreshBranch({ db, request, repository, settings, now }, { branch, headSha })
  reading.counts[isRead ? 'read' : 'changed']++
}

async function endReading(
  { db, rateLimits }: FilesDeps,
  { id, owner }: Repository,
  { reason, until }: ReadingEnded,
  { counts, failures }: RepositoryReading,
): Promise<void> {
  if (reason === 'not_installed') await changeObservedRepository(db, id, { by_app: false })
  if (reason !== 'paused' || until === null) return
  counts.paused = 1
  const isAll = failures.pull >= mostFailures || rateLimits.pausedUntil(owner.toLowerCase()) !== null
  await postponeReadings(db, id, until, { isAll })
}

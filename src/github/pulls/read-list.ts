import type { Repository } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import { withLease } from '../../db/lease.ts'
import type { Log } from '../../lib/log.ts'
import { endUnobservedBranches } from '../../observed/branches/end-unobserved.ts'
import { forgetObservedWork } from '../../observed/forget.sql.ts'
import { observesPullRequests } from '../../observed/is-observed.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import type { ObservedRepositoryRef, PullRequestFacts } from '../../observed/pull-request.ts'
import { extendOpen } from '../../observed/record.sql.ts'
import {
  changeObservedRepository,
  findObservedRepository,
  type ObservedRepositoryRow,
} from '../../observed/repositories-store.ts'
import { add, saveList } from '../../observed/save-list.ts'
import { nothingSaved, type SavedCounts } from '../../observed/save-pull-request.ts'
import type { EffectiveSettings } from '../../settings/effective.ts'
import type { Settings } from '../../settings/schema.ts'
import type { GithubApp } from '../installation/app-client.ts'
import { createAppRequest, type RateBudget, ReadingEnded } from './app-request.ts'
import { listOpenPulls, listUpdatedPulls } from './list-pulls.ts'
import { isForbidden, type PullsRequest } from './pulls-request.ts'
import { type ReadAndSaveDeps, requireVisible, settleAbsent } from './read-and-save.ts'
import { refreshAttributes } from './read-attributes.ts'
import { clockDifferenceMs, isWalkDue, newestKnown } from './reading-rules.ts'
import { completeFirstReading } from './unread.sql.ts'

export interface ReadListDeps {
  db: Database
  app: Pick<GithubApp, 'requestForRepository'>
  budget: RateBudget
  settingsOf(repository: Repository): Promise<Pick<EffectiveSettings, 'settings'>>
  log: Log
  serverUrl: string
  now(): Date
  signal?: AbortSignal | undefined
}

export type ListOutcome = SavedCounts | 'busy' | 'failed' | 'paused' | 'not_installed' | 'stopped'

/** How long the lease lasts, in ms: several times as long as the slowest request. */
const leaseMs = 30_000

/**
 * Lists the pull requests of a repository with the App and saves them (docs/rules.md#reading-with-the-app): those that were
 * updated since the last time, and once a day all open ones. One instance at a time lists a repository.
 */
export async function readList(deps: ReadListDeps, repository: Repository): Promise<ListOutcome> {
  const holder = { name: `list pull requests ${repository.id}`, holdMs: leaseMs }
  const began = deps.now()
  const outcome = await withLease(deps.db, holder, async (lease): Promise<ListOutcome> => {
    const request = createAppRequest({ ...deps, lease }, repository.owner, { isUrgent: false })
    try {
      return await list(deps, repository, { request, began })
    } catch (error) {
      return await recordFailure(deps, repository, error)
    }
  })
  return outcome ?? 'busy'
}

interface Listing {
  request: PullsRequest
  began: Date
}

async function list(deps: ReadListDeps, repository: Repository, { request, began }: Listing): Promise<SavedCounts> {
  const { db, serverUrl, now } = deps
  const { settings } = await deps.settingsOf(repository)
  if (!observesPullRequests(settings)) return forgetAll(deps, repository)
  const state = await findObservedRepository(db.prisma, repository.id)
  if (state === null) return nothingSaved
  const of = { ...repository, serverUrl }
  const reading = { db, request, repository: of, now, settings, began }
  const ended = await endUnobservedBranches(db, repository, settings, now())
  await refreshAttributes({ ...reading, readAt: state.attributes_read_at })
  const isDue = isWalkDue(state, began)
  const counts = await (isDue ? walk(reading, { hasFailed: state.failed_at !== null }) : readUpdates(reading, state))
  return { ...counts, ended: counts.ended + ended }
}

interface Reading extends ReadAndSaveDeps {
  repository: ObservedRepositoryRef & { defaultBranch: string }
  settings: Settings
  began: Date
}

/**
 * Lists what was updated since the last time. A pull request that is not in this list has not changed, so it is still
 * open.
 */
async function readUpdates(reading: Reading, state: ObservedRepositoryRow): Promise<SavedCounts> {
  const { db, request, repository, began, now } = reading
  const listed = await listUpdatedPulls(request, repository, state.newest_updated_at ?? began)
  const { counts } = await saveList(db, listed, { ...reading, now: now() })
  await db.transaction((tx) => extendOpen(tx, repository.id, 'all', now()))
  await complete(reading, state, listed)
  return counts
}

/** How often the open pull requests are listed again at most, where one ended while they were listed. */
const mostWalks = 3

/**
 * Lists all open pull requests, the oldest first. Where one of them ended meanwhile, those behind it moved to an earlier page
 * and one may be missing, so they are listed again. Each one that is known and absent is read by itself.
 */
async function walk(reading: Reading, { hasFailed }: { hasFailed: boolean }): Promise<SavedCounts> {
  const { db, request, repository, began, now } = reading
  const visible = await requireVisible(request, repository)
  await db.transaction((tx) => observeByApp(tx, [visible], now()))
  const counts = { ...nothingSaved }
  let absent: number[] = []
  let all: PullRequestFacts[] = []
  for (let walks = 1; ; walks++) {
    const open = await listOpenPulls(request, repository, { hasFailed })
    const updated = await listUpdatedPulls(request, repository, new Date(began.getTime() - clockDifferenceMs))
    const listed = newestOf([...open, ...updated])
    all = newestOf([...all, ...listed])
    const saved = await saveList(db, listed, { ...reading, now: now() })
    add(counts, saved.counts)
    absent = saved.absent
    if (walks === mostWalks || !endedMeanwhile(open, updated)) break
  }
  for (const number of absent) add(counts, await settleAbsent(reading, number))
  await complete(reading, { walked_at: began, newest_updated_at: null }, all)
  return counts
}

function newestOf(pulls: readonly PullRequestFacts[]): PullRequestFacts[] {
  const newest = new Map<number, PullRequestFacts>()
  for (const facts of pulls) {
    const known = newest.get(facts.number)
    if (known === undefined || known.updatedAt <= facts.updatedAt) newest.set(facts.number, facts)
  }
  return [...newest.values()]
}

/** Whether a pull request of the list of open ones had ended by the time of the later list. */
function endedMeanwhile(open: readonly PullRequestFacts[], updated: readonly PullRequestFacts[]): boolean {
  const numbers = new Set(open.map(({ number }) => number))
  return updated.some(({ number, state }) => state !== 'open' && numbers.has(number))
}

/** Records a complete list. The first reading of a repository is complete once its files are read too. */
async function complete(
  { db, repository, began }: Reading,
  state: Pick<ObservedRepositoryRow, 'walked_at' | 'newest_updated_at'>,
  listed: readonly PullRequestFacts[],
): Promise<void> {
  const newest_updated_at = newestKnown(listed, state.newest_updated_at, began)
  const known = await findObservedRepository(db.prisma, repository.id)
  await changeObservedRepository(db, repository.id, {
    walked_at: state.walked_at,
    newest_updated_at,
    failed_at: null,
    listed_at: began,
    ...(known?.completed_at ? { completed_at: began } : {}),
  })
  await completeFirstReading(db, repository.id)
}

/** Ends the observed work of a repository in which the settings let nothing be observed. */
async function forgetAll({ db, now }: ReadListDeps, repository: Repository): Promise<SavedCounts> {
  const at = now()
  const ended = await db.transaction(async (tx) => {
    const count = await forgetObservedWork(tx, repository.id, at)
    await observeByApp(tx, [repository], at)
    return count
  })
  await changeObservedRepository(db, repository.id, { listed_at: at })
  return { ...nothingSaved, ended }
}

/** Observed work does not expire while GitHub can not be asked. */
async function recordFailure(deps: ReadListDeps, { id }: Repository, error: unknown): Promise<ListOutcome> {
  const { db, log, now } = deps
  const reason = error instanceof ReadingEnded ? error.reason : isForbidden(error) ? 'not_installed' : 'failed'
  if (reason === 'stopped') return reason
  if (reason === 'not_installed') {
    await changeObservedRepository(db, id, { by_app: false })
    return reason
  }
  if (reason === 'failed') await changeObservedRepository(db, id, { failed_at: now() })
  await db.transaction((tx) => extendOpen(tx, id, 'all', now()))
  const fields = { repository_id: String(id), reason: error instanceof Error ? error.message : 'unknown' }
  log[reason === 'failed' ? 'warn' : 'debug'](fields, 'the pull requests of a repository can not be listed now')
  return reason
}

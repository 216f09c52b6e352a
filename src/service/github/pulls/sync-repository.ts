import type { Database } from '../../db/database.ts'
import { withLease } from '../../db/lease.ts'
import { type Log, messageOf } from '../../lib/log.ts'
import { endUnobservedBranches } from '../../observed/branches/end-unobserved.ts'
import { forgetObservedWork } from '../../observed/forget.sql.ts'
import { observesPullRequests } from '../../observed/is-observed.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import { extendOpen } from '../../observed/observed-activity.sql.ts'
import { changeObservedRepository, findObservedRepository } from '../../observed/observed-repositories-store.ts'
import { nothingSaved, type SavedCounts } from '../../observed/pull-requests/save-pull-request.ts'
import { findBranchWork, findOldestWork } from '../../records/activity/events/seen-branches.sql.ts'
import type { Repository } from '../../records/repository/repository.ts'
import { renameRepository } from '../../records/repository/repository-store.ts'
import type { EffectiveSettings } from '../../records/settings/effective.ts'
import type { GithubApp } from '../installation/app-client.ts'
import type { RateLimits } from '../rate-limits.ts'
import { type BranchQuestion, endVanishedBranches, type KnownBranches } from '../recovery/vanished-branches.ts'
import { createAppSender, ReadingEnded } from './app-sender.ts'
import { readCurrentRepository } from './current-repository.ts'
import { ifChanged } from './if-changed.ts'
import { isFullListDue, updatesSince } from './listing-rules.ts'
import { isHidden, type SendRequest, UnusableResponse } from './read-response.ts'
import { refreshAttributes } from './refresh-attributes.ts'
import { syncPulls } from './sync-pulls.ts'

/** What GitHub answered about a repository, as far as it was saved. Its ETags make the next requests conditional. */
export interface KnownAnswers {
  names?: { etag: string | null; repository: Repository }
  pulls?: string | null
  branches?: KnownBranches | null
}

export interface SyncDeps {
  db: Database
  app: Pick<GithubApp, 'requestForRepository'>
  rateLimits: RateLimits
  settingsOf(repository: Repository): Promise<Pick<EffectiveSettings, 'settings'>>
  /** What was answered about a repository before. It may be changed. */
  answersOf(repositoryId: bigint): KnownAnswers
  log: Log
  serverUrl: string
  now(): Date
  signal?: AbortSignal | undefined
}

export interface RepositoryCounts extends SavedCounts {
  /** Activities whose branch was deleted. */
  branch_deleted: number
  /** 1 if GitHub did not list the branches. */
  failed: number
  /** 1 if the App may not see the branches. */
  not_visible: number
}

export type SyncOutcome = RepositoryCounts | 'busy' | 'failed' | 'paused' | 'not_installed' | 'not_visible' | 'stopped'

/** How long the lease lasts, in ms: several times as long as the slowest request. */
const leaseMs = 30_000

/**
 * Compares a repository with GitHub: lists its pull requests, which archives merged work and saves those that are observed
 * (docs/rules.md#reading-with-the-app), and asks once for the branches of live work (docs/rules.md#reconciliation). Sends no
 * request where nothing is observed and no work is live. One instance at a time does so.
 */
export async function syncRepository(deps: SyncDeps, repository: Repository): Promise<SyncOutcome> {
  const began = deps.now()
  const outcome = await withLease(
    deps.db,
    { name: `sync ${repository.id}`, holdMs: leaseMs },
    async (lease): Promise<SyncOutcome> => {
      const request = createAppSender({ ...deps, lease }, repository.owner, { isUrgent: false })
      try {
        return await compare(deps, repository, { request, began })
      } catch (error) {
        return await recordFailure(deps, repository, error)
      }
    },
  )
  return outcome ?? 'busy'
}

interface SyncRun {
  request: SendRequest
  began: Date
}

const nothingCompared: RepositoryCounts = { ...nothingSaved, branch_deleted: 0, failed: 0, not_visible: 0 }

async function compare(deps: SyncDeps, known: Repository, run: SyncRun): Promise<RepositoryCounts> {
  const { db, now, serverUrl, answersOf } = deps
  const { request, began } = run
  const { settings } = await deps.settingsOf(known)
  const state = await findObservedRepository(db.prisma, known.id)
  if (state === null) return nothingCompared
  const isObserved = observesPullRequests(settings)
  const ended = await (isObserved ? endUnobservedBranches(db, known, settings, now()) : forgetAll(deps, known))
  const work = await findBranchWork(db, known.id, began)
  const oldestWork = await findOldestWork(db, known.id, began)
  const isFullList = isObserved && isFullListDue(state, began)
  const repository = isFullList || work.length > 0 ? await currentNames(deps, known, run) : known
  const since = updatesSince({ state, oldestWork, began, isObserved, isFullList })
  const listing = { db, request, repository: { ...repository, serverUrl }, now, settings, began, since }
  if (isObserved) await refreshAttributes({ ...listing, readAt: state.attributes_read_at })
  const saved =
    isObserved || oldestWork !== null
      ? await syncPulls(answersOf(known.id), listing, { state, isObserved, isFullList })
      : nothingSaved
  if (!isObserved) await changeObservedRepository(db, known.id, { listed_at: began, failed_at: null })
  const counts = { ...nothingCompared, ...saved, ended: saved.ended + ended }
  return work.length === 0 ? counts : { ...counts, ...(await compareBranches(deps, { ...listing, work })) }
}

/** Ends the observed work of a repository in which the settings let nothing be observed. */
function forgetAll({ db, now }: SyncDeps, repository: Repository): Promise<number> {
  return db.transaction(async (tx) => {
    const count = await forgetObservedWork(tx, repository.id, now())
    await observeByApp(tx, [repository], now())
    return count
  })
}

/**
 * Reads the present names of a repository, and checks that its name does not belong to another one: an empty list of branches
 * of that one would archive all work.
 */
async function currentNames(
  { db, answersOf }: SyncDeps,
  known: Repository,
  { request, began }: SyncRun,
): Promise<Repository> {
  const { names = null } = answersOf(known.id)
  const isSame = names?.repository.owner === known.owner && names.repository.name === known.name
  const etag = isSame ? names.etag : null
  const answer = await ifChanged(request, etag, (first) => readCurrentRepository(first, known))
  const { owner, name, defaultBranch } = answer.read ?? names?.repository ?? known
  const repository = { id: known.id, owner, name, defaultBranch }
  const isChanged = owner !== known.owner || name !== known.name || defaultBranch !== known.defaultBranch
  if (isChanged) await db.transaction((tx) => renameRepository(tx, repository, began))
  answersOf(known.id).names = { etag: answer.etag, repository }
  return repository
}

/** A failure here says nothing about the pull requests, which were listed. */
async function compareBranches(
  { answersOf, log }: SyncDeps,
  question: Omit<BranchQuestion, 'known'>,
): Promise<Partial<RepositoryCounts>> {
  const answers = answersOf(question.repository.id)
  try {
    const { branch_deleted, known } = await endVanishedBranches({ ...question, known: answers.branches ?? null })
    answers.branches = known
    return { branch_deleted }
  } catch (error) {
    if (!(error instanceof UnusableResponse)) throw error
    const fields = { repository_id: String(question.repository.id), reason: error.message }
    log[isHidden(error) ? 'debug' : 'warn'](fields, 'the branches of a repository can not be listed now')
    return isHidden(error) ? { not_visible: 1 } : { failed: 1 }
  }
}

/** Observed work does not expire while GitHub can not be asked. */
async function recordFailure({ db, log, now }: SyncDeps, { id }: Repository, error: unknown): Promise<SyncOutcome> {
  const reason = failureOf(error)
  if (reason === 'stopped') return reason
  if (reason === 'not_installed') {
    await changeObservedRepository(db, id, { by_app: false })
    return reason
  }
  if (reason !== 'paused') await changeObservedRepository(db, id, { failed_at: now() })
  await db.transaction((tx) => extendOpen(tx, id, 'all', now()))
  const fields = { repository_id: String(id), reason: messageOf(error) }
  log[reason === 'failed' ? 'warn' : 'debug'](fields, 'a repository can not be compared with GitHub now')
  return reason
}

function failureOf(error: unknown): 'stopped' | 'paused' | 'not_installed' | 'not_visible' | 'failed' {
  if (error instanceof ReadingEnded) return error.reason
  return isHidden(error) ? 'not_visible' : 'failed'
}

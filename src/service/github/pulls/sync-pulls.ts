import { extendOpen } from '../../observed/observed-activity.sql.ts'
import {
  changeObservedRepository,
  findObservedRepository,
  type ObservedRepositoryRow,
} from '../../observed/observed-repositories-store.ts'
import type { PullRequestFacts } from '../../observed/pull-requests/pull-request.ts'
import { addCounts, saveList } from '../../observed/pull-requests/save-list.ts'
import { nothingSaved, type SavedCounts } from '../../observed/pull-requests/save-pull-request.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { ReadingEnded } from './app-sender.ts'
import { ifChanged } from './if-changed.ts'
import { listOpenPulls, listUpdatedPulls, newestOf } from './list-pulls.ts'
import { newestKnown } from './listing-rules.ts'
import { isForbidden } from './read-response.ts'
import { type RefreshDeps, refreshAbsent } from './refresh-pull.ts'
import { completeFirstReading } from './unread.sql.ts'

export interface Listing extends RefreshDeps {
  settings: Settings
  began: Date
  /** Pull requests that were updated at this time or later are listed. */
  since: Date
}

/** The ETag of the last list of updates that was saved. */
export interface LastList {
  pulls?: string | null
}

export interface HowToList {
  state: ObservedRepositoryRow
  isObserved: boolean
  isFullList: boolean
}

/** An App that may not read the pull requests of a repository observes nothing there. */
export async function syncPulls(answers: LastList, listing: Listing, how: HowToList): Promise<SavedCounts> {
  return await listAndSave(answers, listing, how).catch((error: unknown) => {
    throw how.isObserved && isForbidden(error) ? new ReadingEnded('not_installed') : error
  })
}

async function listAndSave(answers: LastList, listing: Listing, how: HowToList): Promise<SavedCounts> {
  if (how.isFullList) {
    const all = await listAll(listing, { hasFailed: how.state.failed_at !== null })
    await complete(listing, { walked_at: listing.began, newest_updated_at: null }, all.pulls)
    return all.counts
  }
  const { counts, pulls, etag } = await listUpdates(listing, answers.pulls ?? null)
  if (how.isObserved) await complete(listing, how.state, pulls)
  answers.pulls = etag
  return counts
}

/** Records a complete list. The first reading of a repository is complete once its files are read too. */
async function complete(
  { db, repository, began }: Listing,
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

/** What was listed and saved. */
interface Listed {
  counts: SavedCounts
  pulls: readonly PullRequestFacts[]
}

/**
 * Lists and saves what was updated. A pull request that is not in this list has not changed, so it is still open. `etag` is that
 * of the last list that was saved.
 */
async function listUpdates(
  { db, request, repository, now, settings, since }: Listing,
  etag: string | null,
): Promise<Listed & { etag: string | null }> {
  const { read, ...answer } = await ifChanged(request, etag, (first) => listUpdatedPulls(first, repository, since))
  const pulls = read ?? []
  const { counts } = await saveList(db, pulls, { repository, settings, now: now() })
  await db.transaction((tx) => extendOpen(tx, repository.id, 'all', now()))
  return { counts, pulls, etag: answer.etag }
}

/** How often all open pull requests are listed at most, where one ended while they were listed. */
const mostAttempts = 3

/**
 * Lists all open pull requests, the oldest first, and what was updated. Where one of them ended meanwhile, those behind it moved
 * to an earlier page and one may be missing, so they are listed again. Each one that is known and absent is read by itself.
 */
async function listAll(listing: Listing, { hasFailed }: { hasFailed: boolean }): Promise<Listed> {
  const { db, request, repository, now, settings, since } = listing
  const counts = { ...nothingSaved }
  let absent: number[] = []
  let pulls: PullRequestFacts[] = []
  for (let attempt = 1; ; attempt++) {
    const open = await listOpenPulls(request, repository, { hasFailed })
    const updated = await listUpdatedPulls(request, repository, since)
    const listed = newestOf([...open, ...updated])
    pulls = newestOf([...pulls, ...listed])
    const saved = await saveList(db, listed, { repository, settings, now: now() })
    addCounts(counts, saved.counts)
    absent = saved.absent
    if (attempt === mostAttempts || !endedMeanwhile(open, updated)) break
  }
  for (const number of absent) addCounts(counts, await refreshAbsent(listing, number))
  return { counts, pulls }
}

/** Whether a pull request of the list of open ones had ended by the time of the later list. */
function endedMeanwhile(open: readonly PullRequestFacts[], updated: readonly PullRequestFacts[]): boolean {
  const numbers = new Set(open.map(({ number }) => number))
  return updated.some(({ number, state }) => state !== 'open' && numbers.has(number))
}

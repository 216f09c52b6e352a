import type { PullRequestFacts } from '../../observed/pull-request.ts'
import { extendOpen } from '../../observed/record.sql.ts'
import { add, saveList } from '../../observed/save-list.ts'
import { nothingSaved, type SavedCounts } from '../../observed/save-pull-request.ts'
import type { Settings } from '../../settings/schema.ts'
import { ifChanged } from './if-changed.ts'
import { listOpenPulls, listUpdatedPulls } from './list-pulls.ts'
import { type ReadAndSaveDeps, settleAbsent } from './read-and-save.ts'

export interface Listing extends ReadAndSaveDeps {
  settings: Settings
  began: Date
  /** Pull requests that were updated at this time or later are listed. */
  since: Date
}

/** What was listed and saved. */
export interface Listed {
  counts: SavedCounts
  pulls: readonly PullRequestFacts[]
}

/**
 * Lists and saves what was updated. A pull request that is not in this list has not changed, so it is still open. `etag` is that
 * of the last list that was saved.
 */
export async function listUpdates(
  { db, request, repository, now, settings, since }: Listing,
  etag: string | null,
): Promise<Listed & { etag: string | null }> {
  const { read, ...answer } = await ifChanged(request, etag, (first) => listUpdatedPulls(first, repository, since))
  const pulls = read ?? []
  const { counts } = await saveList(db, pulls, { repository, settings, now: now() })
  await db.transaction((tx) => extendOpen(tx, repository.id, 'all', now()))
  return { counts, pulls, etag: answer.etag }
}

/** How often the open pull requests are listed again at most, where one ended while they were listed. */
const mostWalks = 3

/**
 * Lists all open pull requests, the oldest first, and what was updated. Where one of them ended meanwhile, those behind it moved
 * to an earlier page and one may be missing, so they are listed again. Each one that is known and absent is read by itself.
 */
export async function listAll(listing: Listing, { hasFailed }: { hasFailed: boolean }): Promise<Listed> {
  const { db, request, repository, now, settings, since } = listing
  const counts = { ...nothingSaved }
  let absent: number[] = []
  let pulls: PullRequestFacts[] = []
  for (let walks = 1; ; walks++) {
    const open = await listOpenPulls(request, repository, { hasFailed })
    const updated = await listUpdatedPulls(request, repository, since)
    const listed = newestOf([...open, ...updated])
    pulls = newestOf([...pulls, ...listed])
    const saved = await saveList(db, listed, { repository, settings, now: now() })
    add(counts, saved.counts)
    absent = saved.absent
    if (walks === mostWalks || !endedMeanwhile(open, updated)) break
  }
  for (const number of absent) add(counts, await settleAbsent(listing, number))
  return { counts, pulls }
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

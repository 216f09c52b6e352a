import type { Database } from '../../db/database.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { isObservedPullRequest } from '../is-observed.ts'
import { endRecord, extendOpen } from '../observed-activity.sql.ts'
import {
  deletePullRequest,
  findKnownPullRequests,
  type KnownPullRequest,
  saysNothingNew,
} from './known-pull-requests.sql.ts'
import type { ObservedRepositoryRef, PullRequestFacts } from './pull-request.ts'
import { pullRequestEnded } from './pull-request-ended.ts'
import { nothingSaved, type SavedCounts, savePullRequest } from './save-pull-request.ts'

export interface SavedList {
  counts: SavedCounts
  /** The numbers of open pull requests that are known and not in the list. */
  absent: number[]
}

export interface SaveListOptions {
  repository: ObservedRepositoryRef
  settings: Pick<Settings, 'enabled' | 'observe' | 'ignored_branches'>
  now: Date
}

/**
 * Saves a list of pull requests, the oldest first, one transaction each, and extends the records of those that are open.
 * One that has not changed costs nothing. Absence from the list ends nothing: `absent` says which ones are to be read.
 */
export async function saveList(
  db: Database,
  listed: readonly PullRequestFacts[],
  options: SaveListOptions,
): Promise<SavedList> {
  const { repository, now } = options
  const known = await findKnownPullRequests(db, repository.id, now)
  const counts = { ...nothingSaved }
  for (const facts of listed.toSorted((a, b) => a.openedAt.getTime() - b.openedAt.getTime() || a.number - b.number)) {
    addCounts(counts, await saveOne(db, facts, { ...options, known: known.get(facts.number) }))
  }
  const open = listed.filter(({ state }) => state === 'open').map(({ number }) => number)
  await db.transaction((tx) => extendOpen(tx, repository.id, open, now))
  const numbers = new Set(listed.map(({ number }) => number))
  return { counts, absent: [...known.keys()].filter((number) => !numbers.has(number)) }
}

/**
 * The pull requests that are not observed are not saved, and are forgotten where the settings did not exclude them before. A
 * merge archives recorded work all the same.
 */
async function saveOne(
  db: Database,
  facts: PullRequestFacts,
  { repository, settings, now, known }: SaveListOptions & { known: KnownPullRequest | undefined },
): Promise<SavedCounts> {
  const isObserved = isObservedPullRequest(facts, settings)
  const isMerged = facts.state === 'merged'
  const changesNothing = known ? isObserved && saysNothingNew(known, facts) : !isObserved && !isMerged
  if (changesNothing) return nothingSaved
  return db.transaction(async (tx) => {
    if (isObserved) return savePullRequest(tx, repository, facts, now)
    const counts = isMerged ? await pullRequestEnded(tx, repository, facts, { facts: null, now }) : nothingSaved
    const row = known && (await deletePullRequest(tx, repository.id, facts.number))
    const closed = row ? await endRecord(tx, row, { reason: 'closed', endedAt: now, now }) : 0
    return { ...nothingSaved, ...counts, ended: counts.ended + closed }
  })
}

export function addCounts(counts: SavedCounts, more: SavedCounts): void {
  counts.observed += more.observed
  counts.ended += more.ended
  counts.merged += more.merged
  counts.unread += more.unread
}

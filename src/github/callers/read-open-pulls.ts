import type { Database } from '../../db/database.ts'
import { endMissingPullRequest } from '../../observed/end-pull-request.ts'
import { isObservedPullRequest } from '../../observed/is-observed.ts'
import type { ObservedRepositoryRef, PullRequestFacts } from '../../observed/pull-request.ts'
import { extendOpen } from '../../observed/record.sql.ts'
import { saveFiles } from '../../observed/save-files.ts'
import { savePullRequest } from '../../observed/save-pull-request.ts'
import type { Settings } from '../../settings/schema.ts'
import { listLatestPulls, listUpdatedPulls, readPull } from '../pulls/list-pulls.ts'
import { type PullsRequest, UnusableResponse } from '../pulls/pulls-request.ts'
import { readPullRequest } from '../pulls/read-pull-request.ts'
import {
  deferReading,
  findOthers,
  findUnread,
  type Observation,
  saveCompleted,
  saveFailed,
  type UnreadPull,
} from './observation.sql.ts'
import { ReadingCut } from './reading-cut.ts'

/** How many open pull requests are read, those updated last. */
const mostPulls = 300
/** How often all open pull requests are listed, in ms. In between those that were updated are. */
const walkEveryMs = 86_400_000
/** After how long without a reading all are listed too, in ms: many may have been updated. */
const walkAfterMs = 6 * 3_600_000
/** How many pull requests that are missing from the list are asked for in one reading. */
const mostMissing = 20
/** How many pull requests are read at the same time. Each makes one call at a time. */
const atOnce = 4
/** Where no pull request is open, how long before the reading an update may have been, in ms: clocks differ. */
const clockDifferenceMs = 3_600_000

export interface OpenPullsReading {
  db: Database
  repository: ObservedRepositoryRef
  settings: Settings
  /** What was known before. */
  observation: Observation
  /** Throws `ReadingCut`. */
  request: PullsRequest
  now(): Date
}

/**
 * Reads the open pull requests of a repository, as far as `request` lets it (docs/rules.md#reading-without-the-app): lists
 * them, and then reads the files of those that were updated last, or only such files. Throws `ReadingCut` if the list could not be read whole,
 * and `UnusableResponse` if GitHub did not give it.
 */
export async function readOpenPulls(reading: OpenPullsReading, what: 'all' | 'files'): Promise<void> {
  const { db, repository, now } = reading
  if (what === 'files') return await readUnread(reading)
  const began = now()
  const listed = await list(reading, began).catch(async (error: unknown) => {
    if (isFailure(error)) await saveFailed(db, repository.id, now())
    throw error
  })
  for (const facts of listed.pulls.toSorted((left, right) => Number(left.openedAt) - Number(right.openedAt))) {
    await savePull(reading, facts)
  }
  await db.transaction((tx) => extendOpen(tx, repository.id, listed.isWalk ? numbersOf(listed.pulls) : 'all', now()))
  await unlessCut(async () => {
    if (listed.isWalk) await decideMissing(reading, numbersOf(listed.pulls))
    await readUnread(reading)
  })
  const updates = listed.pulls.map(({ updatedAt }) => updatedAt.getTime())
  const newestUpdatedAt = new Date(Math.max(began.getTime() - clockDifferenceMs, ...updates))
  await saveCompleted(db, repository.id, { began, isWalk: listed.isWalk, newestUpdatedAt })
}

async function list({ repository, observation, request }: OpenPullsReading, began: Date) {
  const { completedAt, walkedAt, newestUpdatedAt: newest } = observation
  const isOver = (since: Date | null, ms: number) => since === null || began.getTime() - since.getTime() >= ms
  const isWalk = newest === null || isOver(walkedAt, walkEveryMs) || isOver(completedAt, walkAfterMs)
  const pulls = isWalk
    ? await listLatestPulls(request, repository, mostPulls)
    : await listUpdatedPulls(request, repository, newest)
  return { isWalk, pulls }
}

function numbersOf(pulls: readonly PullRequestFacts[]): number[] {
  return pulls.map(({ number }) => number)
}

async function savePull({ db, repository, settings, now }: OpenPullsReading, facts: PullRequestFacts): Promise<void> {
  if (!isObservedPullRequest(facts, settings)) return
  await db.transaction((tx) => savePullRequest(tx, repository, facts, now()))
}

/** Asks for each pull request that the list does not have: only that decides whether it has ended. */
async function decideMissing(reading: OpenPullsReading, listed: readonly number[]): Promise<void> {
  const { db, repository, request, now } = reading
  const missing = await findOthers(db, repository.id, listed)
  for (const { number } of missing.slice(0, mostMissing)) {
    const facts = await orNotSaid(readPull(request, repository, number))
    if (facts === undefined) continue
    if (facts) await savePull(reading, facts)
    else await db.transaction((tx) => endMissingPullRequest(tx, repository.id, number, now()))
  }
}

async function readUnread(reading: OpenPullsReading): Promise<void> {
  const { db, repository, now } = reading
  const unread = await findUnread(db, repository.id, now())
  const readNext = async () => {
    for (let pull = unread.shift(); pull; pull = unread.shift()) await readFilesOf(reading, pull)
  }
  const workers = await Promise.allSettled(Array.from({ length: atOnce }, readNext))
  for (const worker of workers) if (worker.status === 'rejected') throw worker.reason
}

async function readFilesOf(reading: OpenPullsReading, pull: UnreadPull): Promise<void> {
  const { db, repository, request, now } = reading
  const found = await orNotSaid(readPullRequest(request, repository, pull))
  if (found === undefined) await deferReading(db, repository.id, pull, now())
  else if (found.kind === 'changed') await savePull(reading, found.facts)
  else
    await db.transaction(async (tx) => {
      if (found.kind === 'files') await saveFiles(tx, repository, pull.number, found.read, now())
      else await endMissingPullRequest(tx, repository.id, pull.number, now())
    })
}

/** Undefined if GitHub did not give what was asked for. */
async function orNotSaid<Read>(reading: Promise<Read>): Promise<Read | undefined> {
  return await reading.catch((error: unknown) => {
    if (error instanceof UnusableResponse) return undefined
    throw error
  })
}

async function unlessCut(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof ReadingCut)) throw error
  })
}

/** Whether GitHub can't be read by anybody. What it refuses to one token says nothing about that. */
export function isFailure(error: unknown): boolean {
  if (!(error instanceof UnusableResponse)) return false
  const { response } = error
  return response.kind === 'failure' || ![403, 404, 451].includes(response.status)
}

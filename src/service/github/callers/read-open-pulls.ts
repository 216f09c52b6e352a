import type { Database } from '../../db/database.ts'
import { extendOpen } from '../../observed/observed-activity.sql.ts'
import type { ObservedRepositoryRef } from '../../observed/pull-requests/pull-request.ts'
import { saveList } from '../../observed/pull-requests/save-list.ts'
import type { Settings } from '../../records/settings/schema.ts'
import { listLatestPulls, listUpdatedPulls } from '../pulls/list-pulls.ts'
import { isFullListDue, newestKnown, retryAt } from '../pulls/listing-rules.ts'
import { type SendRequest, UnusableResponse } from '../pulls/read-response.ts'
import { refreshAbsent, refreshFiles } from '../pulls/refresh-pull.ts'
import { recordFailedReading } from '../pulls/unread.sql.ts'
import { findUnread, type Observation, saveCompleted, saveFailed, type UnreadPull } from './observation.sql.ts'
import { ReadingCut } from './reading-cut.ts'

/** How many open pull requests are read, those updated last. */
const mostPulls = 300
/** After how long without a reading all open pull requests are listed, in ms: many others may have been updated. */
const fullListAfterMs = 6 * 3_600_000
/** How many pull requests that are missing from the list are asked for in one reading. */
const mostAbsent = 20
/** How many pull requests are read at the same time. Each makes one call at a time. */
const atOnce = 4

export interface OpenPullsReading {
  db: Database
  repository: ObservedRepositoryRef
  settings: Settings
  /** What was known before. */
  observation: Observation
  /** Throws `ReadingCut`. */
  request: SendRequest
  now(): Date
}

/**
 * Reads the open pull requests of a repository, as far as `request` allows (docs/rules.md#reading-without-the-app):
 * lists them, and then reads the files of those that were updated last, or only such files. Throws `ReadingCut` if the
 * list could not be read whole, and `UnusableResponse` if GitHub did not give it.
 */
export async function readOpenPulls(reading: OpenPullsReading, what: 'all' | 'files'): Promise<void> {
  const { db, repository, observation, now } = reading
  if (what === 'files') return await readUnread(reading)
  const began = now()
  const listed = await list(reading, began).catch(async (error: unknown) => {
    if (isFailure(error)) await recordFailure(reading)
    throw error
  })
  const { absent } = await saveList(db, listed.pulls, { ...reading, now: now() })
  if (!listed.isFullList) await db.transaction((tx) => extendOpen(tx, repository.id, 'all', now()))
  await unlessCut(async () => {
    if (listed.isFullList)
      for (const number of absent.slice(0, mostAbsent)) await wasAnswered(refreshAbsent(reading, number))
    await readUnread(reading)
  })
  const newestUpdatedAt = newestKnown(listed.pulls, observation.newestUpdatedAt, began)
  await saveCompleted(db, repository.id, { began, isFullList: listed.isFullList, newestUpdatedAt })
}

async function list({ repository, observation, request }: OpenPullsReading, began: Date) {
  const { completedAt, fullyListedAt: walked_at, newestUpdatedAt: newest } = observation
  const isLongAgo = completedAt === null || began.getTime() - completedAt.getTime() >= fullListAfterMs
  const isFullList = newest === null || isLongAgo || isFullListDue({ walked_at, newest_updated_at: newest }, began)
  const pulls = isFullList
    ? await listLatestPulls(request, repository, mostPulls)
    : await listUpdatedPulls(request, repository, newest)
  return { isFullList, pulls }
}

/** Observed work does not expire while GitHub can not be asked. */
async function recordFailure({ db, repository, now }: OpenPullsReading): Promise<void> {
  await saveFailed(db, repository.id, now())
  await db.transaction((tx) => extendOpen(tx, repository.id, 'all', now()))
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
  const { db, repository, now } = reading
  const { number, head_sha: headSha, read_attempts: attempts } = pull
  const isAnswered = await wasAnswered(refreshFiles(reading, { number, headSha, attempts }))
  if (!isAnswered) await recordFailedReading(db, repository.id, pull, retryAt(attempts, now()))
}

/** Whether GitHub gave a usable response. */
async function wasAnswered(reading: Promise<unknown>): Promise<boolean> {
  return await reading.then(
    () => true,
    (error: unknown) => {
      if (error instanceof UnusableResponse) return false
      throw error
    },
  )
}

async function unlessCut(work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    if (!(error instanceof ReadingCut)) throw error
  })
}

/** Whether GitHub fails for everybody. A refusal of one token is no such failure. */
export function isFailure(error: unknown): boolean {
  if (!(error instanceof UnusableResponse)) return false
  const { response } = error
  return response.kind === 'failure' || ![403, 404, 451].includes(response.status)
}

import type { Database } from '../../db/database.ts'
import type { ObservedRepositoryRef, PullRequestFacts } from '../../observed/pull-requests/pull-request.ts'
import { endMissingPullRequest } from '../../observed/pull-requests/pull-request-ended.ts'
import { saveFiles } from '../../observed/pull-requests/save-files.ts'
import { nothingSaved, type SavedCounts, savePullRequest } from '../../observed/pull-requests/save-pull-request.ts'
import { readCurrentRepository } from './current-repository.ts'
import { readPull } from './list-pulls.ts'
import { type PullToRead, readPullFiles } from './pull-files.ts'
import type { SendRequest } from './read-response.ts'

export interface RefreshDeps {
  db: Database
  request: SendRequest
  repository: ObservedRepositoryRef
  now(): Date
}

/** Whether the files of the head were saved, and what else changed. */
export interface SavedReading {
  isRead: boolean
  counts: SavedCounts
}

/**
 * Reads the files of a pull request and saves them. Where its head moved or it ended meanwhile, saves that instead: its files
 * stay unread. Throws `UnusableResponse`.
 */
export async function refreshFiles(deps: RefreshDeps, pull: PullToRead): Promise<SavedReading> {
  const { db, request, repository, now } = deps
  const reading = await readPullFiles(request, repository, pull)
  if (reading.kind === 'changed') return { isRead: false, counts: await saveFacts(deps, reading.facts) }
  if (reading.kind === 'missing') return { isRead: false, counts: await endMissing(deps, pull.number) }
  const isRead = await db.transaction((tx) => saveFiles(tx, repository, pull.number, reading.read, now()))
  return { isRead, counts: nothingSaved }
}

/** Reads an open pull request that is missing from a list, and saves what became of it. Throws `UnusableResponse`. */
export async function refreshAbsent(deps: RefreshDeps, number: number): Promise<SavedCounts> {
  const facts = await readPull(deps.request, deps.repository, number)
  return facts === null ? endMissing(deps, number) : saveFacts(deps, facts)
}

function saveFacts({ db, repository, now }: RefreshDeps, facts: PullRequestFacts): Promise<SavedCounts> {
  return db.transaction((tx) => savePullRequest(tx, repository, facts, now()))
}

/** A repository that is hidden from the token responds as if its pull requests did not exist. */
async function endMissing(deps: RefreshDeps, number: number): Promise<SavedCounts> {
  const { db, request, repository, now } = deps
  await readCurrentRepository(request, repository)
  const ended = await db.transaction((tx) => endMissingPullRequest(tx, repository.id, number, now()))
  return { ...nothingSaved, ended }
}

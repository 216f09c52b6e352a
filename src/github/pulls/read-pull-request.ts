import type { FileChange } from '../../changes/file-change.ts'
import { githubFileChange } from '../../changes/github-file.ts'
import type { PullRequestFacts, ReadFiles } from '../../observed/pull-request.ts'
import { pathOf, readPull } from './list-pulls.ts'
import { parseCommits, parseFiles } from './pull-request-payload.ts'
import { isNotFound, type PullsRequest, type RepositoryToRead, readPages } from './pulls-request.ts'

const perPage = 100
/** After a failure the pages of files are smaller: GitHub may not make a large one in time. */
const perPageAfterFailure = 30

/** GitHub lists at most this many commits. */
const mostCommits = 250

/** What reading a pull request found. */
export type PullReading =
  | { kind: 'files'; read: ReadFiles<FileChange> }
  /** It ended, or its head changed while it was read. */
  | { kind: 'changed'; facts: PullRequestFacts }
  /** GitHub has no pull request of this number. */
  | { kind: 'missing' }

export interface PullToRead {
  number: number
  /** The head whose files are to be read. */
  headSha: string
  /** How often the reading failed before. */
  attempts: number
}

/**
 * Reads the files and commits of a head with two requests, and more where there are over 100 of either. The commits are read
 * last, and show whether the head is still this one: a list that belongs to another head is thrown away. Where GitHub lists
 * no files, the pull request itself decides whether it has ended. Throws `UnusableResponse`.
 */
export async function readPullRequest(
  request: PullsRequest,
  at: RepositoryToRead,
  pull: PullToRead,
): Promise<PullReading> {
  try {
    const files = await readFiles(request, at, pull)
    const commits = await readCommits(request, at, pull)
    const read = { headSha: pull.headSha, files, filesTotal: files.length, ...commits }
    if (commits.commits.at(-1) === pull.headSha) return { kind: 'files', read }
    const reading = await readState(request, at, pull)
    return reading ?? { kind: 'files', read }
  } catch (error) {
    const reading = isNotFound(error) ? await readState(request, at, pull) : null
    if (reading === null) throw error
    return reading
  }
}

/** Null if the pull request is open and has this head. */
async function readState(
  request: PullsRequest,
  at: RepositoryToRead,
  { number, headSha }: PullToRead,
): Promise<PullReading | null> {
  const facts = await readPull(request, at, number)
  if (facts === null) return { kind: 'missing' }
  return facts.state === 'open' && facts.headSha === headSha ? null : { kind: 'changed', facts }
}

async function readFiles(request: PullsRequest, at: RepositoryToRead, { number, attempts }: PullToRead) {
  const per_page = attempts === 0 ? perPage : perPageAfterFailure
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'
  const parameters = { ...pathOf(at), pull_number: number, per_page }
  const files = await readPages(request, { route, parameters }, { parse: parseFiles })
  return files.map(githubFileChange)
}

/** If there are more commits than GitHub lists, the last listed one is not the last commit. */
async function readCommits(request: PullsRequest, at: RepositoryToRead, { number }: PullToRead) {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits'
  const parameters = { ...pathOf(at), pull_number: number, per_page: perPage }
  const commits = await readPages(request, { route, parameters }, { parse: parseCommits })
  const isWhole = commits.length < mostCommits
  return { commits: commits.map(({ sha }) => sha), committedAt: isWhole ? (commits.at(-1)?.committedAt ?? null) : null }
}

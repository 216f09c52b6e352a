import type { FileChange } from '../../../core/changes/file-change.ts'
import { githubFileChange } from '../../../core/changes/github-file.ts'
import type { PullRequestFacts, ReadFiles } from '../../observed/pull-requests/pull-request.ts'
import { readWholePull } from './list-pulls.ts'
import { parseCommits, parseFiles } from './pull-request-payload.ts'
import { isNotFound, type RepositoryToRead, readPages, routeParameters, type SendRequest } from './read-response.ts'

const perPage = 100
/** After a failure the pages of files are smaller: GitHub may not make a large one in time. */
const perPageAfterFailure = 30

/** GitHub lists at most this many commits. */
const mostCommits = 250
/** GitHub lists at most this many files. */
const mostFiles = 3_000

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
 * no files, the pull request itself decides whether it has ended, and where GitHub lists no more files than these, how many
 * there are. Throws `UnusableResponse`.
 */
export async function readPullFiles(
  request: SendRequest,
  at: RepositoryToRead,
  pull: PullToRead,
): Promise<PullReading> {
  try {
    const files = await readFiles(request, at, pull)
    const commits = await readCommits(request, at, pull)
    const read = { headSha: pull.headSha, files, filesTotal: files.length, isPartlyListed: false, ...commits }
    const isWhole = files.length < mostFiles
    if (isWhole && commits.commits.at(-1) === pull.headSha) return { kind: 'files', read }
    const state = await readState(request, at, pull)
    if (state.kind !== 'same') return state
    return { kind: 'files', read: isWhole ? read : { ...read, ...countedFiles(files, state.filesTotal) } }
  } catch (error) {
    const state = isNotFound(error) ? await readState(request, at, pull) : null
    if (state === null || state.kind === 'same') throw error
    return state
  }
}

/** As many files are listed as GitHub lists at most. Where it does not say how many there are, there may be more. */
function countedFiles({ length }: readonly unknown[], filesTotal: number | null) {
  return { filesTotal: Math.max(length, filesTotal ?? 0), isPartlyListed: filesTotal === null || filesTotal > length }
}

/** `same`: the pull request is open and has this head. */
type PullState = Exclude<PullReading, { kind: 'files' }> | { kind: 'same'; filesTotal: number | null }

async function readState(
  request: SendRequest,
  at: RepositoryToRead,
  { number, headSha }: PullToRead,
): Promise<PullState> {
  const pull = await readWholePull(request, at, number)
  if (pull === null) return { kind: 'missing' }
  const { facts, filesTotal } = pull
  const isSame = facts.state === 'open' && facts.headSha === headSha
  return isSame ? { kind: 'same', filesTotal } : { kind: 'changed', facts }
}

async function readFiles(request: SendRequest, at: RepositoryToRead, { number, attempts }: PullToRead) {
  const per_page = attempts === 0 ? perPage : perPageAfterFailure
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files'
  const parameters = { ...routeParameters(at), pull_number: number, per_page }
  const files = await readPages(request, { route, parameters }, { parse: parseFiles })
  return files.map(githubFileChange)
}

/** If there are more commits than GitHub lists, the last listed one is not the last commit. */
async function readCommits(request: SendRequest, at: RepositoryToRead, { number }: PullToRead) {
  const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits'
  const parameters = { ...routeParameters(at), pull_number: number, per_page: perPage }
  const commits = await readPages(request, { route, parameters }, { parse: parseCommits })
  const isWhole = commits.length < mostCommits
  return { commits: commits.map(({ sha }) => sha), committedAt: isWhole ? (commits.at(-1)?.committedAt ?? null) : null }
}

import type { PullRequestFacts } from '../../observed/pull-requests/pull-request.ts'
import { type ParsedPullRequest, parsePullRequest, parsePullRequests } from './pull-request-payload.ts'
import {
  otherRepository,
  type RepositoryToRead,
  readBody,
  readPages,
  routeParameters,
  type SendRequest,
  UnusableResponse,
} from './read-response.ts'

const listRoute = 'GET /repos/{owner}/{repo}/pulls'
const perPage = 100
/** GitHub may not make a large page in time, so pages are smaller after a failure. */
const perPageAfterFailure = 30
/** Few pull requests change between two readings, and one in a list is some 20 kB. */
const perPageOfUpdates = 30

/** Lists all open pull requests, the oldest first. Throws `UnusableResponse`. */
export async function listOpenPulls(
  request: SendRequest,
  at: RepositoryToRead,
  { hasFailed = false }: { hasFailed?: boolean } = {},
): Promise<PullRequestFacts[]> {
  const per_page = hasFailed ? perPageAfterFailure : perPage
  const parameters = { ...routeParameters(at), state: 'open', sort: 'created', direction: 'asc', per_page }
  return factsOf(at, await readPages(request, { route: listRoute, parameters }, { parse: parsePullRequests }))
}

/** Lists at most `limit` open pull requests, the last updated first. Throws `UnusableResponse`. */
export async function listLatestPulls(
  request: SendRequest,
  at: RepositoryToRead,
  limit: number,
): Promise<PullRequestFacts[]> {
  const parameters = { ...routeParameters(at), state: 'open', sort: 'updated', direction: 'desc', per_page: perPage }
  const isEnough = (pulls: readonly unknown[]) => pulls.length >= limit
  const listed = await readPages(request, { route: listRoute, parameters }, { parse: parsePullRequests, isEnough })
  return factsOf(at, listed.slice(0, limit))
}

/** Lists the pull requests, ended ones too, that were updated at `since` or later. Throws `UnusableResponse`. */
export async function listUpdatedPulls(
  request: SendRequest,
  at: RepositoryToRead,
  since: Date,
): Promise<PullRequestFacts[]> {
  const isOld = ({ facts }: ParsedPullRequest) => facts.updatedAt < since
  const parameters = {
    ...routeParameters(at),
    state: 'all',
    sort: 'updated',
    direction: 'desc',
    per_page: perPageOfUpdates,
  }
  const isEnough = (pulls: readonly ParsedPullRequest[]) => pulls.some(isOld)
  const listed = await readPages(request, { route: listRoute, parameters }, { parse: parsePullRequests, isEnough })
  return factsOf(
    at,
    listed.filter((pull) => !isOld(pull)),
  )
}

/** Reads one pull request; null if GitHub has none of this number. Throws `UnusableResponse`. */
export async function readPull(
  request: SendRequest,
  at: RepositoryToRead,
  number: number,
): Promise<PullRequestFacts | null> {
  return (await readWholePull(request, at, number))?.facts ?? null
}

/** Reads one pull request and how many files it changes; null if GitHub has none of this number. Throws `UnusableResponse`. */
export async function readWholePull(
  request: SendRequest,
  at: RepositoryToRead,
  number: number,
): Promise<ParsedPullRequest | null> {
  const parameters = { ...routeParameters(at), pull_number: number }
  const response = await request({ route: 'GET /repos/{owner}/{repo}/pulls/{pull_number}', parameters })
  if (response.kind === 'response' && response.status === 404) return null
  const pull = readBody(response, parsePullRequest)
  if (pull.repositoryId !== at.id) throw new UnusableResponse(otherRepository)
  return pull
}

function factsOf({ id }: RepositoryToRead, pulls: readonly ParsedPullRequest[]): PullRequestFacts[] {
  if (pulls.some(({ repositoryId }) => repositoryId !== id)) throw new UnusableResponse(otherRepository)
  return newestOf(pulls.map(({ facts }) => facts))
}

/** The newest facts of each: a pull request may move to another page while the pages are read. */
export function newestOf(pulls: readonly PullRequestFacts[]): PullRequestFacts[] {
  const newest = new Map<number, PullRequestFacts>()
  for (const facts of pulls) {
    const known = newest.get(facts.number)
    if (known === undefined || known.updatedAt <= facts.updatedAt) newest.set(facts.number, facts)
  }
  return [...newest.values()]
}

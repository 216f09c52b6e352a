import { z } from 'zod'
import { nextPage } from '../github-response.ts'
import { readCurrentRepository } from '../pulls/current-repository.ts'
import {
  type RepositoryToRead,
  readBody,
  readPages,
  routeParameters,
  type SendRequest,
} from '../pulls/read-response.ts'

/** Up to this many branches are requested one by one. */
const maxSingleRequests = 50

/** The refs of the branches, as GitHub lists them. */
const Refs = z.array(z.object({ ref: z.string() }))
const Branches = z.array(z.object({ name: z.string() }))

export interface ListedBranches {
  /** Those of the wanted branches that exist. */
  branches: ReadonlySet<string>
  /** Whether the first response had all branches, so that its ETag stands for them. */
  isWhole: boolean
}

/**
 * Finds out which of these branches exist, with one request. A repository may have more branches than fit into one response (some
 * 5,000), or than GitHub lists in time. Then these are requested one by one if they are few, else all branches page by page.
 * Null for a repository without a commit, which says nothing. Throws `UnusableResponse`.
 */
export async function listBranches(
  request: SendRequest,
  at: RepositoryToRead,
  wanted: ReadonlySet<string>,
): Promise<ListedBranches | null> {
  const route = 'GET /repos/{owner}/{repo}/git/matching-refs/heads/'
  const response = await request({ route, parameters: routeParameters(at) })
  if (response.kind === 'response' && response.status === 409) return null
  const isTooLarge = response.kind === 'failure' || response.status >= 500 || nextPage(response) !== null
  if (isTooLarge) {
    const ask = wanted.size <= maxSingleRequests ? requestEach : byPages
    return { branches: await ask(request, at, wanted), isWhole: false }
  }
  const refs = readBody(response, (body) => Refs.parse(body))
  const listed = refs.flatMap(({ ref }) => /^refs\/heads\/(.+)$/s.exec(ref)?.[1] ?? [])
  return { branches: existing(wanted, listed), isWhole: true }
}

async function byPages(request: SendRequest, at: RepositoryToRead, wanted: ReadonlySet<string>): Promise<Set<string>> {
  const list = { route: 'GET /repos/{owner}/{repo}/branches', parameters: { ...routeParameters(at), per_page: 100 } }
  const listed = await readPages(request, list, { parse: (body) => Branches.parse(body) })
  const names = listed.map(({ name }) => name)
  const found = existing(wanted, names)
  // A deletion between two page requests can move a branch to an earlier page. Missing branches are requested again.
  const missed = new Set([...wanted].filter((branch) => !found.has(branch)))
  return new Set([...found, ...(await requestEach(request, at, missed))])
}

async function requestEach(
  request: SendRequest,
  at: RepositoryToRead,
  wanted: ReadonlySet<string>,
): Promise<Set<string>> {
  const branches = new Set<string>()
  for (const branch of wanted) if (await branchExists(request, at, branch)) branches.add(branch)
  // A repository that was hidden meanwhile responds as if its branches did not exist.
  if (branches.size < wanted.size) await readCurrentRepository(request, at)
  return branches
}

/** Requests the ref, since GitHub redirects the name of a renamed branch to its new name. */
async function branchExists(request: SendRequest, at: RepositoryToRead, branch: string): Promise<boolean> {
  const parameters = { ...routeParameters(at), ref: `heads/${branch}` }
  const response = await request({ route: 'GET /repos/{owner}/{repo}/git/ref/{ref}', parameters })
  if (response.kind === 'response' && response.status === 404) return false
  readBody(response, () => null)
  return true
}

function existing(wanted: ReadonlySet<string>, listed: readonly string[]): Set<string> {
  return new Set(listed.filter((branch) => wanted.has(branch)))
}

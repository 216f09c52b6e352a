import type { RepositoryName } from '../installation/installations.ts'
import { nextPage } from './rate-limit-headroom.ts'
import { type BranchWork, branchesOf, branchNamesOf, vanished } from './reconcile-rules.ts'
import { type AppResponse, type RequestAsInstallation, requireFound, SkipRepository } from './skip-repository.ts'

export interface ListedBranches {
  /** At least the existing branches among those of the work; null if unchanged or unknown. */
  branches: ReadonlySet<string> | null
  /** Null if the branches are unchanged. */
  etags: string[] | null
}

/** Up to this many branches are requested one by one. */
const maxSingleRequests = 50

/**
 * Lists the branches of a repository with one conditional request. A repository may have more branches than fit into one
 * response (some 5,000), or than GitHub lists in time. Then the branches of the work are requested one by one if they are
 * few, else all branches page by page.
 */
export async function listBranches(
  request: RequestAsInstallation,
  at: RepositoryName,
  { etags, work }: { etags: readonly string[]; work: readonly BranchWork[] },
): Promise<ListedBranches> {
  // New work needs the list even if the branches are unchanged.
  const etag = (work.every(({ seen }) => seen !== null) ? etags[0] : null) ?? null
  const response = await requestAll(request, at, etag)
  if (response?.status === 304) return { branches: null, etags: null }
  // A repository without a commit has no branches.
  if (response?.status === 409) return { branches: null, etags: [] }
  if (response !== null) requireFound(response)
  if (response !== null && nextPage(response) === null) {
    return { branches: new Set(branchesOf(response.body)), etags: response.headers.etag ? [response.headers.etag] : [] }
  }
  const names = new Set(work.map(({ branch }) => branch))
  const branches =
    names.size <= maxSingleRequests ? await requestEach(request, at, names) : await listByPages(request, at, work)
  return { branches, etags: [] }
}

/** Null if GitHub gives no response, or one that is too large. */
async function requestAll(
  request: RequestAsInstallation,
  at: RepositoryName,
  etag: string | null,
): Promise<AppResponse | null> {
  try {
    return await request({ route: 'GET /repos/{owner}/{repo}/git/matching-refs/heads/', parameters: at, etag })
  } catch (error) {
    if (error instanceof SkipRepository && error.reason === 'failed') return null
    throw error
  }
}

async function listByPages(
  request: RequestAsInstallation,
  at: RepositoryName,
  work: readonly BranchWork[],
): Promise<Set<string>> {
  const branches = new Set<string>()
  for (let page = 1; ; page++) {
    const parameters = { ...at, per_page: 100, page }
    const response = await request({ route: 'GET /repos/{owner}/{repo}/branches', parameters })
    requireFound(response)
    for (const branch of branchNamesOf(response.body)) branches.add(branch)
    if (nextPage(response) === null) break
  }
  // A deletion between two page requests can move a branch to an earlier page. Missing branches are requested again.
  const missed = new Set(vanished(work, branches).map(({ branch }) => branch))
  return new Set([...branches, ...(await requestEach(request, at, missed))])
}

async function requestEach(
  request: RequestAsInstallation,
  at: RepositoryName,
  wanted: ReadonlySet<string>,
): Promise<Set<string>> {
  const branches = new Set<string>()
  for (const branch of wanted) if (await branchExists(request, at, branch)) branches.add(branch)
  // A repository that was hidden meanwhile responds as if its branches did not exist.
  if (branches.size < wanted.size) requireFound(await request({ route: 'GET /repos/{owner}/{repo}', parameters: at }))
  return branches
}

/** Requests the ref, since GitHub redirects the name of a renamed branch to its new name. */
async function branchExists(request: RequestAsInstallation, at: RepositoryName, branch: string): Promise<boolean> {
  const response = await request({
    route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
    parameters: { ...at, ref: `heads/${branch}` },
  })
  if (response.status === 404) return false
  requireFound(response)
  return true
}

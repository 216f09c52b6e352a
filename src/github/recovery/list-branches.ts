import { nextPage } from './rate-limit-headroom.ts'
import { type BranchWork, branchesOf, branchNamesOf, vanished } from './reconcile-rules.ts'
import { type AppResponse, type RequestAsInstallation, requireFound, SkipRepository } from './skip-repository.ts'

export type RepositoryName = { owner: string; repo: string }

export interface ListedBranches {
  /** Those of the work at least; null where they are as they were, or there is no telling. */
  branches: ReadonlySet<string> | null
  /** Null where they are as they were. */
  etags: string[] | null
}

/** Up to so many branches are asked for one by one: a list that is too large for one answer has more pages. */
const few = 50

/**
 * Which branches are there: by one conditional question for all of them. A repository can have more of them than fit into
 * one answer (from some 5,000 on) or than GitHub lists in time: then those of the work are asked for one by one where they
 * are few, and else page by page.
 */
export async function listBranches(
  ask: RequestAsInstallation,
  at: RepositoryName,
  { etags, work }: { etags: readonly string[]; work: readonly BranchWork[] },
): Promise<ListedBranches> {
  // Work that nobody has looked for yet needs the list even where it is as it was.
  const etag = (work.every(({ seen }) => seen !== null) ? etags[0] : null) ?? null
  const answer = await askForAll(ask, at, etag)
  if (answer?.status === 304) return { branches: null, etags: null }
  // A repository without a commit: no branch of it was ever seen.
  if (answer?.status === 409) return { branches: null, etags: [] }
  if (answer !== null) requireFound(answer)
  if (answer !== null && nextPage(answer) === null) {
    return { branches: new Set(branchesOf(answer.body)), etags: answer.headers.etag ? [answer.headers.etag] : [] }
  }
  const names = new Set(work.map(({ branch }) => branch))
  const branches = names.size <= few ? await lookForEach(ask, at, names) : await listByPages(ask, at, work)
  return { branches, etags: [] }
}

/** Null where GitHub gives no answer, or one that is too large. */
async function askForAll(
  ask: RequestAsInstallation,
  at: RepositoryName,
  etag: string | null,
): Promise<AppResponse | null> {
  try {
    return await ask({ route: 'GET /repos/{owner}/{repo}/git/matching-refs/heads/', parameters: at, etag })
  } catch (error) {
    if (error instanceof SkipRepository && error.reason === 'failed') return null
    throw error
  }
}

async function listByPages(
  ask: RequestAsInstallation,
  at: RepositoryName,
  work: readonly BranchWork[],
): Promise<Set<string>> {
  const branches = new Set<string>()
  for (let page = 1; ; page++) {
    const parameters = { ...at, per_page: 100, page }
    const answer = await ask({ route: 'GET /repos/{owner}/{repo}/branches', parameters })
    requireFound(answer)
    for (const branch of branchNamesOf(answer.body)) branches.add(branch)
    if (nextPage(answer) === null) break
  }
  // Between two pages a deletion moves a branch from the later to the earlier: who is missed is looked for again.
  const missed = new Set(vanished(work, branches).map(({ branch }) => branch))
  return new Set([...branches, ...(await lookForEach(ask, at, missed))])
}

async function lookForEach(
  ask: RequestAsInstallation,
  at: RepositoryName,
  wanted: ReadonlySet<string>,
): Promise<Set<string>> {
  const branches = new Set<string>()
  for (const branch of wanted) if (await isThere(ask, at, branch)) branches.add(branch)
  // A repository that is hidden meanwhile answers as if none of its branches were there.
  if (branches.size < wanted.size) requireFound(await ask({ route: 'GET /repos/{owner}/{repo}', parameters: at }))
  return branches
}

/** By its ref: asked for by its name, GitHub leads from a branch that was renamed to the new one. */
async function isThere(ask: RequestAsInstallation, at: RepositoryName, branch: string): Promise<boolean> {
  const answer = await ask({
    route: 'GET /repos/{owner}/{repo}/git/ref/{ref}',
    parameters: { ...at, ref: `heads/${branch}` },
  })
  if (answer.status === 404) return false
  requireFound(answer)
  return true
}

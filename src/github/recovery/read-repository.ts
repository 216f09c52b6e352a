import { z } from 'zod'
import type { Merge } from '../../activity/events/on-branch-event.ts'
import { parseRepositoryResponse, type VisibleRepository } from '../access/parse-access-response.ts'
import type { RepositoryName } from '../installation/installations.ts'
import { listBranches } from './list-branches.ts'
import { nextPage } from './rate-limit-headroom.ts'
import type { Target } from './reconcile.sql.ts'
import { type BranchWork, mergesOf, updatesSince } from './reconcile-rules.ts'
import type { ReconcileState } from './reconcile-store.ts'
import { type RequestAsInstallation, requireFound, SkipRepository } from './skip-repository.ts'

/** What has changed in a repository since the last pass. */
export interface RepositoryChanges {
  repository: Pick<VisibleRepository, 'owner' | 'name' | 'defaultBranch'>
  merges: Merge[]
  /** Null if the branches are unchanged, or no work has a branch. */
  branches: ReadonlySet<string> | null
  /** `heads_etags` is null if the branches are unchanged. */
  etags: Pick<ReconcileState, 'repository_etag' | 'pulls_etag'> & { heads_etags: string[] | null }
}

const pullsPerPage = 20

/**
 * Reads a repository with three conditional requests, and more if a list has more pages. Throws `SkipRepository`.
 *
 * GitHub's ETags are bound to the token (github/docs#34689), and an installation token lives for an hour. So ETags only save
 * calls if passes are more frequent. An hourly pass costs three calls for each repository; each owner has at least 5,000
 * calls an hour.
 */
export async function readRepository(
  request: RequestAsInstallation,
  target: Target,
  { saved, work }: { saved: ReconcileState | null; work: readonly BranchWork[] },
): Promise<RepositoryChanges> {
  try {
    const { repository, etag } = await findRepository(request, target, saved)
    const at = { owner: repository.owner, repo: repository.name }
    const pulls = await listMerges(request, at, { target, saved, defaultBranch: repository.defaultBranch })
    const heads = work.length === 0 ? null : await listBranches(request, at, { etags: saved?.heads_etags ?? [], work })
    return {
      repository,
      merges: pulls.merges,
      branches: heads?.branches ?? null,
      etags: { repository_etag: etag, pulls_etag: pulls.etag, heads_etags: heads === null ? [] : heads.etags },
    }
  } catch (error) {
    if (error instanceof z.ZodError) throw new SkipRepository('failed', 'a response of another shape than GitHub’s')
    throw error
  }
}

/**
 * Checks that the name still belongs to this repository: an empty list of branches of another one would archive all work.
 */
async function findRepository(
  request: RequestAsInstallation,
  { id, owner, name }: Target,
  saved: ReconcileState | null,
) {
  const known = saved?.full_name === `${owner}/${name}` ? saved : null
  const etag = known?.repository_etag ?? null
  const response = await request({ route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo: name }, etag })
  if (response.status === 304 && known)
    return { repository: { owner, name, defaultBranch: known.default_branch }, etag }
  const result = parseRepositoryResponse(response, null, 0)
  if (result.kind !== 'visible')
    throw new SkipRepository('not_visible', `the App cannot see it (status ${response.status})`)
  if (result.repository.id !== id) throw new SkipRepository('not_visible', 'its name belongs to another repository')
  return { repository: result.repository, etag: result.etag }
}

async function listMerges(
  request: RequestAsInstallation,
  at: RepositoryName,
  { target, saved, defaultBranch }: { target: Target; saved: ReconcileState | null; defaultBranch: string },
) {
  const since = updatesSince(saved?.reconciled_at ?? null, target.oldestWork)
  const merges: Merge[] = []
  let first: string | null = null
  for (let page = 1; ; page++) {
    const etag = page === 1 ? (saved?.pulls_etag ?? null) : null
    const response = await request({
      route: 'GET /repos/{owner}/{repo}/pulls',
      parameters: { ...at, state: 'closed', sort: 'updated', direction: 'desc', per_page: pullsPerPage, page },
      etag,
    })
    if (response.status === 304 && etag !== null) return { merges, etag }
    requireFound(response)
    if (page === 1) first = response.headers.etag ?? null
    const listed = mergesOf(response.body, { repositoryId: target.id, defaultBranch, since })
    merges.push(...listed.merges)
    if (listed.complete || nextPage(response) === null) return { merges, etag: first }
  }
}

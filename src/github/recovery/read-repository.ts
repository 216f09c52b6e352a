import { z } from 'zod'
import type { Merge } from '../../activity/on-branch-event.ts'
import { parseRepositoryResponse, type VisibleRepository } from '../access/parse-access-response.ts'
import { listBranches, type RepositoryName } from './list-branches.ts'
import { nextPage } from './rate-limit-headroom.ts'
import { type BranchWork, mergesOf, updatesSince } from './reconcile-rules.ts'
import type { ReconcileState, Target } from './reconcile-store.ts'
import { type RequestAsInstallation, requireFound, SkipRepository } from './skip-repository.ts'

/** What GitHub shows of a repository, as far as it has changed since the last pass. */
export interface RepositoryChanges {
  repository: Pick<VisibleRepository, 'owner' | 'name' | 'defaultBranch'>
  merges: Merge[]
  /** Null where the branches are as they were, or no work has one. */
  branches: ReadonlySet<string> | null
  /** Those of the branches are null where they are as they were. */
  etags: Pick<ReconcileState, 'repository_etag' | 'pulls_etag'> & { heads_etags: string[] | null }
}

const pullsPerPage = 20

/**
 * Looks at a repository by three conditional questions, and more where a list has more pages. Throws `Unanswered`.
 * GitHub's ETags are bound to the token (github/docs#34689), and an installation's lives for an hour: they save calls to
 * passes that come more often. One an hour costs three calls for each repository, of 5,000 an hour for each owner at least.
 */
export async function readRepository(
  ask: RequestAsInstallation,
  target: Target,
  { kept, work }: { kept: ReconcileState | null; work: readonly BranchWork[] },
): Promise<RepositoryChanges> {
  try {
    const { repository, etag } = await lookUp(ask, target, kept)
    const at = { owner: repository.owner, repo: repository.name }
    const pulls = await listMerges(ask, at, { target, kept, defaultBranch: repository.defaultBranch })
    const heads = work.length === 0 ? null : await listBranches(ask, at, { etags: kept?.heads_etags ?? [], work })
    return {
      repository,
      merges: pulls.merges,
      branches: heads?.branches ?? null,
      etags: { repository_etag: etag, pulls_etag: pulls.etag, heads_etags: heads === null ? [] : heads.etags },
    }
  } catch (error) {
    if (error instanceof z.ZodError) throw new SkipRepository('failed', 'an answer of another shape than GitHub’s')
    throw error
  }
}

/** That the name is of that repository still: an empty list of branches of another one would archive everything. */
async function lookUp(ask: RequestAsInstallation, { id, owner, name }: Target, kept: ReconcileState | null) {
  const known = kept?.full_name === `${owner}/${name}` ? kept : null
  const etag = known?.repository_etag ?? null
  const answer = await ask({ route: 'GET /repos/{owner}/{repo}', parameters: { owner, repo: name }, etag })
  if (answer.status === 304 && known) return { repository: { owner, name, defaultBranch: known.default_branch }, etag }
  const seen = parseRepositoryResponse(answer, null, 0)
  if (seen.kind !== 'visible')
    throw new SkipRepository('not_visible', `the App can not see it (status ${answer.status})`)
  if (seen.repository.id !== id) throw new SkipRepository('not_visible', 'its name is another repository’s now')
  return { repository: seen.repository, etag: seen.etag }
}

async function listMerges(
  ask: RequestAsInstallation,
  at: RepositoryName,
  { target, kept, defaultBranch }: { target: Target; kept: ReconcileState | null; defaultBranch: string },
) {
  const since = updatesSince(kept?.reconciled_at ?? null, target.oldestWork)
  const merges: Merge[] = []
  let first: string | null = null
  for (let page = 1; ; page++) {
    const etag = page === 1 ? (kept?.pulls_etag ?? null) : null
    const answer = await ask({
      route: 'GET /repos/{owner}/{repo}/pulls',
      parameters: { ...at, state: 'closed', sort: 'updated', direction: 'desc', per_page: pullsPerPage, page },
      etag,
    })
    if (answer.status === 304 && etag !== null) return { merges, etag }
    requireFound(answer)
    if (page === 1) first = answer.headers.etag ?? null
    const listed = mergesOf(answer.body, { repositoryId: target.id, defaultBranch, since })
    merges.push(...listed.merges)
    if (listed.complete || nextPage(answer) === null) return { merges, etag: first }
  }
}

import type { GithubData, Repository } from '../data.ts'
import { pageOf } from '../page.ts'
import { mayUse } from '../permissions.ts'
import type { BranchChanges } from '../pull-data.ts'
import { type Call, notAccessible, notFound, type Reply, type RepositoryRoute } from '../route.ts'
import type { Links } from '../shapes/account.ts'
import { commitShape } from '../shapes/branch.ts'
import { pullCommitShape, pullFileShape } from '../shapes/pull-parts.ts'

/** GitHub lists no more files of a comparison, all on its first page. */
const mostFiles = 300

export const compareRoute: RepositoryRoute = { method: 'GET', path: '/compare/{basehead}', handle: compare }

/** Compares the default branch with a branch or a commit. Knows what branches change, and no history. */
function compare(call: Call, repository: Repository): Reply {
  const { data, token, params, links, url } = call
  if (!mayUse(data, token, repository, 'contents', 'read')) return notAccessible(token)
  const [base = '', head = ''] = (params.basehead ?? '').split('...')
  const baseSha = repository.branches.get(base)
  const headSha = repository.branches.get(head) ?? head
  const changes = changesOf(repository, headSha)
  if (baseSha === undefined || changes === undefined) return notFound()
  const { items, headers } = pageOf(call, changes.commits)
  const isFirst = (url.searchParams.get('page') ?? '1') === '1'
  const files = isFirst ? changes.files.slice(0, mostFiles) : []
  return {
    status: 200,
    headers,
    body: {
      ...comparisonShape(repository, { baseSha, headSha, aheadBy: changes.commits.length }, links),
      commits: items.map((commit) => shapeOfCommit(data, repository, { commit, changes, baseSha }, links)),
      files: files.map((file) => pullFileShape(repository, { baseSha, headSha }, file, links)),
    },
  }
}

function changesOf({ branches, changes }: Repository, sha: string): BranchChanges | undefined {
  const known = [...changes.values()].find(({ commits }) => commits.some((commit) => commit.sha === sha))
  if (known !== undefined) {
    const at = known.commits.findIndex((commit) => commit.sha === sha)
    return { files: known.files, commits: known.commits.slice(0, at + 1) }
  }
  return [...branches.values()].includes(sha) ? { files: [], commits: [] } : undefined
}

interface Compared {
  baseSha: string
  headSha: string
  aheadBy: number
}

function comparisonShape(repository: Repository, { baseSha, headSha, aheadBy }: Compared, links: Links) {
  const path = `${repository.owner}/${repository.name}/compare/${baseSha}...${headSha}`
  const web = `${links.web}/${path}`
  const base = commitShape(repository, baseSha, links)
  return {
    url: `${links.api}/repos/${path}`,
    html_url: web,
    permalink_url: web,
    diff_url: `${web}.diff`,
    patch_url: `${web}.patch`,
    base_commit: base,
    merge_base_commit: base,
    status: aheadBy === 0 ? 'identical' : 'ahead',
    ahead_by: aheadBy,
    behind_by: 0,
    total_commits: aheadBy,
  }
}

function shapeOfCommit(
  data: GithubData,
  repository: Repository,
  {
    commit,
    changes: { commits },
    baseSha,
  }: { commit: BranchChanges['commits'][number]; changes: BranchChanges; baseSha: string },
  links: Links,
) {
  const parent = commits[commits.indexOf(commit) - 1]?.sha ?? baseSha
  return pullCommitShape(data, repository, commit, parent, links)
}

import { issuesClosedBy } from '../../observed/closing-issues.ts'
import type { Linking } from '../../records/pull-links.ts'

/** What is read of a pull request, of a list, of a single answer and of an event alike. */
export interface GithubPull {
  number: number
  title: string
  body?: string | null
  state: string
  draft?: boolean
  user: { login: string } | null
  author_association: string
  created_at: string
  updated_at: string
  closed_at: string | null
  merged_at: string | null
  /** `repo` is null where the fork is gone. */
  head: { ref: string; sha: string; repo: { id: number } | null; user: { login: string } | null }
  base: { ref: string; repo: { id: number; private: boolean } }
}

/** When a pull request ended, and whether it was merged; null while it is open. */
export interface PullEnd {
  isMerged: boolean
  at: Date
}

const members: readonly string[] = ['OWNER', 'MEMBER', 'COLLABORATOR']

/** What GitHub says about a pull request, as columns of `pull_requests`. */
export function pullFactsOf(pull: GithubPull, { repository, githubServerUrl }: Linking) {
  const { head, base } = pull
  const headId = head.repo && BigInt(head.repo.id)
  return {
    number: pull.number,
    is_open: pull.state === 'open',
    is_draft: pull.draft ?? false,
    title: titleOf(pull),
    author_login: pull.user?.login ?? null,
    is_outsider: headId !== repository.id && !base.repo.private && !members.includes(pull.author_association),
    issues: issuesClosedBy(pull, repository, githubServerUrl),
    head_sha: head.sha,
    head_branch: head.ref,
    head_repository_id: headId,
    head_owner: head.user?.login ?? null,
    base_branch: base.ref,
    opened_at: new Date(pull.created_at),
    github_updated_at: new Date(pull.updated_at),
  }
}

export type PullFacts = ReturnType<typeof pullFactsOf>

export function endOf({ state, merged_at, closed_at, updated_at }: GithubPull): PullEnd | null {
  if (state === 'open') return null
  return { isMerged: merged_at !== null, at: new Date(merged_at ?? closed_at ?? updated_at) }
}

const longestTitle = 200

/** One line without control characters, which the API promises of every title. */
function titleOf({ title, number }: GithubPull): string {
  const line = title.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return Array.from(line.trim()).slice(0, longestTitle).join('').trim() || `Pull request #${number}`
}

import { findAccount, type GithubData, type Repository } from '../data.ts'
import type { ChangedFile, Pull } from '../pull-data.ts'
import { type AccountShape, accountShape, instant, instantOrNull, type Links, nodeId } from './account.ts'
import { repositoryShape } from './repository.ts'

export function accountOf(data: GithubData, login: string, links: Links): AccountShape {
  const account = findAccount(data, login)
  if (account === undefined) throw new Error(`the stand-in has no account ${login}`)
  return accountShape(account, links)
}

/** A pull request in a list. */
export function pullShape(data: GithubData, repository: Repository, pull: Pull, links: Links) {
  const { id, number } = pull
  const fullName = `${repository.owner}/${repository.name}`
  const api = `${links.api}/repos/${fullName}`
  const url = `${api}/pulls/${number}`
  const html_url = `${links.web}/${fullName}/pull/${number}`
  const issue_url = `${api}/issues/${number}`
  const urls = {
    url,
    html_url,
    issue_url,
    commits_url: `${url}/commits`,
    review_comments_url: `${url}/comments`,
    review_comment_url: `${api}/pulls/comments{/number}`,
    comments_url: `${issue_url}/comments`,
    statuses_url: `${api}/statuses/${pull.headSha}`,
  }
  return {
    ...urls,
    id,
    node_id: nodeId('PR', id),
    diff_url: `${html_url}.diff`,
    patch_url: `${html_url}.patch`,
    number,
    state: pull.state,
    locked: false,
    title: pull.title,
    user: accountOf(data, pull.author, links),
    body: pull.body,
    created_at: instant(pull.createdAt),
    updated_at: instant(pull.updatedAt),
    closed_at: instantOrNull(pull.closedAt),
    merged_at: instantOrNull(pull.mergedAt),
    merge_commit_sha: pull.mergeSha,
    assignee: null,
    assignees: [],
    requested_reviewers: [],
    requested_teams: [],
    labels: [],
    milestone: null,
    draft: pull.draft,
    head: headOf(data, pull, links),
    base: {
      label: `${repository.owner}:${pull.base}`,
      ref: pull.base,
      sha: pull.baseSha,
      user: accountOf(data, repository.owner, links),
      repo: repositoryShape(data, repository, links),
    },
    _links: linksOf(urls),
    author_association: pull.authorAssociation,
    auto_merge: null,
    active_lock_reason: null,
  }
}

/** A single pull request or the one of an event, with the fields that lists omit. */
export function wholePullShape(data: GithubData, repository: Repository, pull: Pull, links: Links) {
  const merged = pull.mergedAt !== null
  const state = merged ? 'unknown' : pull.mergeableState
  const mergeable = state === 'unknown' ? null : state !== 'dirty'
  const sum = (count: (file: ChangedFile) => number) => pull.files.reduce((total, file) => total + count(file), 0)
  return {
    ...pullShape(data, repository, pull, links),
    merged,
    mergeable,
    rebaseable: mergeable,
    mergeable_state: state,
    merged_by: merged ? accountOf(data, pull.author, links) : null,
    comments: 0,
    review_comments: 0,
    maintainer_can_modify: false,
    commits: pull.commits.length,
    additions: sum(({ additions }) => additions),
    deletions: sum(({ deletions }) => deletions),
    changed_files: pull.files.length,
  }
}

// The repository of a deleted fork is null, although GitHub's own description does not allow it.
function headOf(data: GithubData, pull: Pull, links: Links) {
  const repository = pull.headRepositoryId === null ? undefined : data.repositories.get(pull.headRepositoryId)
  return {
    label: `${pull.headOwner}:${pull.head}`,
    ref: pull.head,
    sha: pull.headSha,
    user: accountOf(data, pull.headOwner, links),
    repo: repository === undefined ? null : repositoryShape(data, repository, links),
  }
}

function linksOf(urls: Record<'url' | 'html_url' | 'issue_url', string> & Record<string, string>) {
  const link = (href = '') => ({ href })
  return {
    self: link(urls.url),
    html: link(urls.html_url),
    issue: link(urls.issue_url),
    comments: link(urls.comments_url),
    review_comments: link(urls.review_comments_url),
    review_comment: link(urls.review_comment_url),
    commits: link(urls.commits_url),
    statuses: link(urls.statuses_url),
  }
}

import { findAccount, type GithubData, type Repository } from '../data.ts'
import { accountShape, instant, type Links, nodeId } from './account.ts'

const urlEndings = {
  archive_url: '/{archive_format}{/ref}',
  assignees_url: '/assignees{/user}',
  blobs_url: '/git/blobs{/sha}',
  branches_url: '/branches{/branch}',
  collaborators_url: '/collaborators{/collaborator}',
  comments_url: '/comments{/number}',
  commits_url: '/commits{/sha}',
  compare_url: '/compare/{base}...{head}',
  contents_url: '/contents/{+path}',
  contributors_url: '/contributors',
  deployments_url: '/deployments',
  downloads_url: '/downloads',
  events_url: '/events',
  forks_url: '/forks',
  git_commits_url: '/git/commits{/sha}',
  git_refs_url: '/git/refs{/sha}',
  git_tags_url: '/git/tags{/sha}',
  hooks_url: '/hooks',
  issue_comment_url: '/issues/comments{/number}',
  issue_events_url: '/issues/events{/number}',
  issues_url: '/issues{/number}',
  keys_url: '/keys{/key_id}',
  labels_url: '/labels{/name}',
  languages_url: '/languages',
  merges_url: '/merges',
  milestones_url: '/milestones{/number}',
  notifications_url: '/notifications{?since,all,participating}',
  pulls_url: '/pulls{/number}',
  releases_url: '/releases{/id}',
  stargazers_url: '/stargazers',
  statuses_url: '/statuses/{sha}',
  subscribers_url: '/subscribers',
  subscription_url: '/subscription',
  tags_url: '/tags',
  teams_url: '/teams',
  trees_url: '/git/trees{/sha}',
} as const

type Urls = { -readonly [Name in keyof typeof urlEndings]: string }

function urlsUnder(url: string): Urls {
  const urls: Urls = { ...urlEndings }
  for (const name of Object.keys(urlEndings) as (keyof Urls)[]) urls[name] = url + urlEndings[name]
  return urls
}

/** A repository as a part of other responses and of events. */
export function repositoryShape(data: GithubData, repository: Repository, links: Links) {
  const { id, owner, name } = repository
  const account = findAccount(data, owner)
  if (account === undefined) throw new Error(`the stand-in has no account ${owner}`)
  const fullName = `${owner}/${name}`
  const webUrl = `${links.web}/${fullName}`
  const url = `${links.api}/repos/${fullName}`
  const host = new URL(links.web).host
  const openPulls = repository.pulls.filter(({ state }) => state === 'open').length
  return {
    id,
    node_id: nodeId('R', id),
    name,
    full_name: fullName,
    private: repository.private,
    owner: accountShape(account, links),
    html_url: webUrl,
    description: null,
    fork: repository.fork,
    url,
    ...urlsUnder(url),
    git_url: `git://${host}/${fullName}.git`,
    ssh_url: `git@${host}:${fullName}.git`,
    clone_url: `${webUrl}.git`,
    svn_url: webUrl,
    homepage: null,
    size: repository.files.size,
    stargazers_count: 0,
    watchers_count: 0,
    language: null,
    has_issues: true,
    has_projects: false,
    has_downloads: true,
    has_wiki: false,
    has_pages: false,
    has_discussions: false,
    forks_count: 0,
    mirror_url: null,
    archived: repository.archived,
    disabled: false,
    open_issues_count: openPulls,
    license: null,
    allow_forking: true,
    is_template: false,
    web_commit_signoff_required: false,
    topics: [],
    visibility: repository.private ? 'private' : 'public',
    forks: 0,
    open_issues: openPulls,
    watchers: 0,
    default_branch: repository.defaultBranch,
    created_at: instant(repository.createdAt),
    updated_at: instant(repository.updatedAt),
    pushed_at: instant(repository.pushedAt ?? repository.createdAt),
  }
}

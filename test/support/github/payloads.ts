import { findAccount, type GithubData, type Repository } from './data.ts'
import { installationOf } from './installation-of.ts'
import type { Pull } from './pull-data.ts'
import { type Links, nodeId, organizationShape } from './shapes/account.ts'
import { accountOf, wholePullShape } from './shapes/pull.ts'
import { repositoryShape } from './shapes/repository.ts'

/** The data and the links from which a payload is built. A running stand-in has both. */
export interface EventContext {
  data: GithubData
  links: Links
}

const noCommit = '0'.repeat(40)

/** The fields of every event of a repository. `sender` is a login, by default the owner's. */
export function aboutRepository({ data, links }: EventContext, repository: Repository, sender = repository.owner) {
  const owner = findAccount(data, repository.owner)
  const installation = installationOf(data, repository)
  return {
    repository: { ...repositoryShape(data, repository, links), custom_properties: {} },
    ...(owner?.type === 'Organization' ? { organization: organizationShape(owner, links) } : {}),
    ...(installation === undefined
      ? {}
      : { installation: { id: installation.id, node_id: nodeId('I', installation.id) } }),
    sender: accountOf(data, sender, links),
  }
}

export type PullRequestAction =
  | 'opened'
  | 'closed'
  | 'reopened'
  | 'ready_for_review'
  | 'converted_to_draft'
  | 'edited'
  | 'synchronize'

/** Additional fields of `edited` and `synchronize`: the previous values. */
export type PullRequestDetails = { changes: PullRequestChanges } | { before: string; after: string }

/** The event has no former body where that was null. */
export interface PullRequestChanges {
  title?: { from: string }
  body?: { from: string }
  base?: { ref: { from: string }; sha: { from: string } }
}

// GitHub computes whether it can be merged after these.
const notComputed = { mergeable: null, rebaseable: null, mergeable_state: 'unknown' }
const computedLater: readonly PullRequestAction[] = ['opened', 'reopened', 'synchronize']

export function pullRequestEvent(
  scene: EventContext,
  repository: Repository,
  pull: Pull,
  action: PullRequestAction,
  details?: PullRequestDetails,
) {
  const { data, links } = scene
  const shape = wholePullShape(data, repository, pull, links)
  return {
    action,
    number: pull.number,
    pull_request: computedLater.includes(action) ? { ...shape, ...notComputed } : shape,
    ...details,
    ...aboutRepository(scene, repository, pull.author),
  }
}

export function deleteEvent(
  scene: EventContext,
  repository: Repository,
  ref: string,
  type: 'branch' | 'tag' = 'branch',
) {
  return { ref, ref_type: type, pusher_type: 'user', ...aboutRepository(scene, repository) }
}

export function createEvent(
  scene: EventContext,
  repository: Repository,
  ref: string,
  type: 'branch' | 'tag' = 'branch',
) {
  return {
    ref,
    ref_type: type,
    master_branch: repository.defaultBranch,
    description: null,
    pusher_type: 'user',
    ...aboutRepository(scene, repository),
  }
}

export interface PushedCommit {
  id: string
  message?: string
  added?: string[]
  modified?: string[]
  removed?: string[]
}

/** `before` is null if the push creates the branch, `after` if it deletes it. */
export interface Pushed {
  branch: string
  before: string | null
  after: string | null
  commits: PushedCommit[]
  forced?: boolean
  /** The login of who pushes, by default the owner's. */
  author?: string
}

export function pushEvent(scene: EventContext, repository: Repository, pushed: Pushed) {
  const { data, links } = scene
  const { author = repository.owner } = pushed
  const { repository: shown, ...others } = aboutRepository(scene, repository, author)
  const webUrl = `${links.web}/${repository.owner}/${repository.name}`
  const person = { name: author, email: 'pusher@example.com' }
  const commits = pushed.commits.map(({ id, message = 'Work', added = [], modified = [], removed = [] }) => ({
    id,
    tree_id: id,
    distinct: true,
    message,
    timestamp: new Date(data.now()).toISOString(),
    url: `${webUrl}/commit/${id}`,
    author: { ...person, username: author },
    committer: { ...person, username: author },
    added,
    removed,
    modified,
  }))
  return {
    ref: `refs/heads/${pushed.branch}`,
    before: pushed.before ?? noCommit,
    after: pushed.after ?? noCommit,
    created: pushed.before === null,
    deleted: pushed.after === null,
    forced: pushed.forced ?? false,
    base_ref: null,
    compare: `${webUrl}/compare/${pushed.before ?? noCommit}...${pushed.after ?? noCommit}`,
    commits,
    head_commit: commits.at(-1) ?? null,
    // Only in a push event, two times are in seconds, and the owner has a name and an email.
    repository: {
      ...shown,
      owner: { ...shown.owner, name: shown.owner.login, email: null },
      created_at: Math.floor(repository.createdAt.getTime() / 1000),
      pushed_at: Math.floor((repository.pushedAt ?? repository.createdAt).getTime() / 1000),
      stargazers: 0,
      ...('organization' in others ? { organization: repository.owner } : {}),
      master_branch: repository.defaultBranch,
    },
    pusher: person,
    ...others,
  }
}

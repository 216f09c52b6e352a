import { installationOf } from './installed.ts'
import { type Links, nodeId, organizationShape } from './shapes/account.ts'
import { accountOf, wholePullShape } from './shapes/pull.ts'
import { repositoryShape } from './shapes/repository.ts'
import { findAccount, type Pull, type Repository, type World } from './world.ts'

/** Where a payload is made from: a running stand-in is one. */
export interface Scene {
  world: World
  links: Links
}

const noCommit = '0'.repeat(40)

/** What every event of a repository carries; `sender` is a login, the owner's by default. */
export function aboutRepository({ world, links }: Scene, repository: Repository, sender = repository.owner) {
  const owner = findAccount(world, repository.owner)
  const installation = installationOf(world, repository)
  return {
    repository: { ...repositoryShape(world, repository, links), custom_properties: {} },
    ...(owner?.type === 'Organization' ? { organization: organizationShape(owner, links) } : {}),
    ...(installation === undefined
      ? {}
      : { installation: { id: installation.id, node_id: nodeId('I', installation.id) } }),
    sender: accountOf(world, sender, links),
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

/** What `edited` and `synchronize` tell besides: what there was before. */
export type PullRequestDetails =
  | { changes: { title?: { from: string }; body?: { from: string } } }
  | { before: string; after: string }

export function pullRequestEvent(
  scene: Scene,
  repository: Repository,
  pull: Pull,
  action: PullRequestAction,
  details?: PullRequestDetails,
) {
  const { world, links } = scene
  return {
    action,
    number: pull.number,
    pull_request: wholePullShape(world, repository, pull, links),
    ...details,
    ...aboutRepository(scene, repository, pull.author),
  }
}

export function deleteEvent(scene: Scene, repository: Repository, ref: string, type: 'branch' | 'tag' = 'branch') {
  return { ref, ref_type: type, pusher_type: 'user', ...aboutRepository(scene, repository) }
}

export function createEvent(scene: Scene, repository: Repository, ref: string, type: 'branch' | 'tag' = 'branch') {
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

/** `before` null where the push makes the branch, `after` null where it deletes it. */
export interface Pushed {
  branch: string
  before: string | null
  after: string | null
  commits: PushedCommit[]
  forced?: boolean
}

export function pushEvent(scene: Scene, repository: Repository, pushed: Pushed) {
  const { world, links } = scene
  const { repository: shown, ...others } = aboutRepository(scene, repository)
  const webUrl = `${links.web}/${repository.owner}/${repository.name}`
  const person = { name: repository.owner, email: 'pusher@example.com' }
  const commits = pushed.commits.map(({ id, message = 'Work', added = [], modified = [], removed = [] }) => ({
    id,
    tree_id: id,
    distinct: true,
    message,
    timestamp: new Date(world.now()).toISOString(),
    url: `${webUrl}/commit/${id}`,
    author: { ...person, username: repository.owner },
    committer: { ...person, username: repository.owner },
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
    // In a push, and there alone, two instants are seconds, and the owner has a name and an address.
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

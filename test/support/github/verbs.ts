import * as app from './app-payloads.ts'
import { addPull } from './declare.ts'
import type { Hook } from './hook.ts'
import { newSha } from './ids.ts'
import {
  createEvent,
  deleteEvent,
  type PullRequestAction,
  type PullRequestDetails,
  type PushedCommit,
  pullRequestEvent,
  pushEvent,
  type Scene,
} from './payloads.ts'
import { nameKey, type Pull, type Repository, repositoryOf } from './world.ts'

/** A repository of the world, or what a test knows of it. */
export interface Named {
  id: number | bigint
}

export interface Opening {
  head: string
  base?: string
  title?: string
  draft?: boolean
  author?: string
  /** A fork that the head branch is in. */
  from?: Named
}

export type Verbs = ReturnType<typeof createVerbs>

/** What people do on GitHub: each changes the world, and then delivers the events that GitHub sends of it, in turn. */
export function createVerbs(scene: Scene, hook: Hook) {
  const { world } = scene
  const now = () => new Date(world.now())

  async function tell(event: string, payload: object): Promise<void> {
    // An App without a hook gets no events.
    if (world.app.hookUrl !== null) await hook.deliver(event, payload)
  }

  function found(named: Named): Repository {
    return repositoryOf(world, Number(named.id))
  }

  function pullOf(repository: Repository, number: number): Pull {
    const pull = repository.pulls.find((one) => one.number === number)
    if (pull === undefined) throw new Error(`the stand-in has no pull request ${number} in ${repository.name}`)
    return pull
  }

  async function changePull(
    named: Named,
    number: number,
    action: PullRequestAction,
    facts: Partial<Pull>,
    details?: PullRequestDetails,
  ): Promise<Pull> {
    const repository = found(named)
    const pull = Object.assign(pullOf(repository, number), { updatedAt: now(), ...facts })
    await tell('pull_request', pullRequestEvent(scene, repository, pull, action, details))
    return pull
  }

  function closePullRequest(named: Named, number: number): Promise<Pull> {
    return changePull(named, number, 'closed', { state: 'closed', closedAt: now() })
  }

  /** `files`: what the push leaves at a path, null for what it removes; on the default branch they become the files. */
  async function push(named: Named, branch: string, files: Record<string, string | null> = {}): Promise<void> {
    const repository = found(named)
    const before = repository.branches.get(branch) ?? null
    const commit = commitOf(repository, files)
    repository.branches.set(branch, commit.id)
    repository.pushedAt = now()
    if (branch === repository.defaultBranch) keepFiles(repository, files)
    if (before === null) await tell('create', createEvent(scene, repository, branch))
    await tell('push', pushEvent(scene, repository, { branch, before, after: commit.id, commits: [commit] }))
    for (const { number, headSha } of openFrom(repository, branch)) {
      const details = { before: headSha, after: commit.id }
      await changePull(named, number, 'synchronize', { headSha: commit.id }, details)
    }
  }

  /** Pull requests that are open from the branch are closed. */
  async function deleteBranch(named: Named, branch: string): Promise<void> {
    const repository = found(named)
    const before = repository.branches.get(branch) ?? newSha()
    repository.branches.delete(branch)
    repository.pushedAt = now()
    for (const { number } of openFrom(repository, branch)) await closePullRequest(named, number)
    await tell('push', pushEvent(scene, repository, { branch, before, after: null, commits: [] }))
    await tell('delete', deleteEvent(scene, repository, branch))
  }

  return {
    push,
    deleteBranch,
    async openPullRequest(named: Named, { from, ...opening }: Opening): Promise<Pull> {
      const repository = found(named)
      const head = from === undefined ? repository : found(from)
      if (!head.branches.has(opening.head)) head.branches.set(opening.head, newSha())
      const headSha = head.branches.get(opening.head) ?? newSha()
      const pull = addPull(world, repository, { ...opening, headRepositoryId: head.id, headOwner: head.owner, headSha })
      await tell('pull_request', pullRequestEvent(scene, repository, pull, 'opened'))
      return pull
    },
    closePullRequest,
    reopenPullRequest: (named: Named, number: number) =>
      changePull(named, number, 'reopened', { state: 'open', closedAt: null }),
    markReady: (named: Named, number: number) => changePull(named, number, 'ready_for_review', { draft: false }),
    convertToDraft: (named: Named, number: number) => changePull(named, number, 'converted_to_draft', { draft: true }),
    retitle(named: Named, number: number, title: string): Promise<Pull> {
      const { title: from } = pullOf(found(named), number)
      return changePull(named, number, 'edited', { title }, { changes: { title: { from } } })
    },
    /** The base branch is pushed to as well, and with `deleteBranch` the head branch goes. */
    async mergePullRequest(
      named: Named,
      number: number,
      options: { files?: Record<string, string | null>; deleteBranch?: boolean } = {},
    ): Promise<Pull> {
      const { head, base, headRepositoryId } = pullOf(found(named), number)
      await push(named, base, options.files)
      const merged = { state: 'closed', closedAt: now(), mergedAt: now(), mergeSha: newSha(), draft: false } as const
      const pull = await changePull(named, number, 'closed', merged)
      if (options.deleteBranch && headRepositoryId !== null) await deleteBranch({ id: headRepositoryId }, head)
      return pull
    },
    async renameRepository(named: Named, name: string): Promise<void> {
      const repository = found(named)
      const former = repository.name
      move(repository, { name })
      await tell('repository', app.renamedEvent(scene, repository, former))
    },
    /** To an account that exists. */
    async transferRepository(named: Named, owner: string): Promise<void> {
      const repository = found(named)
      const former = repository.owner
      move(repository, { owner })
      await tell('repository', app.transferredEvent(scene, repository, former))
    },
    async setPrivate(named: Named, isPrivate: boolean): Promise<void> {
      const repository = Object.assign(found(named), { private: isPrivate })
      await tell('repository', app.visibilityEvent(scene, repository))
    },
    async setDefaultBranch(named: Named, branch: string): Promise<void> {
      const repository = found(named)
      const former = repository.defaultBranch
      repository.defaultBranch = branch
      if (!repository.branches.has(branch)) repository.branches.set(branch, newSha())
      await tell('repository', app.defaultBranchEvent(scene, repository, former))
    },
  }

  function move(repository: Repository, to: { owner?: string; name?: string }): void {
    world.formerNames.set(nameKey(repository.owner, repository.name), repository.id)
    Object.assign(repository, to, { updatedAt: now() })
  }
}

function openFrom({ id, pulls }: Repository, branch: string): Pull[] {
  return pulls.filter((one) => one.state === 'open' && one.headRepositoryId === id && one.head === branch)
}

function commitOf({ files }: Repository, changes: Record<string, string | null>): PushedCommit {
  const paths = Object.keys(changes)
  const kept = paths.filter((path) => changes[path] !== null)
  return {
    id: newSha(),
    added: kept.filter((path) => !files.has(path)),
    modified: kept.filter((path) => files.has(path)),
    removed: paths.filter((path) => changes[path] === null),
  }
}

function keepFiles({ files }: Repository, changes: Record<string, string | null>): void {
  for (const [path, text] of Object.entries(changes)) {
    if (text === null) files.delete(path)
    else files.set(path, text)
  }
}

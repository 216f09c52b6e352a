import { addPull } from './declare.ts'
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
import { found, type Named, type Tell } from './tell.ts'
import type { Pull, Repository } from './world.ts'

export interface Opening {
  head: string
  base?: string
  title?: string
  draft?: boolean
  author?: string
  /** A fork that the head branch is in. */
  from?: Named
}

/** What people do in a repository: each changes the world, and then tells the App what GitHub sends of it, in turn. */
export function createBranchVerbs(scene: Scene, tell: Tell) {
  const { world } = scene
  const now = () => new Date(world.now())

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
    const repository = found(world, named)
    const pull = Object.assign(pullOf(repository, number), { updatedAt: now(), ...facts })
    await tell(repository, 'pull_request', pullRequestEvent(scene, repository, pull, action, details))
    return pull
  }

  function closePullRequest(named: Named, number: number): Promise<Pull> {
    return changePull(named, number, 'closed', { state: 'closed', closedAt: now() })
  }

  /** `files`: what the push leaves at a path, null for what it removes; on the default branch they become the files. */
  async function push(named: Named, branch: string, files: Record<string, string | null> = {}): Promise<void> {
    const repository = found(world, named)
    const before = repository.branches.get(branch) ?? null
    const commit = commitOf(repository, files)
    repository.branches.set(branch, commit.id)
    repository.pushedAt = now()
    if (branch === repository.defaultBranch) keepFiles(repository, files)
    if (before === null) await tell(repository, 'create', createEvent(scene, repository, branch))
    await tell(
      repository,
      'push',
      pushEvent(scene, repository, { branch, before, after: commit.id, commits: [commit] }),
    )
    for (const { number, headSha } of openFrom(repository, branch)) {
      const details = { before: headSha, after: commit.id }
      await changePull(named, number, 'synchronize', { headSha: commit.id }, details)
    }
  }

  /** Pull requests that are open from the branch are closed. */
  async function deleteBranch(named: Named, branch: string): Promise<void> {
    const repository = found(world, named)
    const before = repository.branches.get(branch) ?? newSha()
    repository.branches.delete(branch)
    repository.pushedAt = now()
    for (const { number } of openFrom(repository, branch)) await closePullRequest(named, number)
    await tell(repository, 'push', pushEvent(scene, repository, { branch, before, after: null, commits: [] }))
    await tell(repository, 'delete', deleteEvent(scene, repository, branch))
  }

  return {
    push,
    deleteBranch,
    /** No tag is kept, as nobody asks for one. */
    deleteTag: (named: Named, tag: string): Promise<void> => {
      const repository = found(world, named)
      return tell(repository, 'delete', deleteEvent(scene, repository, tag, 'tag'))
    },
    async openPullRequest(named: Named, { from, ...opening }: Opening): Promise<Pull> {
      const repository = found(world, named)
      const head = from === undefined ? repository : found(world, from)
      if (!head.branches.has(opening.head)) head.branches.set(opening.head, newSha())
      const headSha = head.branches.get(opening.head) ?? newSha()
      const pull = addPull(world, repository, { ...opening, headRepositoryId: head.id, headOwner: head.owner, headSha })
      await tell(repository, 'pull_request', pullRequestEvent(scene, repository, pull, 'opened'))
      return pull
    },
    closePullRequest,
    reopenPullRequest: (named: Named, number: number) =>
      changePull(named, number, 'reopened', { state: 'open', closedAt: null }),
    markReady: (named: Named, number: number) => changePull(named, number, 'ready_for_review', { draft: false }),
    convertToDraft: (named: Named, number: number) => changePull(named, number, 'converted_to_draft', { draft: true }),
    retitle(named: Named, number: number, title: string): Promise<Pull> {
      const { title: from } = pullOf(found(world, named), number)
      return changePull(named, number, 'edited', { title }, { changes: { title: { from } } })
    },
    /** The base branch is pushed to as well, and with `deleteBranch` the head branch goes. */
    async mergePullRequest(
      named: Named,
      number: number,
      options: { files?: Record<string, string | null>; deleteBranch?: boolean } = {},
    ): Promise<Pull> {
      const { head, base, headRepositoryId } = pullOf(found(world, named), number)
      await push(named, base, options.files)
      const merged = { state: 'closed', closedAt: now(), mergedAt: now(), mergeSha: newSha(), draft: false } as const
      const pull = await changePull(named, number, 'closed', merged)
      if (options.deleteBranch && headRepositoryId !== null) await deleteBranch({ id: headRepositoryId }, head)
      return pull
    },
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

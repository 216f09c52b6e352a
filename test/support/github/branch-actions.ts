import { addPull } from './build-data.ts'
import type { Pull, Repository } from './data.ts'
import { newSha } from './ids.ts'
import {
  createEvent,
  deleteEvent,
  type EventContext,
  type PullRequestAction,
  type PullRequestDetails,
  type PushedCommit,
  pullRequestEvent,
  pushEvent,
} from './payloads.ts'
import { findById, type RepositoryRef, type SendEvent } from './send-event.ts'

export interface Opening {
  head: string
  base?: string
  title?: string
  draft?: boolean
  author?: string
  /** The fork of the head branch. */
  from?: RepositoryRef
}

/** Actions on branches and pull requests. Each changes the data and sends GitHub's events in order. */
export function createBranchActions(scene: EventContext, sendEvent: SendEvent) {
  const { data } = scene
  const now = () => new Date(data.now())

  function pullOf(repository: Repository, number: number): Pull {
    const pull = repository.pulls.find((one) => one.number === number)
    if (pull === undefined) throw new Error(`the stand-in has no pull request ${number} in ${repository.name}`)
    return pull
  }

  async function changePull(
    named: RepositoryRef,
    number: number,
    action: PullRequestAction,
    facts: Partial<Pull>,
    details?: PullRequestDetails,
  ): Promise<Pull> {
    const repository = findById(data, named)
    const pull = Object.assign(pullOf(repository, number), { updatedAt: now(), ...facts })
    await sendEvent(repository, 'pull_request', pullRequestEvent(scene, repository, pull, action, details))
    return pull
  }

  function closePullRequest(named: RepositoryRef, number: number): Promise<Pull> {
    return changePull(named, number, 'closed', { state: 'closed', closedAt: now() })
  }

  /** `files` are the new texts by path; null removes a file. On the default branch they become the files of the repository. */
  async function push(named: RepositoryRef, branch: string, files: Record<string, string | null> = {}): Promise<void> {
    const repository = findById(data, named)
    const before = repository.branches.get(branch) ?? null
    const commit = commitOf(repository, files)
    repository.branches.set(branch, commit.id)
    repository.pushedAt = now()
    if (branch === repository.defaultBranch) keepFiles(repository, files)
    if (before === null) await sendEvent(repository, 'create', createEvent(scene, repository, branch))
    await sendEvent(
      repository,
      'push',
      pushEvent(scene, repository, { branch, before, after: commit.id, commits: [commit] }),
    )
    for (const { number, headSha } of openFrom(repository, branch)) {
      const details = { before: headSha, after: commit.id }
      await changePull(named, number, 'synchronize', { headSha: commit.id }, details)
    }
  }

  /** Also closes the open pull requests of the branch. */
  async function deleteBranch(named: RepositoryRef, branch: string): Promise<void> {
    const repository = findById(data, named)
    const before = repository.branches.get(branch) ?? newSha()
    repository.branches.delete(branch)
    repository.pushedAt = now()
    for (const { number } of openFrom(repository, branch)) await closePullRequest(named, number)
    await sendEvent(repository, 'push', pushEvent(scene, repository, { branch, before, after: null, commits: [] }))
    await sendEvent(repository, 'delete', deleteEvent(scene, repository, branch))
  }

  return {
    push,
    deleteBranch,
    /** Only sends the event: tags are not stored. */
    deleteTag: (named: RepositoryRef, tag: string): Promise<void> => {
      const repository = findById(data, named)
      return sendEvent(repository, 'delete', deleteEvent(scene, repository, tag, 'tag'))
    },
    async openPullRequest(named: RepositoryRef, { from, ...opening }: Opening): Promise<Pull> {
      const repository = findById(data, named)
      const head = from === undefined ? repository : findById(data, from)
      if (!head.branches.has(opening.head)) head.branches.set(opening.head, newSha())
      const headSha = head.branches.get(opening.head) ?? newSha()
      const pull = addPull(data, repository, { ...opening, headRepositoryId: head.id, headOwner: head.owner, headSha })
      await sendEvent(repository, 'pull_request', pullRequestEvent(scene, repository, pull, 'opened'))
      return pull
    },
    closePullRequest,
    reopenPullRequest: (named: RepositoryRef, number: number) =>
      changePull(named, number, 'reopened', { state: 'open', closedAt: null }),
    markReady: (named: RepositoryRef, number: number) =>
      changePull(named, number, 'ready_for_review', { draft: false }),
    convertToDraft: (named: RepositoryRef, number: number) =>
      changePull(named, number, 'converted_to_draft', { draft: true }),
    retitle(named: RepositoryRef, number: number, title: string): Promise<Pull> {
      const { title: from } = pullOf(findById(data, named), number)
      return changePull(named, number, 'edited', { title }, { changes: { title: { from } } })
    },
    /** Also pushes to the base branch. With `deleteBranch` it deletes the head branch. */
    async mergePullRequest(
      named: RepositoryRef,
      number: number,
      options: { files?: Record<string, string | null>; deleteBranch?: boolean } = {},
    ): Promise<Pull> {
      const { head, base, headRepositoryId } = pullOf(findById(data, named), number)
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

import { addAccount } from './build-data.ts'
import { changedFile, type FileInput, withTexts } from './changed-files.ts'
import { addAutomaticSuite } from './check-data.ts'
import { type CommitInput, newCommits } from './commits.ts'
import type { Repository } from './data.ts'
import { newSha } from './ids.ts'
import { createEvent, deleteEvent, type EventContext, type PushedCommit, pushEvent } from './payloads.ts'
import { type PullActions, pullOf } from './pull-actions.ts'
import type { BranchChanges, Commit, Pull } from './pull-data.ts'
import { findById, type RepositoryRef, type SendEvent } from './send-event.ts'

/** The new texts by path; null removes a file. */
type Texts = Record<string, string | null>

export interface PushOptions {
  /** What the branch changes from now on (see `FileInput`), instead of the changes that follow from the texts. */
  changed?: readonly FileInput[]
  /** Oldest first; by default one of now. */
  commits?: readonly CommitInput[]
  /** Whether the commits replace those of the branch. */
  forced?: boolean
  /** The login of who pushes, by default the owner's. */
  author?: string
}

/** Actions on branches. Each changes the data and sends GitHub's events in order. */
export function createBranchActions(scene: EventContext, sendEvent: SendEvent, pulls: PullActions) {
  const { data } = scene

  /**
   * Texts on the default branch become the files of the repository. Each open pull request of the branch, also of a fork's,
   * gets its files and commits from it, and sends `synchronize` after the push.
   */
  async function push(
    named: RepositoryRef,
    branch: string,
    files: Texts = {},
    options: PushOptions = {},
  ): Promise<void> {
    const repository = findById(data, named)
    const before = repository.branches.get(branch) ?? null
    const { author = repository.owner, forced = false } = options
    addAccount(data, author)
    const commits = newCommits(data, options.commits ?? [{}], author)
    const after = commits.at(-1)?.sha ?? newSha()
    const pushed = commits.map((commit): PushedCommit => ({ id: commit.sha, message: commit.message }))
    Object.assign(pushed.at(-1) ?? {}, pathsOf(repository, files))
    repository.branches.set(branch, after)
    addAutomaticSuite(data, repository, after)
    repository.pushedAt = new Date(data.now())
    const former = repository.changes.get(branch) ?? openFrom(repository, branch)[0]?.pull
    changeBranch(repository, branch, files, { ...options, former, commits })
    const moved = openFrom(repository, branch).map(({ base, pull }) => {
      const { headSha } = pull
      const facts = { headSha: after, ...repository.changes.get(branch) }
      return { base, pull: Object.assign(pull, facts), details: { before: headSha, after } }
    })
    if (before === null) await sendEvent(repository, 'create', createEvent(scene, repository, branch))
    await sendEvent(
      repository,
      'push',
      pushEvent(scene, repository, { branch, before, after, commits: pushed, forced, author }),
    )
    for (const { base, pull, details } of moved) {
      await pulls.changePull(base, pull.number, 'synchronize', {}, details)
    }
  }

  /** Also closes the open pull requests of the branch. */
  async function deleteBranch(named: RepositoryRef, branch: string): Promise<void> {
    const repository = findById(data, named)
    const before = repository.branches.get(branch) ?? newSha()
    repository.branches.delete(branch)
    repository.changes.delete(branch)
    repository.pushedAt = new Date(data.now())
    for (const { base, pull } of openFrom(repository, branch)) await pulls.closePullRequest(base, pull.number)
    await sendEvent(repository, 'push', pushEvent(scene, repository, { branch, before, after: null, commits: [] }))
    await sendEvent(repository, 'delete', deleteEvent(scene, repository, branch))
  }

  function openFrom({ id }: Repository, branch?: string): { base: Repository; pull: Pull }[] {
    return [...data.repositories.values()].flatMap((base) =>
      base.pulls
        .filter((pull) => pull.state === 'open' && pull.headRepositoryId === id)
        .filter(({ head }) => branch === undefined || head === branch)
        .map((pull) => ({ base, pull })),
    )
  }

  return {
    push,
    deleteBranch,
    /** Only sends the event: tags are not stored. */
    deleteTag: (named: RepositoryRef, tag: string): Promise<void> => {
      const repository = findById(data, named)
      return sendEvent(repository, 'delete', deleteEvent(scene, repository, tag, 'tag'))
    },
    /** Also pushes to the base branch. With `deleteBranch` it deletes the head branch. */
    async mergePullRequest(
      named: RepositoryRef,
      number: number,
      options: { files?: Texts; deleteBranch?: boolean } = {},
    ): Promise<Pull> {
      const repository = findById(data, named)
      const { head, base, headRepositoryId } = pullOf(repository, number)
      await push(named, base, options.files)
      const at = new Date(data.now())
      const mergeSha = repository.branches.get(base) ?? newSha()
      const merged = { state: 'closed', closedAt: at, mergedAt: at, mergeSha, draft: false } as const
      const pull = await pulls.changePull(named, number, 'closed', merged)
      if (options.deleteBranch && headRepositoryId !== null) await deleteBranch({ id: headRepositoryId }, head)
      return pull
    },
    /**
     * Deletes a fork. GitHub closes its open pull requests, and their `head.repo` is null from then on. It leaves them
     * open if the fork is gone in another way, such as with its account: `keepsOpen`. Sends no event of the fork itself.
     */
    async deleteFork(named: RepositoryRef, { keepsOpen = false } = {}): Promise<void> {
      const fork = findById(data, named)
      const opened = openFrom(fork)
      data.repositories.delete(fork.id)
      for (const { pulls: all } of data.repositories.values()) {
        for (const pull of all) if (pull.headRepositoryId === fork.id) pull.headRepositoryId = null
      }
      if (keepsOpen) return
      for (const { base, pull } of opened) await pulls.closePullRequest(base, pull.number)
    },
  }
}

function changeBranch(
  repository: Repository,
  branch: string,
  texts: Texts,
  { changed, forced, former, commits }: PushOptions & { former: BranchChanges | undefined; commits: readonly Commit[] },
): void {
  const { changes, files, defaultBranch } = repository
  // The default branch has changes of its own only in a fork.
  if (branch !== defaultBranch || former !== undefined) {
    changes.set(branch, {
      files: changed?.map(changedFile) ?? withTexts(former?.files ?? [], files, texts),
      commits: forced ? commits : [...(former?.commits ?? []), ...commits],
    })
  }
  if (branch === defaultBranch) keepFiles(repository, texts)
}

function pathsOf({ files }: Repository, texts: Texts): Omit<PushedCommit, 'id'> {
  const paths = Object.keys(texts)
  const kept = paths.filter((path) => texts[path] !== null)
  return {
    added: kept.filter((path) => !files.has(path)),
    modified: kept.filter((path) => files.has(path)),
    removed: paths.filter((path) => texts[path] === null),
  }
}

function keepFiles({ files }: Repository, texts: Texts): void {
  for (const [path, text] of Object.entries(texts)) {
    if (text === null) files.delete(path)
    else files.set(path, text)
  }
}

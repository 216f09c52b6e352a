import { addPull } from './build-data.ts'
import { changedFile, type FileInput } from './changed-files.ts'
import { addAutomaticSuite } from './check-data.ts'
import { type CommitInput, newCommits } from './commits.ts'
import type { Repository } from './data.ts'
import { newSha } from './ids.ts'
import { type EventContext, type PullRequestAction, type PullRequestDetails, pullRequestEvent } from './payloads.ts'
import type { AuthorAssociation, BranchChanges, Pull } from './pull-data.ts'
import { findById, type RepositoryRef, type SendEvent } from './send-event.ts'

export interface Opening {
  head: string
  base?: string
  title?: string
  body?: string | null
  draft?: boolean
  /** A login, by default the owner's. It becomes an account; one that ends in `[bot]` is a bot. */
  author?: string
  /** By default `OWNER` for the owner, `COLLABORATOR` for a login with a role, and `NONE`. */
  association?: AuthorAssociation
  /** The fork of the head branch. */
  from?: RepositoryRef
  /** The changed files (see `FileInput`), by default those that were pushed to the head branch. */
  files?: readonly FileInput[]
  /** Oldest first; by default those that were pushed to the head branch, or one of now. */
  commits?: readonly CommitInput[]
  number?: number
  createdAt?: Date
  updatedAt?: Date
  mergeableState?: Pull['mergeableState']
}

/** What an edit of a pull request changes. */
export interface Edit {
  title?: string
  body?: string
  base?: string
}

export type PullActions = ReturnType<typeof createPullActions>

/** Actions on pull requests. Each changes the data, sends GitHub's event, and resolves when it is delivered. */
export function createPullActions(scene: EventContext, sendEvent: SendEvent) {
  const { data } = scene
  const now = () => new Date(data.now())

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

  /** Changes the title, the body or the base branch, as one `edited` event with the former values. */
  function editPullRequest(named: RepositoryRef, number: number, { title, body, base }: Edit): Promise<Pull> {
    const repository = findById(data, named)
    const former = pullOf(repository, number)
    const changes = {
      ...(title === undefined ? {} : { title: { from: former.title } }),
      ...(body === undefined || former.body === null ? {} : { body: { from: former.body } }),
      ...(base === undefined ? {} : { base: { ref: { from: former.base }, sha: { from: former.baseSha } } }),
    }
    const facts = {
      ...(title === undefined ? {} : { title }),
      ...(body === undefined ? {} : { body }),
      ...(base === undefined ? {} : { base, baseSha: repository.branches.get(base) ?? newSha() }),
    }
    return changePull(named, number, 'edited', facts, { changes })
  }

  /** What the head branch changes: what is given, or what was pushed to it. */
  function changesOf(head: Repository, opening: Opening, author: string): BranchChanges {
    const pushed = head.changes.get(opening.head)
    const commits = opening.commits ?? pushed?.commits ?? [commitOfBranch(head, opening)]
    return { files: opening.files?.map(changedFile) ?? pushed?.files ?? [], commits: newCommits(data, commits, author) }
  }

  return {
    changePull,
    /** Opens a pull request, and creates its head branch if there is none. */
    async openPullRequest(named: RepositoryRef, opening: Opening): Promise<Pull> {
      const { from, files, commits, association, ...facts } = opening
      const repository = findById(data, named)
      const head = from === undefined ? repository : findById(data, from)
      const changes = changesOf(head, opening, facts.author ?? repository.owner)
      const headSha = changes.commits.at(-1)?.sha ?? newSha()
      head.branches.set(opening.head, headSha)
      addAutomaticSuite(data, head, headSha)
      head.changes.set(opening.head, changes)
      const pull = addPull(data, repository, {
        ...facts,
        ...changes,
        ...(association === undefined ? {} : { authorAssociation: association }),
        headRepositoryId: head.id,
        headOwner: head.owner,
        headSha,
      })
      await sendEvent(repository, 'pull_request', pullRequestEvent(scene, repository, pull, 'opened'))
      return pull
    },
    closePullRequest: (named: RepositoryRef, number: number) =>
      changePull(named, number, 'closed', { state: 'closed', closedAt: now() }),
    reopenPullRequest: (named: RepositoryRef, number: number) =>
      changePull(named, number, 'reopened', { state: 'open', closedAt: null }),
    markReady: (named: RepositoryRef, number: number) =>
      changePull(named, number, 'ready_for_review', { draft: false }),
    convertToDraft: (named: RepositoryRef, number: number) =>
      changePull(named, number, 'converted_to_draft', { draft: true }),
    editPullRequest,
    retitle: (named: RepositoryRef, number: number, title: string) => editPullRequest(named, number, { title }),
  }
}

function commitOfBranch({ branches }: Repository, { head, createdAt }: Opening): CommitInput {
  return { sha: branches.get(head) ?? newSha(), ...(createdAt === undefined ? {} : { committedAt: createdAt }) }
}

export function pullOf(repository: Repository, number: number): Pull {
  const pull = repository.pulls.find((one) => one.number === number)
  if (pull === undefined) throw new Error(`the stand-in has no pull request ${number} in ${repository.name}`)
  return pull
}

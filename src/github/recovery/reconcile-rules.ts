import { z } from 'zod'
import { tolerance } from '../../activity/events/event-time.ts'
import type { Merge } from '../../activity/events/on-branch-event.ts'
import { isMerged } from '../pulls/pull-request-payload.ts'
import { headInSameRepository, PullRequestEvent } from '../webhooks/webhook-payloads.ts'

/** GitHub's clock may differ from ours, and its lists lag. */
const overlapMs = 5 * 60_000

/** A pull request in GitHub's list. It has the fields of an event's, except for the repository. */
const ListedPull = z
  .object({ updated_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)) })
  .loose()
const BaseRepository = z.object({ base: z.object({ repo: z.unknown() }) })

export interface ListedMerges {
  merges: Merge[]
  /** Whether the list reached back to `since`. */
  complete: boolean
}

/** Since when updates of pull requests are new: the last pass, but not before the oldest live work. */
export function updatesSince(lastPass: Date | null, oldestWork: Date): Date {
  const oldest = oldestWork.getTime() - tolerance
  return new Date(lastPass === null ? oldest : Math.max(oldest, lastPass.getTime() - overlapMs))
}

/**
 * The merges in one page of closed pull requests, newest update first, that were updated since `since`. Throws a `ZodError`
 * if the body is of another shape than GitHub's.
 */
export function mergesOf(
  body: unknown,
  context: { repositoryId: bigint; defaultBranch: string; since: Date },
): ListedMerges {
  const pulls = z.array(ListedPull).parse(body)
  const recent = pulls.filter(({ updated_at }) => updated_at >= context.since)
  return { merges: recent.flatMap((pull) => mergeOf(pull, context) ?? []), complete: recent.length < pulls.length }
}

function mergeOf(pull: unknown, context: { repositoryId: bigint; defaultBranch: string }): Merge | null {
  const repository = BaseRepository.parse(pull).base.repo
  const event = PullRequestEvent.parse({ action: 'closed', repository, pull_request: pull })
  const { number, base, merged_at } = event.pull_request
  if (!isMerged(event.pull_request) || event.repository.id !== context.repositoryId) return null
  return {
    repositoryId: context.repositoryId,
    number,
    head: headInSameRepository(event),
    base: base?.ref ?? null,
    defaultBranch: context.defaultBranch,
    mergedAt: merged_at,
  }
}

const Ref = z.object({ ref: z.string() })

/** The branches in a list of refs. Throws a `ZodError`. */
export function branchesOf(body: unknown): string[] {
  return z
    .array(Ref)
    .parse(body)
    .flatMap(({ ref }) => /^refs\/heads\/(.+)$/s.exec(ref)?.[1] ?? [])
}

const Branch = z.object({ name: z.string() })

/** The names in a page of branches. Throws a `ZodError`. */
export function branchNamesOf(body: unknown): string[] {
  return z
    .array(Branch)
    .parse(body)
    .map(({ name }) => name)
}

/** A live activity on a branch. `seen` is null before the first pass that looks for the branch. */
export interface BranchWork {
  id: string
  branch: string
  seen: boolean | null
  /** Whether it is a pushed branch: its push showed that the branch existed. */
  isPushed: boolean
}

/** The work whose branch existed, and no longer does. */
export function vanished(work: readonly BranchWork[], branches: ReadonlySet<string>): BranchWork[] {
  return work.filter(({ seen, isPushed, branch }) => (seen === true || isPushed) && !branches.has(branch))
}

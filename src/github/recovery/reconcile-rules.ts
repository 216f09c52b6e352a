import { z } from 'zod'
import { tolerance } from '../../activity/events/event-time.ts'
import type { Merge } from '../../activity/events/on-branch-event.ts'
import { headBranchIn } from '../../observed/pull-request.ts'
import { parsePullRequests } from '../pulls/pull-request-payload.ts'

/** GitHub's clock may differ from ours, and its lists lag. */
const overlapMs = 5 * 60_000

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
  const pulls = parsePullRequests(body)
  const recent = pulls.filter(({ facts }) => facts.updatedAt >= context.since)
  const { repositoryId, defaultBranch } = context
  const merges = recent
    .filter((pull) => pull.repositoryId === repositoryId && pull.facts.state === 'merged')
    .map(({ facts }) => ({
      ...{ repositoryId, number: facts.number, base: facts.baseRef, defaultBranch, mergedAt: facts.endedAt },
      head: headBranchIn(facts, repositoryId),
    }))
  return { merges, complete: recent.length < pulls.length }
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

import { z } from 'zod'
import { tolerance } from '../../activity/event-time.ts'
import type { Merge } from '../../activity/on-branch-event.ts'
import { headInSameRepository, PullRequestEvent } from '../webhooks/webhook-payloads.ts'

/** GitHub's clock is not ours, and its lists follow a little later. */
const overlapMs = 5 * 60_000

/** A pull request as GitHub's list has it: its facts are those of an event, but that it names its own repository. */
const ListedPull = z
  .object({ updated_at: z.iso.datetime({ offset: true }).transform((text) => new Date(text)) })
  .loose()
const BaseRepository = z.object({ base: z.object({ repo: z.unknown() }) })

export interface ListedMerges {
  merges: Merge[]
  /** Whether the list went back as far as was asked. */
  complete: boolean
}

/** From when updates of pull requests are new: since the last pass, and not before the oldest work that is live. */
export function updatesSince(lastPass: Date | null, oldestWork: Date): Date {
  const oldest = oldestWork.getTime() - tolerance
  return new Date(lastPass === null ? oldest : Math.max(oldest, lastPass.getTime() - overlapMs))
}

/**
 * The merges of one page of closed pull requests, newest update first, that were updated since. What is not GitHub's
 * shape, or is of another repository, is thrown as a `ZodError`.
 */
export function mergesOf(
  body: unknown,
  of: { repositoryId: bigint; defaultBranch: string; since: Date },
): ListedMerges {
  const pulls = z.array(ListedPull).parse(body)
  const recent = pulls.filter(({ updated_at }) => updated_at >= of.since)
  return { merges: recent.flatMap((pull) => mergeOf(pull, of) ?? []), complete: recent.length < pulls.length }
}

function mergeOf(pull: unknown, of: { repositoryId: bigint; defaultBranch: string }): Merge | null {
  const repository = BaseRepository.parse(pull).base.repo
  const event = PullRequestEvent.parse({ action: 'closed', repository, pull_request: pull })
  const { number, base, merged_at } = event.pull_request
  if (merged_at === null || event.repository.id !== of.repositoryId) return null
  return {
    repositoryId: of.repositoryId,
    number,
    head: headInSameRepository(event),
    base: base?.ref ?? null,
    defaultBranch: of.defaultBranch,
    mergedAt: merged_at,
  }
}

const Ref = z.object({ ref: z.string() })

/** The branches among refs. Throws a `ZodError`. */
export function branchesOf(body: unknown): string[] {
  return z
    .array(Ref)
    .parse(body)
    .flatMap(({ ref }) => /^refs\/heads\/(.+)$/s.exec(ref)?.[1] ?? [])
}

const Branch = z.object({ name: z.string() })

/** The branches of one page of them. Throws a `ZodError`. */
export function branchNamesOf(body: unknown): string[] {
  return z
    .array(Branch)
    .parse(body)
    .map(({ name }) => name)
}

/** Live work on a branch; `seen` is null where nobody has looked for the branch yet. */
export interface BranchWork {
  id: string
  branch: string
  seen: boolean | null
}

/** The work whose branch was seen to exist and is not there any more. */
export function vanished(work: readonly BranchWork[], branches: ReadonlySet<string>): BranchWork[] {
  return work.filter(({ seen, branch }) => seen === true && !branches.has(branch))
}

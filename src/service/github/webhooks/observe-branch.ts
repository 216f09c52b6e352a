import { z } from 'zod'
import { deletePushedBranch, endMergedBranches, savePush } from '../../observed/branches/save-branch.ts'
import { isObservedBranch, observesBranches } from '../../observed/is-observed.ts'
import { observeByApp } from '../../observed/observe-by-app.sql.ts'
import { findObservedRepository } from '../../observed/observed-repositories-store.ts'
import { timeOfEvent } from '../../records/activity/events/event-time.ts'
import type { KnownSettings } from '../../records/settings/settings-store.ts'
import { observedRef, sha } from '../pulls/pull-request-payload.ts'
import type { EventRepository, HandlerContext } from './webhook-handler.ts'

const id = z.int().positive()

/** The fields that an observed push needs. Hand-made payloads may lack them. */
const Pushed = z.object({
  after: sha,
  before: sha.nullish().catch(null),
  installation: z.object({ id }),
  sender: z
    .object({ id: id.transform(BigInt), login: z.string().min(1).max(100) })
    .nullish()
    .catch(null),
})

/** The commits that a push brings. GitHub lists at most 2,048 of them. */
const PushedCommits = z.object({ after: sha, commits: z.array(z.object({ id: sha })).catch([]) })

export interface BranchPush {
  branch: string
  /** GitHub's time of the push; null if the event does not say. */
  pushedAt: Date | null
}

export interface ObservedPush {
  counts: Record<string, number>
  /** Wakes the jobs that read what the push marked. */
  afterwards(): void
}

const notObserved: ObservedPush = { counts: {}, afterwards() {} }

/**
 * Whether an event about a branch counts. Until the settings file was first read nobody knows whether branches are observed:
 * events count then, and the job that reads the branch decides.
 */
function mayObserveBranches({ settings, wereRead }: KnownSettings): boolean {
  return !wereRead || observesBranches(settings)
}

/**
 * Ends the records of the branches whose head commit a push to the default branch brings. GitHub is not asked: a
 * comparison would find no commits that the default branch lacks.
 */
async function observeMergingPush(
  payload: unknown,
  repositoryId: bigint,
  { tx, now, settingsIn }: HandlerContext,
): Promise<ObservedPush> {
  const event = PushedCommits.safeParse(payload)
  if (!event.success || !mayObserveBranches(await settingsIn(tx, repositoryId))) return notObserved
  const { after, commits } = event.data
  const ended = await endMergedBranches(tx, repositoryId, [after, ...commits.map(({ id }) => id)], now)
  return ended === 0 ? notObserved : { ...notObserved, counts: { ended } }
}

/**
 * Marks a pushed branch as unread (docs/rules.md#pushed-branches). The event is only a signal: a job reads from GitHub
 * what the branch changes. A push to the default branch ends the branches that it merges. Does nothing where branches
 * are known not to be observed, or without the App.
 */
export async function observePush(
  payload: unknown,
  { id: repositoryId, names, defaultBranch, isPublic }: EventRepository,
  { branch, pushedAt }: BranchPush,
  context: HandlerContext,
): Promise<ObservedPush> {
  const { tx, now, settingsIn, observer } = context
  if (observer !== undefined && branch === defaultBranch) return observeMergingPush(payload, repositoryId, context)
  const event = Pushed.safeParse(payload)
  const isNamed = observedRef.safeParse(branch).success
  if (observer === undefined || !event.success || !names || defaultBranch === null || !isNamed) return notObserved
  const { settings, wereRead } = await settingsIn(tx, repositoryId)
  if (wereRead && !isObservedBranch({ branch, defaultBranch }, settings)) return notObserved
  const { after: headSha, before, sender } = event.data
  const push = {
    branch,
    headSha,
    beforeSha: before ?? null,
    pushedAt: timeOfEvent(pushedAt, now),
    pusher: sender ?? null,
  }
  if (!(await savePush(tx, repositoryId, push, { now, ttlMs: settings.branch_ttl_ms }))) return notObserved
  const isNew = !(await findObservedRepository(tx, repositoryId))?.by_app
  if (isNew) await observeByApp(tx, [{ id: repositoryId, ...names, defaultBranch, isPublic }], now)
  return {
    counts: { unread: 1 },
    afterwards() {
      observer.readFiles()
      if (isNew) observer.listRepositories({ discover: false })
    },
  }
}

/** Ends the record of a deleted branch. Returns how many ended. */
export async function observeDeletedBranch(
  repositoryId: bigint,
  { branch, pushedAt }: BranchPush,
  { tx, now, settingsIn, observer }: HandlerContext,
): Promise<number> {
  if (observer === undefined || !observedRef.safeParse(branch).success) return 0
  if (!mayObserveBranches(await settingsIn(tx, repositoryId))) return 0
  return deletePushedBranch(tx, repositoryId, { branch, deletedAt: timeOfEvent(pushedAt, now) }, now)
}

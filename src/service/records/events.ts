import type { Activity } from '../db/generated/client.ts'
import type { Transaction } from '../db/retry.ts'
import type { PullFacts } from '../github/pulls/pull-facts.ts'
import { beatBranch } from './activities/heartbeat.ts'
import { afterDelete, afterMerge, afterPull, toleranceMs, type Update } from './event-rules.ts'
import { keyOf } from './ids.ts'
import { isDue, touched } from './lifecycle.ts'
import { lockBranch, lockPullWork } from './locked.ts'
import { followPlaces } from './places.ts'
import { type Linking, linkFor } from './pull-links.ts'
import type { SettingValues } from './settings.ts'

type Repository = Linking['repository']

export interface OpenPull extends Linking {
  facts: Pick<PullFacts, 'number' | 'is_draft' | 'head_branch'>
  /** It was just opened or reopened: `active` work follows it too. */
  isOpened: boolean
  now: Date
}

/**
 * An open pull request was seen, by an event or a reading: live work on its head branch is linked to it, and work with its number
 * follows its draft state. Call it once the facts are stored: of several pull requests of a branch the newest is linked. Returns
 * the ids of the records that changed, as all of these do.
 */
export async function followOpenPull(
  tx: Transaction,
  { facts, isOpened, now, ...linking }: OpenPull,
): Promise<string[]> {
  const { id, defaultBranch } = linking.repository
  const { number, is_draft: isDraft, head_branch } = facts
  const onBranch = head_branch === defaultBranch ? [] : await lockBranch(tx, id, head_branch, null)
  const linked = await saveEach(tx, onBranch, now, (row) => afterLink(tx, linking, row, now))
  const ofPull = await lockPullWork(tx, id, { number, head: null })
  const moved = await saveEach(tx, ofPull, now, (row) => afterPull(row, { number, isDraft, isOpened }, now))
  return [...linked, ...moved]
}

/** A pull request was closed without a merge: its work goes on, and gets the other open one of its branch, if there is one. */
export async function relinkWork(
  tx: Transaction,
  { facts, now, ...linking }: Omit<OpenPull, 'isOpened'>,
): Promise<string[]> {
  const ofPull = await lockPullWork(tx, linking.repository.id, { number: facts.number, head: null })
  return saveEach(tx, ofPull, now, (row) => afterLink(tx, linking, row, now))
}

async function afterLink(tx: Transaction, linking: Linking, row: Activity, now: Date): Promise<Update> {
  return row.ended_at === null && !isDue(row, now) ? linkFor(tx, linking, row) : null
}

export interface MergedPull {
  repository: Repository
  facts: Pick<PullFacts, 'number' | 'head_branch' | 'head_repository_id' | 'base_branch'>
  /** Null where GitHub does not say. */
  mergedAt: Date | null
  now: Date
}

/** A pull request was merged. It may be told twice, late, and after its branch was deleted. */
export async function archiveMerged(
  tx: Transaction,
  { repository, facts, mergedAt, now }: MergedPull,
): Promise<string[]> {
  const { number, head_branch, head_repository_id, base_branch: base } = facts
  const isHere = head_repository_id === repository.id && head_branch !== repository.defaultBranch
  const merge = { number, head: isHere ? head_branch : null, base, mergedAt }
  return saveEach(tx, await lockPullWork(tx, repository.id, merge), now, (row) => afterMerge(row, merge, now))
}

export interface BranchEvent {
  repository: Repository
  branch: string
  /** GitHub's `pushed_at` of the repository: events of branches say no other time. */
  pushedAt: Date | null
  now: Date
}

/** A branch was deleted. It may be told late, when a new branch has its name. */
export async function archiveBranch(tx: Transaction, { repository, now, ...deleted }: BranchEvent): Promise<string[]> {
  const rows = await lockBranch(tx, repository.id, deleted.branch, deleted.branch)
  return saveEach(tx, rows, now, (row) => afterDelete(row, deleted, now))
}

/** A push to a branch other than the default one is a heartbeat of the older work on it, at the time of the push. */
export async function heartbeatBranch(
  tx: Transaction,
  { repository, branch, pushedAt, now }: BranchEvent,
  settings: SettingValues,
): Promise<void> {
  if (branch === repository.defaultBranch) return
  const at = pushedAt === null || pushedAt > now ? now : pushedAt
  const createdUntil = new Date(at.getTime() + toleranceMs)
  await beatBranch(tx, { branch, createdUntil, now }, { repositoryId: repository.id, at, settings })
}

async function saveEach(
  tx: Transaction,
  rows: readonly Activity[],
  now: Date,
  changeOf: (row: Activity) => Update | Promise<Update>,
): Promise<string[]> {
  const changed: string[] = []
  for (const row of rows) {
    const change = await changeOf(row)
    if (change === null) continue
    await tx.activity.update({ where: keyOf(row), data: { ...change, updated_at: touched(row, now) } })
    await followPlaces(tx, row, change)
    changed.push(row.id)
  }
  return changed
}

import { createHash } from 'node:crypto'
import type { Database } from '../../db/database.ts'
import { deletePushedBranch } from '../../observed/branches/save-branch.ts'
import { eventToleranceMs } from '../../records/activity/events/event-time.ts'
import { archiveVanished, type BranchWork, saveSeen } from '../../records/activity/events/seen-branches.sql.ts'
import { ifChanged } from '../pulls/if-changed.ts'
import type { RepositoryToRead, SendRequest } from '../pulls/read-response.ts'
import { listBranches } from './list-branches.ts'

/** The last list of branches that was saved: its ETag, and the work that it was compared with. */
export interface KnownBranches {
  etag: string
  work: string
}

export interface BranchQuestion {
  db: Database
  request: SendRequest
  repository: RepositoryToRead
  /** The live work that has a branch. */
  work: readonly BranchWork[]
  known: KnownBranches | null
  /** When this work was read. What GitHub says is about no later work. */
  began: Date
  now(): Date
}

/**
 * Archives the live work whose branch existed and no longer does (docs/rules.md#reconciliation), and ends such pushed branches.
 * Returns how many, and what to compare with the next time. Throws `UnusableResponse`.
 */
export async function endVanishedBranches(
  question: BranchQuestion,
): Promise<{ branch_deleted: number; known: KnownBranches | null }> {
  const { db, request, repository, work, known, now } = question
  // Work that is new, or whose branch was seen meanwhile, needs the list even if the branches are unchanged.
  const etag = known?.work === digestOf(work) ? known.etag : null
  const wanted = new Set(work.map(({ branch }) => branch))
  const asked = await ifChanged(request, etag, (first) => listBranches(first, repository, wanted))
  if (asked.read === null) return { branch_deleted: 0, known: asked.etag === etag ? known : null }
  const { branches, isWhole } = asked.read
  const isGone = ({ branch, seen }: BranchWork) => seen && !branches.has(branch)
  const gone = work.filter(isGone)
  const ended = await endPushed(question, gone)
  const archived = await db.transaction(async (tx) => {
    const found = work.filter(({ branch, isPushed }) => !isPushed && branches.has(branch))
    await saveSeen(tx, repository.id, found)
    const recorded = gone.filter(({ isPushed }) => !isPushed)
    return archiveVanished(tx, repository.id, { gone: recorded, now: now() })
  })
  const left = work.filter((one) => !isGone(one)).map((one) => ({ ...one, seen: branches.has(one.branch) }))
  const next = isWhole && asked.etag !== null ? { etag: asked.etag, work: digestOf(left) } : null
  return { branch_deleted: ended + archived, known: next }
}

/**
 * Ends the pushed branches that no longer exist, but none that was pushed since this work was read. Each has a transaction of
 * its own, since the row of a branch is locked before activities are.
 */
async function endPushed({ db, repository, began, now }: BranchQuestion, gone: readonly BranchWork[]): Promise<number> {
  const deletedAt = new Date(began.getTime() - eventToleranceMs)
  let ended = 0
  for (const { branch } of gone.filter(({ isPushed }) => isPushed))
    ended += await db.transaction((tx) => deletePushedBranch(tx, repository.id, { branch, deletedAt }, now()))
  return ended
}

function digestOf(work: readonly BranchWork[]): string {
  return createHash('sha256')
    .update(JSON.stringify(work.map(({ id, branch, seen }) => [id, branch, seen])))
    .digest('base64')
}

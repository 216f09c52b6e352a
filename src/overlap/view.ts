import type { ActivityRow } from '../activity/activities.sql.ts'
import type { Context } from '../context.ts'
import type { LoadedRows } from './candidates/load-candidates.sql.ts'
import { loadForMany } from './candidates/load-for-many.sql.ts'
import { findStrangers } from './candidates/observed.sql.ts'
import { comparisonOf, type PreparedProposal, readProposal } from './check.ts'
import { collisionItem } from './collision-item.ts'
import { decide } from './decide.ts'
import { loadDescribed } from './load-described.ts'
import { loadOwnDetails, proposalOf } from './own-proposals.ts'
import type { CollisionItem } from './schema.ts'
import { pairLine } from './texts/collision-line.ts'

const none: ReadonlySet<string> = new Set()

/** What one live activity collides with, as a check of it finds. */
export interface ActivityView {
  collisions: (CollisionItem & { reason: string })[]
  /** The ids of work that is nearby. */
  nearby: string[]
  /** Whether more work collides than is described, or not all of it was compared. */
  isCut: boolean
  /** Whether it is a pull request of a stranger (docs/rules.md#strangers). */
  byStranger: boolean
}

interface PreparedActivity extends PreparedProposal {
  row: ActivityRow
  loaded: LoadedRows
}

/**
 * Loads what stored activities are compared with, for all of them at once. Returns functions by their ids, each of which
 * compares one with all live work. Unlike a check it describes up to `count` collisions, and no notables.
 */
export async function viewsOfActivities(
  context: Context,
  rows: readonly ActivityRow[],
  count: number,
): Promise<Map<string, () => Promise<ActivityView>>> {
  const { db, now, repository, viewer } = context
  const details = await loadOwnDetails(context, rows)
  const filter = { repositoryId: repository.id, now, seesObserved: await viewer.mayReadPullRequests() }
  const read = []
  for (const row of rows) {
    const proposal = proposalOf(context, row, details)
    read.push({ row, proposal, read: await readProposal(context, proposal) })
  }
  const strangers = repository.isPublic === false ? none : await findStrangers(db, repository.id, rows)
  const loadedBy = await loadForMany(
    db,
    filter,
    read.map(({ row, read: { proposed, lookups } }) => ({ self: row.id, ...proposed, lookups })),
  )
  const views = new Map<string, () => Promise<ActivityView>>()
  for (const one of read) {
    const loaded = loadedBy.get(one.row.id)
    if (loaded) views.set(one.row.id, () => viewOf({ ...one, loaded }))
  }
  return views

  async function viewOf({ row, ...prepared }: PreparedActivity): Promise<ActivityView> {
    const { proposal, loaded } = prepared
    const comparison = await comparisonOf(context, { ...filter, self: row.id }, prepared)
    const candidates = { ...loaded, defaultBranch: repository.defaultBranch }
    const { collisions, nearby, isWhole } = await decide(proposal, candidates, comparison)
    const described = await loadDescribed(collisions, loaded.loadActivities, comparison, count)
    return {
      collisions: described.loaded.map((one) => ({ ...collisionItem(one), reason: pairLine(one, row.actor) })),
      nearby: nearby.map(({ activity }) => activity.id),
      isCut: collisions.length > count || !isWhole,
      byStranger: strangers.has(row.id),
    }
  }
}

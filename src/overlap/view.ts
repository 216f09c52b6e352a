import type { ActivityRow } from '../activity/activities.sql.ts'
import type { Context } from '../context.ts'
import { prepareCheck } from './check.ts'
import { proposalOf } from './check-proposal.ts'
import { collisionItem } from './collision-item.ts'
import { decide } from './decide.ts'
import { loadDescribed } from './load-described.ts'
import type { CollisionItem } from './schema.ts'
import { pairLine } from './texts/collision-line.ts'

/** What one live activity collides with, as a check of it finds. */
export interface ActivityView {
  collisions: (CollisionItem & { reason: string })[]
  /** The ids of work that is nearby. */
  nearby: string[]
  /** Whether more work collides than is described. */
  isCut: boolean
}

/** Compares a stored activity with all live work. Unlike a check it describes up to `count` collisions, and no notables. */
export async function viewOfActivity(context: Context, row: ActivityRow, count: number): Promise<ActivityView> {
  const proposal = await proposalOf(context, row, undefined)
  const { candidates, comparison } = await prepareCheck(context, proposal)
  const { collisions, nearby } = await decide(proposal, { ...candidates, notables: [] }, comparison)
  const { loaded } = await loadDescribed(collisions, candidates.loadActivities, comparison, count)
  return {
    collisions: loaded.map((one) => ({ ...collisionItem(one), reason: pairLine(one, row.actor) })),
    nearby: nearby.map(({ activity }) => activity.id),
    isCut: collisions.length > count,
  }
}

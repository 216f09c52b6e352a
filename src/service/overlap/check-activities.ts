import { decide } from '../../core/rules/decide.ts'
import type { LoadedCollision } from '../../core/rules/findings.ts'
import { collisionItem } from '../../core/rules/response/collision-item.ts'
import type { CollisionItem } from '../../core/schemas/collision-item.ts'
import { pairLine } from '../../core/texts/lines/collision-line.ts'
import type { Context } from '../context.ts'
import type { ActivityRow } from '../records/activity/activities.sql.ts'
import { loadDescribed } from './load-described.ts'
import { type LoadedProposal, loadProposals } from './load-proposals.ts'
import { loadOwnDetails, proposalOf } from './own-proposals.ts'

/** The result of a check of one live activity, as pairs of streams need it. */
export interface ActivityCheck {
  collisions: (CollisionItem & { reason: string })[]
  /** The ids of work that is nearby. */
  nearby: string[]
  /** Whether more work collides than is described, or not all of it was compared. */
  isCut: boolean
  /** Whether it is a pull request of a stranger (docs/rules.md#strangers). */
  byStranger: boolean
}

/**
 * Loads what stored activities are compared with, for all of them at once. Returns functions by their ids, each of which
 * compares one with all live work. Unlike a check it describes up to `count` collisions, and no notables.
 */
export async function checksOfActivities(
  context: Context,
  rows: readonly ActivityRow[],
  count: number,
): Promise<Map<string, () => Promise<ActivityCheck>>> {
  const { viewer } = context
  const details = await loadOwnDetails(context, rows)
  const loaded = await loadProposals(
    context,
    rows.map((row) => proposalOf(context, row, details)),
    { seesObserved: await viewer.mayReadPullRequests(), notables: false, merged: undefined, described: true },
  )
  return new Map(
    rows.flatMap((row, nth) => {
      const one = loaded[nth]
      return one ? [[row.id, () => checkOf(one, row)]] : []
    }),
  )

  async function checkOf(one: LoadedProposal, row: ActivityRow): Promise<ActivityCheck> {
    const comparison = await one.comparison()
    const { collisions, nearby, isWhole } = await decide(one.proposal, one, comparison)
    const described = await loadDescribed(collisions, one.loadActivities, comparison, count)
    const told = described.loaded.map((found) => forEitherSide(found, one.proposal.byStranger ?? false))
    return {
      collisions: told.map((found) => ({ ...collisionItem(found), reason: pairLine(found, row.actor) })),
      nearby: nearby.map(({ activity }) => activity.id),
      isCut: collisions.length > count || !isWhole,
      byStranger: one.proposal.byStranger ?? false,
    }
  }
}

/** The collision as a pair shows it: the copy that a stranger made of a member's work is `low` for both (docs/rules.md#same-change). */
function forEitherSide(found: LoadedCollision, byStranger: boolean): LoadedCollision {
  const isCopy = byStranger && !found.byStranger && found.sameChange?.isTold && found.sameChange.kind === 'open_already'
  return isCopy ? { ...found, severity: 'low' } : found
}

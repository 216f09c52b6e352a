import { requireActivity } from '../activity/get.ts'
import type { Context } from '../context.ts'
import { AppError, invalidField } from '../errors.ts'
import { compareScopes, type ParsedScope, parseScope } from '../scope/compare.ts'
import type { Scope } from '../scope/schema.ts'
import { importances, risks, wordOf } from '../vocabulary.ts'
import { type Collision, computeOverlap, type LiveActivity, type MatchingNotable, mostReuse } from './compute.ts'
import { excerpt } from './quote.ts'
import { expectedActivities, type Placed } from './relationship.ts'
import type { Overlap, OverlapCheck, ReuseOpportunity } from './schema.ts'
import { collisionSeverity, notableSeverity } from './severity.ts'
import { activeNotables, type ComparedActivity, liveActivities, mergedActivities } from './store.ts'

/** What somebody is about to do. */
export interface Proposal extends Placed {
  scope: Scope
  /** Labels that count as areas of the proposal. */
  tags: string[]
  /** The caller's own record, left out of the comparison. */
  self: string | undefined
}

const emptyScope: Scope = { areas: [], paths: [] }

/**
 * Answers a check: what does this collide with? With an `activity_id`, that record is left out, and stands in for what
 * was not sent (decisions §2). Throws `validation_failed` where that record is not of this repository.
 */
export async function checkProposal(context: Context, body: OverlapCheck): Promise<Overlap> {
  const own = body.activity_id === undefined ? undefined : await ownActivity(context, body.activity_id)
  return checkOverlap(context, {
    branch: body.branch === undefined ? (own?.branch ?? null) : body.branch,
    base_branch: body.base_branch === undefined ? (own?.base_branch ?? null) : body.base_branch,
    scope: body.scope ?? (own ? { areas: own.areas, paths: own.paths } : emptyScope),
    tags: body.tags ?? [],
    self: own?.id,
  })
}

async function ownActivity(context: Context, id: string) {
  try {
    return await requireActivity(context, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw invalidField('activity_id', 'invalid_value', 'is not an activity of this repository')
  }
}

/** Compares a proposal with what is live now (decisions §5). */
export async function checkOverlap(context: Context, proposal: Proposal): Promise<Overlap> {
  const { db, now, repository, settings } = context
  const at = { repositoryId: repository.id, now }
  const [live, notables] = await Promise.all([
    liveActivities(db, { ...at, self: proposal.self }),
    activeNotables(db, at),
  ])
  const parse = (scope: Scope) => parseScope(scope, settings.areas)
  const proposed = parse({ areas: [...proposal.scope.areas, ...proposal.tags], paths: proposal.scope.paths })
  const relationshipOf = expectedActivities(proposal, live, repository.defaultBranch)
  return computeOverlap({
    hasScope: proposed.areas.length > 0 || proposed.globs.length > 0,
    expected: live.flatMap((row) => {
      const relationship = relationshipOf.get(row.id)
      return relationship ? [{ activity: compared(row), relationship }] : []
    }),
    collisions: live.flatMap((row): Collision[] => {
      if (relationshipOf.has(row.id)) return []
      const meeting = compareScopes(proposed, parse(row))
      const activity = compared(row)
      return meeting ? [{ activity, meeting, severity: collisionSeverity(meeting, activity) }] : []
    }),
    notables: notables.flatMap((row): MatchingNotable[] => {
      const meeting = compareScopes(proposed, parse(row))
      const notable = { ...row, importance: wordOf(importances, row.importance) }
      return meeting ? [{ notable, meeting, severity: notableSeverity(notable) }] : []
    }),
    repositoryNotables: notables
      .filter((row) => row.areas.length === 0 && row.paths.length === 0)
      .map((row) => ({ ...row, importance: wordOf(importances, row.importance) })),
    reuse: await reuseOpportunities(context, proposed, parse),
  })
}

function compared(row: ComparedActivity): LiveActivity {
  return { ...row, risk: wordOf(risks, row.risk) }
}

/** Merged work whose scope overlaps: at most five, newest first. An empty proposal has nothing to reuse. */
async function reuseOpportunities(
  { db, now, repository, retentionMs }: Context,
  proposed: ParsedScope,
  parse: (scope: Scope) => ParsedScope,
): Promise<ReuseOpportunity[]> {
  const endedAfter = new Date(now.getTime() - retentionMs)
  const merged = await mergedActivities(db, { repositoryId: repository.id, endedAfter })
  const found: ReuseOpportunity[] = []
  for (const row of merged) {
    if (found.length === mostReuse) break
    const meeting = compareScopes(proposed, parse(row))
    if (!meeting) continue
    const common = meeting.paths
      ? `files such as ${excerpt(meeting.paths.witness)}`
      : `the area ${excerpt(meeting.areas[0] ?? '')}`
    found.push({
      activity_id: row.id,
      title: row.title,
      branch: row.branch,
      pr_url: row.pr_url,
      ended_at: row.ended_at.toISOString(),
      reason: `${excerpt(row.actor)} merged work on ${common}: see whether it already does part of this.`,
    })
  }
  return found
}

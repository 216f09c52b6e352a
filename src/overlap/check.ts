import { requireActivity } from '../activity/get.ts'
import type { Context } from '../context.ts'
import { AppError, invalidField } from '../errors.ts'
import { compareInSteps, type ParsedScope, parseScope } from '../scope/compare.ts'
import type { Scope } from '../scope/schema.ts'
import { inTurns, openWork, type TurnWork } from '../scope/turns.ts'
import { importances, risks, wordOf } from '../vocabulary.ts'
import { type Collision, computeOverlap, type LiveActivity, type MatchingNotable } from './compute.ts'
import { probesOf } from './probes.ts'
import { expectedActivities, type Placed } from './relationship.ts'
import { reuseOpportunities } from './reuse.ts'
import type { Overlap, OverlapCheck } from './schema.ts'
import { collisionSeverity, notableSeverity } from './severity.ts'
import { activeNotables, type ComparedActivity, type ComparedNotable, liveCandidates, liveStack } from './store.ts'

/** What somebody is about to do. */
export interface Proposal extends Placed {
  scope: Scope
  /** Labels that count as areas of the proposal. */
  tags: string[]
  /** The caller's own record, left out of the comparison. */
  self: string | undefined
}

/** What one check may cost: some two seconds of work, in turns. Only scopes made to be costly come near it. */
const stepsOfACheck = 100_000_000

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

/**
 * Compares a proposal with what is live now (decisions §5): candidates come out of the database by index, the exact
 * decision is made here, in turns, so that hostile globs never hold up other requests.
 */
export async function checkOverlap(context: Context, proposal: Proposal): Promise<Overlap> {
  const { db, now, repository, settings } = context
  const of = { repositoryId: repository.id, now, self: proposal.self }
  const parse = (scope: Scope) => parseScope(scope, settings.areas)
  const proposed = parse({ areas: [...proposal.scope.areas, ...proposal.tags], paths: proposal.scope.paths })
  const work = openWork(stepsOfACheck)
  const meetingAreas: string[] = []
  await inTurns(findAreas(proposed, Object.keys(settings.areas), parse, work, meetingAreas), work)
  const probes = probesOf(proposed, meetingAreas)
  const [stack, candidates, notables] = await Promise.all([
    liveStack(db, of, proposal, repository.defaultBranch),
    liveCandidates(db, of, probes),
    activeNotables(db, of),
  ])
  const relationshipOf = expectedActivities(proposal, stack, repository.defaultBranch)
  const others = candidates.filter(({ id }) => !relationshipOf.has(id))
  const near: Parse = ({ areas, paths }) => parse({ areas, paths: paths.filter(probes.near) })
  const collisions: Collision[] = []
  const matching: MatchingNotable[] = []
  await inTurns(findNotables(proposed, notables, parse, work, matching), work)
  await inTurns(findCollisions(proposed, others, near, work, collisions), work)
  const reuse = await reuseOpportunities(context, { proposed, probes, parse, work })
  return computeOverlap({
    hasScope: proposed.areas.length > 0 || proposed.globs.length > 0,
    isWhole: work.steps < work.limit,
    expected: stack.flatMap((row) => {
      const relationship = relationshipOf.get(row.id)
      return relationship ? [{ activity: compared(row), relationship }] : []
    }),
    collisions,
    notables: matching,
    repositoryNotables: notables
      .filter((row) => row.areas.length === 0 && row.paths.length === 0)
      .map((row) => ({ ...row, importance: wordOf(importances, row.importance) })),
    reuse,
  })
}

type Parse = (scope: Scope) => ParsedScope

/** The areas of the settings whose globs meet the proposal's: work that names such an area may overlap it. */
function* findAreas(
  proposed: ParsedScope,
  labels: string[],
  parse: Parse,
  work: TurnWork,
  found: string[],
): Generator<void, void> {
  for (const label of labels) {
    const area = parse({ areas: [label], paths: [] })
    if (yield* compareInSteps(proposed, area, work)) found.push(...area.areaKeys)
  }
}

function* findCollisions(
  proposed: ParsedScope,
  rows: ComparedActivity[],
  parse: Parse,
  work: TurnWork,
  found: Collision[],
): Generator<void, void> {
  for (const row of rows) {
    const meeting = yield* compareInSteps(proposed, parse(row), work)
    const activity = compared(row)
    if (meeting) found.push({ activity, meeting, severity: collisionSeverity(meeting, activity) })
  }
}

function* findNotables(
  proposed: ParsedScope,
  rows: ComparedNotable[],
  parse: Parse,
  work: TurnWork,
  found: MatchingNotable[],
): Generator<void, void> {
  for (const row of rows) {
    const meeting = yield* compareInSteps(proposed, parse(row), work)
    const notable = { ...row, importance: wordOf(importances, row.importance) }
    if (meeting) found.push({ notable, meeting, severity: notableSeverity(notable) })
  }
}

function compared(row: ComparedActivity): LiveActivity {
  return { ...row, risk: wordOf(risks, row.risk) }
}

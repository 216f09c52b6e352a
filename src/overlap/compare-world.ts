import { compareInSteps, type ParsedScope, type ScopeMeeting } from '../scope/compare.ts'
import type { Scope } from '../scope/schema.ts'
import { inTurns, type TurnWork } from '../scope/turns.ts'
import { importances, liveStatuses, risks, wordOf } from '../vocabulary.ts'
import { type Collision, computeOverlap, type LiveActivity, type MatchingNotable } from './compute.ts'
import { expectedActivities, type Placed } from './relationship.ts'
import { type MergedWork, reuseOpportunities } from './reuse.ts'
import type { Overlap } from './schema.ts'
import { collisionSeverity, notableSeverity } from './severity.ts'
import type { ComparedActivity } from './stack-store.ts'
import type { ComparedNotable } from './world-store.ts'

/** What a proposal is compared with; more than what could overlap does no harm. */
export interface World extends MergedWork {
  defaultBranch: string
  /** Live work that may be the caller's own or stacked. */
  stack: readonly ComparedActivity[]
  /** Live work whose scope may overlap. */
  candidates: readonly ComparedActivity[]
  /** All the active notables. */
  notables: readonly ComparedNotable[]
}

export interface Comparison {
  proposed: ParsedScope
  /** Reads a scope by the settings of the time; what can't meet the proposal may be left out. */
  read(scope: Scope): ParsedScope
  work: TurnWork
}

/**
 * The answer of a check (decisions §5), of what was loaded alone. The exact decision is made here, in turns, so that hostile
 * globs never hold up other requests.
 */
export async function compareWorld(proposal: Placed, world: World, comparison: Comparison): Promise<Overlap> {
  const { stack, candidates, notables, defaultBranch } = world
  const { proposed, work } = comparison
  const relationshipOf = expectedActivities(proposal, stack, defaultBranch)
  const others = candidates.filter(({ id }) => !relationshipOf.has(id))
  const collisions: Collision[] = []
  const matching: MatchingNotable[] = []
  const compared = [
    ...others.map((row) => ({ row, met: (meeting: ScopeMeeting) => collisions.push(collisionWith(row, meeting)) })),
    ...notables.map((row) => ({ row, met: (meeting: ScopeMeeting) => matching.push(matchOf(row, meeting)) })),
  ]
  await inTurns(findMeetings(compared, comparison), work)
  const reuse = await reuseOpportunities(world, comparison)
  return computeOverlap({
    defaultBranch,
    hasScope: proposed.areas.length > 0 || proposed.globs.length > 0,
    isWhole: work.steps < work.limit,
    expected: stack.flatMap((row) => {
      const relationship = relationshipOf.get(row.id)
      return relationship ? [{ activity: liveActivity(row), relationship }] : []
    }),
    collisions,
    notables: matching,
    repositoryNotables: notables
      .filter((row) => row.areas.length === 0 && row.paths.length === 0)
      .map((row) => ({ ...row, importance: wordOf(importances, row.importance) })),
    reuse,
  })
}

interface Compared {
  row: Scope
  /** Told where it meets the proposal, if it does. */
  met(meeting: ScopeMeeting): void
}

/** Small scopes first: what a costly one uses up of the work is not missing where an answer was cheap. */
function* findMeetings(compared: readonly Compared[], comparison: Comparison): Generator<void, void> {
  const read = yield* readScopes(compared, comparison)
  for (const { scope, met } of read.sort((a, b) => a.scope.size - b.scope.size)) {
    const meeting = yield* compareInSteps(comparison.proposed, scope, comparison.work)
    if (meeting) met(meeting)
  }
}

/** How much of globs is read, by their number and size, until others have a turn: some milliseconds. */
const readInATurn = 20_000

function* readScopes(compared: readonly Compared[], { read: readScope }: Comparison) {
  const read: { scope: ParsedScope; met: Compared['met'] }[] = []
  let size = 0
  for (const { row, met } of compared) {
    const scope = readScope(row)
    read.push({ scope, met })
    size += scope.size + row.paths.length
    if (size < readInATurn) continue
    size = 0
    yield
  }
  return read
}

function collisionWith(row: ComparedActivity, meeting: ScopeMeeting): Collision {
  const activity = liveActivity(row)
  return { activity, meeting, severity: collisionSeverity(meeting, activity) }
}

function matchOf(row: ComparedNotable, meeting: ScopeMeeting): MatchingNotable {
  const notable = { ...row, importance: wordOf(importances, row.importance) }
  return { notable, meeting, severity: notableSeverity(notable) }
}

function liveActivity(row: ComparedActivity): LiveActivity {
  return { ...row, status: wordOf(liveStatuses, row.status), risk: wordOf(risks, row.risk) }
}

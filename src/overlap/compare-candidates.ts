import { areaKey } from '../scope/columns.ts'
import {
  continueComparison,
  type ParsedScope,
  type ProposedScope,
  type ScopeOverlap,
  sharedAreas,
  startComparison,
} from '../scope/compare.ts'
import { runInSlices, type WorkBudget } from '../scope/match/work-budget.ts'
import type { Scope } from '../scope/schema.ts'
import type { MatchedActivity } from './candidates-store.ts'
import { indexedCollision, knownCollision } from './collision.ts'
import type { ComparedActivity } from './compared-activity.ts'
import { computeOverlap, type EndedActivity, type MatchingNotable } from './compute.ts'
import { describedCollisions, type ReadActivities } from './described-collisions.ts'
import type { ComparedNotable } from './notable-store.ts'
import { type BranchInfo, relationshipTo } from './relationship.ts'
import { type MergedCandidates, reuseOpportunities } from './reuse.ts'
import type { Overlap } from './schema.ts'
import { isGraveNotable, notableSeverity } from './severity.ts'
import type { StackedActivity } from './stack-store.ts'

/** What a proposal is compared with; more than what could overlap does no harm. */
export interface Candidates extends MergedCandidates {
  defaultBranch: string
  /** The caller's own record, where it has ended. */
  ended?: EndedActivity | undefined
  /** Live work that may be the caller's own or stacked: of each pair of branches at least the newest that an answer shows. */
  stack: readonly StackedActivity[]
  /** Live work whose scope overlaps for certain, and how to read it. */
  certain: readonly MatchedActivity[]
  readActivities: ReadActivities
  /** Live work whose scope may overlap. */
  candidates: readonly ComparedActivity[]
  /** The active notables whose scope may overlap, and those about the whole repository. */
  notables: readonly ComparedNotable[]
}

export interface Comparison {
  proposed: ProposedScope
  /** Reads a scope by the settings of the time. */
  read(row: Scope): ParsedScope
  work: WorkBudget
}

/**
 * The answer of a check, from what was loaded (docs/rules.md#overlap). Decides exactly, in turns, so that hostile
 * globs never hold up other requests.
 */
export async function compareCandidates(
  proposal: BranchInfo,
  world: Candidates,
  comparison: Comparison,
): Promise<Overlap> {
  const { stack, certain, candidates, defaultBranch } = world
  const { proposed, work } = comparison
  const relationshipOf = relationshipTo(proposal, stack, defaultBranch)
  const others = candidates.filter((activity) => !relationshipOf(activity))
  const notables = world.notables.filter((row) => !isAboutRepository(row))
  const aboutRepository = world.notables.filter(isAboutRepository)
  const meetings: Meetings = []
  await runInSlices(findMeetings([...others, ...notables], comparison, meetings), work)
  const meetingOf = (row: Scope, at: number) => (meetings[at] === undefined ? atSight(proposed, row) : meetings[at])
  const found = [
    ...certain.filter((activity) => !relationshipOf(activity)).map(indexedCollision),
    ...others.flatMap((activity, at) => {
      const meeting = meetingOf(activity, at)
      return meeting ? knownCollision(activity, meeting) : []
    }),
  ]
  const matching: MatchingNotable[] = aboutRepository
    .filter(isGraveNotable)
    .map((notable) => ({ notable, meeting: null, severity: notableSeverity(notable) }))
  for (const [at, notable] of notables.entries()) {
    const meeting = meetingOf(notable, others.length + at)
    if (meeting) matching.push({ notable, meeting, severity: notableSeverity(notable) })
  }
  const reuse = await reuseOpportunities(world, comparison)
  return computeOverlap({
    defaultBranch,
    ended: world.ended,
    hasScope: proposed.areas.length > 0 || proposed.globs.length > 0,
    isWhole: work.steps < work.limit,
    expected: stack.flatMap((row) => {
      const relationship = relationshipOf(row)
      return relationship ? [{ activity: row, relationship }] : []
    }),
    ...(await describedCollisions(found, world.readActivities, comparison)),
    notables: matching,
    repositoryNotables: aboutRepository.filter((notable) => !isGraveNotable(notable)),
    reuse,
  })
}

function isAboutRepository({ areas, paths }: Scope): boolean {
  return areas.length === 0 && paths.length === 0
}

/** What two scopes share without a look at their globs, for what was too costly to decide. */
function atSight(proposed: ParsedScope, { areas }: Scope): ScopeOverlap | null {
  const shared = sharedAreas(proposed, { areaKeys: new Set(areas.map(areaKey)) })
  return shared.length > 0 ? { areas: shared, paths: null, sameFile: null } : null
}

/** By the places of the rows; undefined where it is not decided. */
type Meetings = (ScopeOverlap | null | undefined)[]

/**
 * Where each row meets the proposal. Small scopes first: what a costly one uses up of the work is not missing
 * where an answer was cheap.
 */
function* findMeetings(
  rows: readonly Scope[],
  { proposed, read, work }: Comparison,
  meetings: Meetings,
): Generator<void, void> {
  const scopes = yield* readScopes(rows, read)
  for (const { scope, at } of scopes.sort((a, b) => a.scope.size - b.scope.size)) {
    for (const place = startComparison(); meetings[at] === undefined; ) {
      meetings[at] = continueComparison(proposed, scope, place, work)
      if (meetings[at] === undefined) yield
    }
    if (work.steps >= work.sliceEnd) yield
  }
}

/** How much of globs is read, by their number and size, until others have a turn: some milliseconds. */
const readInATurn = 20_000

function* readScopes(rows: readonly Scope[], read: Comparison['read']) {
  const scopes: { scope: ParsedScope; at: number }[] = []
  let size = 0
  for (const [at, row] of rows.entries()) {
    const scope = read(row)
    scopes.push({ scope, at })
    size += scope.size + row.paths.length
    if (size < readInATurn) continue
    size = 0
    yield
  }
  return scopes
}

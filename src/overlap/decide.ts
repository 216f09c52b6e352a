import { areaKey } from '../scope/columns.ts'
import { continueComparison, type ScopeOverlap, sharedAreas, startComparison } from '../scope/compare.ts'
import { runInSlices, type WorkBudget } from '../scope/match/work-budget.ts'
import type { ParsedScope, ProposedScope } from '../scope/parse-scope.ts'
import type { Scope } from '../scope/schema.ts'
import type { ActivityMatchedByIndex, ComparedActivity, ComparedNotable, StackedActivity } from './candidates/rows.ts'
import {
  type Findings,
  type IndexedCollision,
  indexedCollision,
  type LoadedCollision,
  loadedCollision,
  type MatchingNotable,
} from './findings.ts'
import { type BranchInfo, relationshipTo } from './relationship.ts'
import { isGraveNotable, notableSeverity } from './severity.ts'

/** What a proposal is compared with. It may hold more than what overlaps. */
export interface Candidates {
  defaultBranch: string
  /** Live work that may be the caller's own or stacked: at least the newest of each pair of branches. */
  stack: readonly StackedActivity[]
  /** Live work whose paths overlap according to the index. */
  matchedByIndex: readonly ActivityMatchedByIndex[]
  /** Live work whose scope may overlap. */
  candidates: readonly ComparedActivity[]
  /** The active notables whose scope may overlap, and those about the whole repository. */
  notables: readonly ComparedNotable[]
}

/** The proposal's scope, and the means to compare others with it. */
export interface Comparison {
  proposed: ProposedScope
  /** Parses a scope, with the globs that the settings give its areas. */
  parse(scope: Scope): ParsedScope
  work: WorkBudget
}

export interface Decision extends Pick<Findings, 'expected' | 'notables' | 'repositoryNotables'> {
  collisions: (IndexedCollision | LoadedCollision)[]
}

/**
 * Decides which candidates collide with the proposal (docs/rules.md#overlap). Reads nothing: it is asynchronous only to let
 * other requests run between slices of a long comparison.
 */
export async function decide(
  proposal: BranchInfo,
  { stack, matchedByIndex, candidates, notables: allNotables, defaultBranch }: Candidates,
  comparison: Comparison,
): Promise<Decision> {
  const relationshipOf = relationshipTo(proposal, stack, defaultBranch)
  const isOther = (work: BranchInfo) => relationshipOf(work) === undefined
  const activities = candidates.filter(isOther)
  const notables = allNotables.filter((notable) => !isAboutRepository(notable))
  const aboutRepository = allNotables.filter(isAboutRepository)
  const overlaps = await compareAll([...activities, ...notables], comparison)
  const compared = activities.flatMap((activity) => {
    const overlap = overlaps.get(activity)
    return overlap ? loadedCollision(activity, overlap) : []
  })
  return {
    collisions: [...matchedByIndex.filter(isOther).map(indexedCollision), ...compared],
    expected: stack.flatMap((activity) => {
      const relationship = relationshipOf(activity)
      return relationship ? [{ activity, relationship }] : []
    }),
    notables: [
      ...aboutRepository.filter(isGraveNotable).map((notable) => matchingNotable(notable, null)),
      ...notables.flatMap((notable) => {
        const overlap = overlaps.get(notable)
        return overlap ? matchingNotable(notable, overlap) : []
      }),
    ],
    repositoryNotables: aboutRepository.filter((notable) => !isGraveNotable(notable)),
  }
}

function isAboutRepository({ areas, paths }: Scope): boolean {
  return areas.length === 0 && paths.length === 0
}

function matchingNotable(notable: ComparedNotable, overlap: ScopeOverlap | null): MatchingNotable {
  return { notable, overlap, severity: notableSeverity(notable) }
}

type Overlaps = Map<Scope, ScopeOverlap | null>

/** What each row shares with the proposal. Rows that are too costly to compare share at least their areas. */
async function compareAll(rows: readonly Scope[], comparison: Comparison): Promise<Overlaps> {
  const overlaps: Overlaps = new Map()
  await runInSlices(compareBySize(rows, comparison, overlaps), comparison.work)
  for (const row of rows) if (!overlaps.has(row)) overlaps.set(row, areasInCommon(comparison.proposed, row))
  return overlaps
}

function areasInCommon(proposed: ParsedScope, { areas }: Scope): ScopeOverlap | null {
  const shared = sharedAreas(proposed, { areaKeys: new Set(areas.map(areaKey)) })
  return shared.length > 0 ? { areas: shared, paths: null, sameFile: null } : null
}

/** Compares small scopes first, so that a costly one does not use up the budget of the cheap ones. */
function* compareBySize(
  rows: readonly Scope[],
  { proposed, parse, work }: Comparison,
  overlaps: Overlaps,
): Generator<void, void> {
  const scopes = yield* parseAll(rows, parse)
  for (const { row, scope } of scopes.sort((a, b) => a.scope.size - b.scope.size)) {
    const progress = startComparison()
    let overlap = continueComparison(proposed, scope, progress, work)
    for (; overlap === undefined; overlap = continueComparison(proposed, scope, progress, work)) yield
    overlaps.set(row, overlap)
    if (work.steps >= work.sliceEnd) yield
  }
}

/** The number and size of globs that one slice parses: some milliseconds of work. */
const PARSED_PER_SLICE = 20_000

function* parseAll(rows: readonly Scope[], parse: Comparison['parse']) {
  const scopes: { row: Scope; scope: ParsedScope }[] = []
  let size = 0
  for (const row of rows) {
    const scope = parse(row)
    scopes.push({ row, scope })
    size += scope.size + row.paths.length
    if (size < PARSED_PER_SLICE) continue
    size = 0
    yield
  }
  return scopes
}

import { areaKey } from '../scope/columns.ts'
import { continueComparison, type ScopeOverlap, sharedAreas, startComparison } from '../scope/compare.ts'
import { runInSlices, type WorkBudget } from '../scope/match/work-budget.ts'
import type { ParsedScope, ProposedScope } from '../scope/parse-scope.ts'
import type { Scope } from '../scope/schema.ts'
import type { ComparedActivity, ComparedNotable } from './candidates/rows.ts'
import type { ChangesOverlap } from './changed/compare-changes.ts'
import { compareWithChanges, decidedByLines, type ProposedWork, type Quieting, withoutDecided } from './compare-work.ts'
import type { Identity } from './relationship/pull-relationship.ts'

/** The proposal, and the means to compare others with it. */
export interface Comparison extends ProposedWork {
  /** The proposal's scope, its tags and its changed files: what notables are compared with. */
  proposed: ProposedScope
  /** The same for declared work: without the changed files where the author is ignored. */
  counted: ProposedScope
  quieting: Quieting
  identity: Identity
  /** Whether the repository is public. In any other nobody is a stranger. */
  isPublic: boolean
  now: Date
  /** How long after its last push a pull request is stale. */
  staleAfterMs: number
  /** Parses a scope, with the globs that the settings give its areas. */
  parse(scope: Scope): ParsedScope
  work: WorkBudget
}

/** What a record and the proposal share: by what is declared, and by what the record changes. */
export interface WorkOverlap {
  scope: ScopeOverlap | null
  changes: ChangesOverlap | null
}

type Compared = ComparedActivity | ComparedNotable
type Overlaps = Map<Compared, WorkOverlap>

/** What each record shares with the proposal. Records that are too costly to compare share at least their areas. */
export async function compareAll(
  activities: readonly ComparedActivity[],
  notables: readonly ComparedNotable[],
  comparison: Comparison,
): Promise<Overlaps> {
  const overlaps: Overlaps = new Map()
  await runInSlices(compareBySize(activities, notables, comparison, overlaps), comparison.work)
  for (const row of [...activities, ...notables]) {
    const found = overlaps.get(row)
    if (!found || found.scope === undecided) {
      const scope = isDeclared(row) ? areasInCommon(scopeFor(row, comparison), row) : null
      overlaps.set(row, { scope, changes: found?.changes ?? null })
    }
  }
  return overlaps
}

/** Stands for a comparison of scopes that has not ended yet. */
const undecided: ScopeOverlap = { areas: [], paths: null, sameFile: null }

function isDeclared(row: Compared): boolean {
  return !isActivity(row) || row.is_declared
}

function isActivity(row: Compared): row is ComparedActivity {
  return 'is_declared' in row
}

function scopeFor(row: Compared, { proposed, counted }: Comparison): ProposedScope {
  return isActivity(row) ? counted : proposed
}

function areasInCommon(proposed: ParsedScope, { areas }: Scope): ScopeOverlap | null {
  const shared = sharedAreas(proposed, { areaKeys: new Set(areas.map(areaKey)) })
  return shared.length > 0 ? { areas: shared, paths: null, sameFile: null } : null
}

interface ScopePair {
  row: Compared
  proposed: ProposedScope
  scope: ParsedScope
}

/** Compares small scopes first, so that a costly one does not use up the budget of the cheap ones. */
function* compareBySize(
  activities: readonly ComparedActivity[],
  notables: readonly ComparedNotable[],
  comparison: Comparison,
  overlaps: Overlaps,
): Generator<void, void> {
  const { work } = comparison
  yield* compareChanged(activities, comparison, overlaps)
  const pairs = yield* parseAll([...activities, ...notables].filter(isDeclared), comparison, overlaps)
  for (const { row, proposed, scope } of pairs.sort((a, b) => a.scope.size - b.scope.size)) {
    const progress = startComparison()
    let overlap = continueComparison(proposed, scope, progress, work)
    for (; overlap === undefined; overlap = continueComparison(proposed, scope, progress, work)) yield
    overlaps.set(row, { scope: overlap, changes: overlaps.get(row)?.changes ?? null })
    if (work.steps >= work.sliceEnd) yield
  }
}

/** Compares the changes of others. Cheap: a step is a look-up of a path, or a path against a glob. */
function* compareChanged(
  activities: readonly ComparedActivity[],
  comparison: Comparison,
  overlaps: Overlaps,
): Generator<void, void> {
  const { work, named } = comparison
  for (const activity of activities) {
    if (activity.changed === null) continue
    const changes = compareWithChanges(comparison, activity.changed, comparison.quieting)
    overlaps.set(activity, { scope: activity.is_declared ? undecided : null, changes })
    work.steps += named.literal.length + activity.changed.byPath.size * (1 + named.wide.length)
    if (work.steps >= work.sliceEnd) yield
  }
}

/** The number and size of globs that one slice parses: some milliseconds of work. */
const PARSED_PER_SLICE = 20_000

function* parseAll(
  rows: readonly Compared[],
  comparison: Comparison,
  overlaps: Overlaps,
): Generator<void, ScopePair[]> {
  const pairs: ScopePair[] = []
  let size = 0
  for (const row of rows) {
    const parsed = comparison.parse(row)
    const decided = decidedByLines(overlaps.get(row)?.changes ?? null)
    const [ours, scope] = withoutDecided(scopeFor(row, comparison), parsed, decided)
    pairs.push({ row, proposed: ours, scope })
    size += scope.size + row.paths.length
    if (size < PARSED_PER_SLICE) continue
    size = 0
    yield
  }
  return pairs
}

import { areaKey } from '../scope/area-key.ts'
import { compareInSlices, type ScopeOverlap, sharedAreas } from '../scope/compare.ts'
import { runInSlices, type WorkBudget } from '../scope/match/work-budget.ts'
import type { ParsedScope, ProposedScope } from '../scope/parse-scope.ts'
import type { Scope } from '../scope/schema.ts'
import type { ComparedActivity, ComparedNotable } from './candidates/rows.ts'
import type { ChangesOverlap } from './changed/compare-changes.ts'
import {
  type CountingRulesByBase,
  compareWithChanges,
  decidedByLines,
  type ProposedWork,
  withoutDecided,
} from './compare-work.ts'
import type { NamedIssues } from './duplicates/same-issue-rules.ts'
import type { Identity } from './relationship/pull-relationship.ts'

/** The proposal, and the means to compare others with it. */
export interface Comparison extends ProposedWork {
  /** The proposal's scope, its tags and its changed files: what notables are compared with. */
  proposed: ProposedScope
  /** The same for declared work: without the changed files where the author is ignored. */
  counted: ProposedScope
  /** The issues that the proposal means to close. */
  issues: NamedIssues
  /** Whether the proposal is of a stranger, or stale. */
  isMinor: boolean
  /** Whether the proposal, a stored scope, has more paths than are compared. */
  isCut?: boolean
  counting: CountingRulesByBase
  identity: Identity
  /** The proposal's own record, which decides who was first. */
  own?: Pick<ComparedActivity, 'id' | 'began_at'> | undefined
  /** Whether the proposal is a pull request of a stranger. */
  byStranger?: boolean | undefined
  /** Whether the repository is public. In any other nobody is a stranger. */
  isPublic: boolean
  now: Date
  /** How long after its last push a pull request is stale. */
  staleAfterMs: number
  /** Parses a scope, with the globs that the settings give its areas. */
  parse(scope: Scope): ParsedScope
  work: WorkBudget
  /** For the example paths of collisions that the index decides. */
  examples: WorkBudget
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

/**
 * Compares small records first, so that a costly one does not use up the budget of the cheap ones. Each is compared by what
 * it changes, and then by its scope.
 */
function* compareBySize(
  activities: readonly ComparedActivity[],
  notables: readonly ComparedNotable[],
  comparison: Comparison,
  overlaps: Overlaps,
): Generator<void, void> {
  const { work } = comparison
  const rows = [...activities, ...notables].map((row) => ({ row, size: sizeOf(row) }))
  for (const { row } of rows.sort((a, b) => a.size - b.size)) {
    if (work.steps >= work.sliceEnd) yield
    const changes = changesOf(row, comparison)
    overlaps.set(row, { scope: isDeclared(row) ? undecided : null, changes })
    if (!isDeclared(row)) continue
    const [ours, theirs] = scopesToCompare(row, changes, comparison)
    overlaps.set(row, { scope: yield* compareInSlices(ours, theirs, work), changes })
  }
}

/** The characters of its globs and, about as many, those of its changed files. */
function sizeOf(row: Compared): number {
  let size = 'changed' in row && row.changed !== null ? 40 * row.changed.byPath.size : 0
  for (const path of row.paths) size += path.length
  return size
}

function changesOf(row: Compared, comparison: Comparison): ChangesOverlap | null {
  if (!('changed' in row) || row.changed === null) return null
  return compareWithChanges(comparison, row.changed, comparison.counting, comparison.work)
}

function scopesToCompare(
  row: Compared,
  changes: ChangesOverlap | null,
  comparison: Comparison,
): [ProposedScope, ParsedScope] {
  const { parse, work } = comparison
  const proposed = scopeFor(row, comparison)
  const theirs = parse(row)
  const decided = decidedByLines(changes)
  work.steps += 10 + theirs.globs.length
  if (decided.size > 0) work.steps += 4 * (proposed.globs.length + theirs.globs.length)
  return withoutDecided(proposed, theirs, decided)
}

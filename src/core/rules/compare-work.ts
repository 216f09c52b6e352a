import { withoutPaths } from '../scope/literal-paths.ts'
import type { Steps } from '../scope/match/wildcard-sequence.ts'
import type { ParsedScope, ProposedScope } from '../scope/parse-scope.ts'
import type { ComparableWork } from './changed/changed-work.ts'
import {
  type ChangesOverlap,
  type CountingRules,
  type FileOverlap,
  overlapOf,
  sharedFiles,
} from './changed/compare-changes.ts'
import { compareNames, type NamedPaths } from './changed/compare-names.ts'
import type { HotPaths } from './changed/hot-paths.ts'

/** The proposal as changes of others are compared with it. */
export interface ProposedWork {
  /** What its scope names. */
  named: NamedPaths
  /** What it changes; null if that is not known. */
  changed: ComparableWork | null
  /** The login of its author. */
  author: string | null
}

/** What makes changes count less (docs/rules.md#counts). */
export interface CountingRulesByBase extends Omit<CountingRules, 'isHot'> {
  hot: HotPaths
}

export function rulesFor(theirs: ComparableWork, { hot, ...rules }: CountingRulesByBase): CountingRules {
  const hotPaths = hot.get(theirs.work.baseBranch ?? '')
  return { ...rules, isHot: (path) => hotPaths?.has(path) ?? false }
}

/**
 * How a proposal overlaps the changes of other work: by its own changes, and by what it names (docs/rules.md#counts).
 */
export function compareWithChanges(
  { named, changed, author }: ProposedWork,
  theirs: ComparableWork,
  counting: CountingRulesByBase,
  work: Steps,
): ChangesOverlap | null {
  const rules = rulesFor(theirs, counting)
  const files = changed ? sharedFiles(changed, theirs, rules, work) : []
  files.push(...compareNames(named, changed, theirs, rules, work))
  return overlapOf(files, { ours: changed, theirs, author }, rules)
}

/** The files that are known on both sides: their contents and lines decide, and not that both scopes name them. */
export function decidedByLines(found: ChangesOverlap | null): ReadonlySet<string> {
  return new Set(found?.files.filter(isDecided).map(({ path }) => path))
}

function isDecided({ proximity }: FileOverlap): boolean {
  return proximity !== 'unknown lines' && proximity !== 'named' && proximity !== 'covered'
}

/** Two scopes without the files that their lines decide. */
export function withoutDecided(
  proposed: ProposedScope,
  scope: ParsedScope,
  decided: ReadonlySet<string>,
): [ProposedScope, ParsedScope] {
  return decided.size === 0 ? [proposed, scope] : [withoutPaths(proposed, decided), withoutPaths(scope, decided)]
}

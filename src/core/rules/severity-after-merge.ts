import type { Severity } from '../enums.ts'
import { weighted, worst } from './severity.ts'

/** What is known of a collision, or of nearby work, before a merge is tried. */
export interface KnownByLines {
  /** Null for work that is only nearby. */
  severity: Severity | null
  /** What a declared scope, an area, an issue or the same change gives without the changed lines; null where they give nothing. */
  withoutLines: Severity | null
  /** Whether a blocking record or a grave risk raises it. */
  isGrave: boolean
  /** The highest severity of wide work; null where there is no bound. */
  limit: Severity | null
  isIgnoredAuthor: boolean
  /** Whether the service calls it the same change: equal changes merge, and are a collision all the same. */
  isSameChange: boolean
  /** Whether their client knows lines that the head that was tried lacks. */
  hasUnpushedLines: boolean
}

/** Which text says it. */
export type MergeText =
  | 'conflict'
  | 'removal'
  | 'binary'
  | 'ignored_conflict'
  | 'merges'
  | 'pushed_part_merges'
  | 'not_tried'
  /** The text by lines stands alone. */
  | 'none'

export interface SeverityAfterMerge {
  severity: Severity | null
  text: MergeText
  /** Whether nothing is left of the collision: changed lines alone made it, and all of them were tried. */
  isHarmless: boolean
}

/** What a tried merge says of a work. */
export interface TriedMerge {
  merge: 'conflicts' | 'clean' | 'not_tried'
  /** Those in ignored files come last. */
  conflicts: readonly { type: string; removed_by: 'you' | 'they' | null }[]
  /** Whether it conflicts in ignored files alone, which is no collision. */
  is_only_ignored: boolean
}

/** The severity after a merge was tried (docs/rules.md#tried-merges). A clean merge lowers only what changed lines gave. */
export function severityAfterMerge(known: KnownByLines, tried: TriedMerge): SeverityAfterMerge {
  const byLines = (text: MergeText) => ({ severity: known.severity, text, isHarmless: false })
  if (tried.merge === 'not_tried') return byLines('not_tried')
  if (tried.merge === 'conflicts') {
    if (tried.is_only_ignored) return byLines('ignored_conflict')
    const text = textOfConflict(tried)
    if (known.severity === null && known.isIgnoredAuthor) return byLines(text)
    const found = mildest('high', known.limit ?? 'high')
    return { severity: worst([known.severity, found]), text, isHarmless: false }
  }
  if (known.severity === null) return byLines('none')
  if (known.hasUnpushedLines) return byLines('pushed_part_merges')
  const least = weighted('low', known.isGrave)
  const left = worst([least, known.withoutLines])
  return {
    severity: mildest(known.severity, left ?? least),
    text: known.isSameChange ? 'none' : 'merges',
    isHarmless: !known.isSameChange && known.withoutLines === null && !known.isGrave,
  }
}

function textOfConflict({ conflicts }: TriedMerge): MergeText {
  const [first] = conflicts
  if (first?.type === 'binary') return 'binary'
  return first?.removed_by ? 'removal' : 'conflict'
}

function mildest(one: Severity, other: Severity): Severity {
  return worst([one, other]) === one ? other : one
}

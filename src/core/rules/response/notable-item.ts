import { enumValue, importances } from '../../enums.ts'
import type { NotableItem } from '../../schemas/overlap.ts'
import type { ScopeOverlap } from '../../scope/compare.ts'
import type { ComparedNotable } from '../candidates/rows.ts'
import type { Findings } from '../findings.ts'
import type { IdLimits } from './id-limits.ts'

/** The notables of the lists of ids, as a response shows them. */
export function notableItems(
  { notables, repositoryNotables }: Pick<Findings, 'notables' | 'repositoryNotables'>,
  most: IdLimits,
): NotableItem[] {
  return [
    ...notables.slice(0, most.ids).map(({ notable, overlap }) => notableItem(notable, overlap)),
    ...repositoryNotables.slice(0, most.ids).map((notable) => notableItem(notable, null)),
  ]
}

function notableItem(
  { id, blocking, importance, title, applies_until }: ComparedNotable,
  overlap: ScopeOverlap | null,
): NotableItem {
  const about = overlap === null ? 'repository' : overlap.areas.length > 0 && !overlap.paths ? 'areas' : 'paths'
  const until = applies_until?.toISOString() ?? null
  return { id, about, blocking, importance: enumValue(importances, importance), title, until }
}

import { type Category, categories, enumValue, type Importance, importances } from '../../core/enums.ts'
import type { ComparedNotable } from '../../core/rules/candidates/rows.ts'
import type { MatchingNotable } from '../../core/rules/findings.ts'
import type { MatchedNotables } from '../../core/rules/matching-notables.ts'
import { isGraveNotable } from '../../core/rules/severity.ts'
import { examplePathOf, type ScopeOverlap } from '../../core/scope/compare.ts'

/** A notable that a report names (docs/rules.md#notables-in-reports). */
export interface ReportNotable {
  id: string
  category: Category
  importance: Importance
  blocking: boolean
  /** Whether it makes the report `neutral`, and stands in its title. */
  isGrave: boolean
  /** When it stops being true, or expires. */
  until: Date
  /** What the report says about it; null where that is not for everybody. */
  words: NotableWords | null
}

export interface NotableWords {
  title: string
  /** The login of the account; null if it is not known. */
  raisedBy: string | null
  about: 'repository' | NotablePlace
}

export interface NotablePlace {
  areas: readonly string[]
  /** A file of the pull request; undefined where they share areas alone, or only files that no text may name. */
  path: string | undefined
}

/** The notables that a pull request meets, as a report names them. One about security says nothing more in a public repository. */
export function reportNotables({ notables, repositoryNotables }: MatchedNotables, isPublic: boolean): ReportNotable[] {
  const about = (met: readonly Pick<MatchingNotable, 'notable' | 'overlap'>[]) =>
    met.map(({ notable, overlap }) => reportNotable(notable, overlap, isPublic))
  const others = repositoryNotables.map((notable) => ({ notable, overlap: null }))
  return [...about(notables), ...about(others)].sort(gravestFirst)
}

function reportNotable(notable: ComparedNotable, overlap: ScopeOverlap | null, isPublic: boolean): ReportNotable {
  const { id, title, blocking, author_login, applies_until, expires_at } = notable
  const category = enumValue(categories, notable.category)
  const about = overlap === null ? 'repository' : { areas: overlap.areas, path: examplePathOf(overlap) }
  return {
    ...{ id, category, importance: enumValue(importances, notable.importance), blocking },
    isGrave: isGraveNotable(notable),
    until: applies_until !== null && applies_until < expires_at ? applies_until : expires_at,
    words: isPublic && category === 'security' ? null : { title, raisedBy: author_login, about },
  }
}

function gravestFirst(a: ReportNotable, b: ReportNotable): number {
  const rank = ({ blocking, importance }: ReportNotable) => Number(blocking) * 10 + importances.indexOf(importance)
  return Number(b.isGrave) - Number(a.isGrave) || rank(b) - rank(a) || (a.id < b.id ? 1 : -1)
}

/** The notables of two pull requests of one head, each once. */
export function joinNotables(a: readonly ReportNotable[], b: readonly ReportNotable[]): ReportNotable[] {
  const known = new Set(a.map(({ id }) => id))
  return [...a, ...b.filter(({ id }) => !known.has(id))].sort(gravestFirst)
}

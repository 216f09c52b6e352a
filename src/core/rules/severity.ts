import { type Severity, severities } from '../enums.ts'
import type { ScopeOverlap } from '../scope/compare.ts'

/** 0 for no overlap. A higher severity has a higher rank. */
export function severityRank(severity: Severity | null | undefined): number {
  return severity ? severities.indexOf(severity) + 1 : 0
}

/** Sorts the worst first. */
export function bySeverity(a: { severity: Severity | null }, b: { severity: Severity | null }): number {
  return severityRank(b.severity) - severityRank(a.severity)
}

/** The worst of these, of those that are known; null if none is. */
export function worst(severities: Iterable<Severity | null | undefined>): Severity | null {
  let found: Severity | null = null
  for (const severity of severities) {
    if (severity && severityRank(severity) > severityRank(found)) found = severity
  }
  return found
}

/** One step higher where the other work is `blocking` or of grave risk. */
export function weighted<Given extends Severity | null>(severity: Given, isGrave: boolean): Given | Severity {
  if (severity === null || !isGrave) return severity
  return severity === 'low' ? 'medium' : 'high'
}

/** How closely two scopes overlap. */
export type Closeness = 'areas' | 'paths' | 'same file'

/** These risks raise the severity as `blocking` does. */
const graveRisks: readonly string[] = ['high', 'critical']

/**
 * The severity of a collision: `low` for a shared area alone, `medium` for intersecting paths, `high` for the same file. One step
 * higher if the other activity is `blocking`, or its risk is `high` or `critical` (docs/rules.md#severity).
 */
export function collisionSeverity(closeness: Closeness, isGrave: boolean): Severity {
  const plain = closeness === 'same file' ? 'high' : closeness === 'paths' ? 'medium' : 'low'
  return weighted(plain, isGrave)
}

/** `isGrave` in SQL. */
export const isGraveSql = `(blocking or risk in (${graveRisks.map((risk) => `'${risk}'`)}))`

export function isGrave({ blocking, risk }: { blocking: boolean; risk: string }): boolean {
  return blocking || graveRisks.includes(risk)
}

export function closest({ sameFile, paths }: ScopeOverlap): Closeness {
  return sameFile ? 'same file' : paths ? 'paths' : 'areas'
}

interface NotableWeight {
  blocking: boolean
  importance: string
}

/** The severity of a matching notable (docs/rules.md#severity). */
export function notableSeverity(notable: NotableWeight): Severity {
  if (isGraveNotable(notable)) return 'high'
  return notable.importance === 'high' ? 'medium' : 'low'
}

/** If such a notable is about the whole repository, it matches every proposal: a freeze, for example. */
export function isGraveNotable({ blocking, importance }: NotableWeight): boolean {
  return blocking || importance === 'critical'
}

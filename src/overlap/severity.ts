import type { Severity } from '../enums.ts'
import type { ScopeOverlap } from '../scope/compare.ts'

const order: readonly Severity[] = ['low', 'medium', 'high']

/** Sorts the worst first. */
export function bySeverity(a: { severity: Severity }, b: { severity: Severity }): number {
  return order.indexOf(b.severity) - order.indexOf(a.severity)
}

export function worst(severities: Iterable<Severity>): Severity | null {
  let found: Severity | null = null
  for (const severity of severities) {
    if (found === null || order.indexOf(severity) > order.indexOf(found)) found = severity
  }
  return found
}

function raised(severity: Severity): Severity {
  return severity === 'low' ? 'medium' : 'high'
}

/** The closest that two scopes meet. */
export type Closeness = 'areas' | 'paths' | 'same file'

/** The risks that count as much as `blocking` does. */
export const graveRisks: readonly string[] = ['high', 'critical']

/**
 * How bad a collision is: a shared area alone `low`, intersecting paths `medium`, the same file named by both `high`;
 * one step up where the other activity is `blocking`, or its risk is `high` or `critical` (docs/rules.md#severity).
 */
export function collisionSeverity(met: Closeness, isGrave: boolean): Severity {
  const plain = met === 'same file' ? 'high' : met === 'paths' ? 'medium' : 'low'
  return isGrave ? raised(plain) : plain
}

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

/** Such a notable, as a freeze, matches every proposal where it is about the whole repository. */
export function isGraveNotable({ blocking, importance }: NotableWeight): boolean {
  return blocking || importance === 'critical'
}

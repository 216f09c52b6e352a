import type { ScopeMeeting } from '../scope/compare.ts'
import type { Severity } from '../vocabulary.ts'

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

/**
 * How bad a collision is: a shared area alone `low`, intersecting paths `medium`, the same file named by both `high`;
 * one step up where the other activity is `blocking`, or its risk `high` or `critical` (decisions §5).
 */
export function collisionSeverity(meeting: ScopeMeeting, other: { blocking: boolean; risk: string }): Severity {
  const plain = meeting.sameFile ? 'high' : meeting.paths ? 'medium' : 'low'
  return other.blocking || other.risk === 'high' || other.risk === 'critical' ? raised(plain) : plain
}

/** How much a matching notable counts (decisions §5). */
export function notableSeverity(notable: { blocking: boolean; importance: string }): Severity {
  if (notable.blocking || notable.importance === 'critical') return 'high'
  return notable.importance === 'high' ? 'medium' : 'low'
}

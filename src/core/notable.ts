import type { Level } from './enums.ts'
import { notableSeverity } from './overlap/severity.ts'

/** Dates, or instants as the API has them. */
interface Ends {
  applies_until: Date | string | null
  expires_at: Date | string
}

/** Until when a notable holds: it matches nothing after that. */
export function untilOf({ applies_until, expires_at }: Ends): Date {
  const [applies, expires] = [new Date(applies_until ?? expires_at), new Date(expires_at)]
  return applies < expires ? applies : expires
}

/** `2026-11-30`. */
export function untilDay(notable: Ends): string {
  return untilOf(notable).toISOString().slice(0, 10)
}

export function isInForce(notable: Ends, now: Date): boolean {
  return untilOf(notable) > now
}

interface Notable extends Ends {
  importance: Level
  blocking: boolean
  scope: { areas: readonly string[]; paths: readonly string[] }
}

/** A blocking or critical notable about the whole repository, in force. */
export function isFreeze({ scope, ...notable }: Notable, now: Date): boolean {
  const isAboutAll = scope.areas.length === 0 && scope.paths.length === 0
  return isAboutAll && notableSeverity(notable) === 'high' && isInForce(notable, now)
}

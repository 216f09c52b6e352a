import type { Severity } from '../enums.ts'

/** What to do first about a collision with work of somebody else. */
export function firstStep(actor: string, severity: Severity): string {
  if (severity === 'low') return `Let ${actor} know what you are about to do`
  if (severity === 'medium') return `Agree with ${actor} on who changes what before you start`
  return `Talk to ${actor} before you start`
}

/** Points to the collisions that the line before does not name. */
export function othersStep(count: number): string {
  return count === 1 ? 'See the other one too.' : `See the ${count} others too.`
}

/** Nobody has to wait for strangers alone (docs/rules.md#strangers). */
export function outsideStep(whose: string, count: number): string {
  return count === 1
    ? `Only a pull request from outside of the project meets this, that of ${whose}: do not wait for it.`
    : `Only pull requests from outside of the project meet this, such as that of ${whose}: do not wait for them.`
}

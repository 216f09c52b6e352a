import type { Activity as ActivityRow } from '../../db/generated/client.ts'

/** Whether the service observed the work on GitHub (docs/rules.md#observed-work). Nobody recorded it then. */
export function isObserved({ source }: Pick<ActivityRow, 'source'>): boolean {
  return source !== 'recorded'
}

/** Whether a person declared the scope. That of observed work is made of its changed files until somebody sets one. */
export function isDeclared(activity: Pick<ActivityRow, 'source' | 'edited_fields'>): boolean {
  return !isObserved(activity) || activity.edited_fields.includes('scope')
}

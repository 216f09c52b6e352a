import type { Activity as ActivityRow } from '../db/generated/client.ts'

/** Whether the service found the work by itself: nobody recorded it (docs/rules.md#observed-work). */
export function isObserved({ source }: Pick<ActivityRow, 'source'>): boolean {
  return source !== 'recorded'
}

/** Whether a person declared the scope. Observed work has one of its own making until somebody sets it. */
export function isDeclared(activity: Pick<ActivityRow, 'source' | 'edited_fields'>): boolean {
  return !isObserved(activity) || activity.edited_fields.includes('scope')
}

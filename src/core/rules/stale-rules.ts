import type { ComparedActivity } from './candidates/rows.ts'

/** Whether a pull request had no push for long (docs/rules.md#stale-pull-requests). */
export function isStalePush(pushedAt: Date, now: Date, staleAfterMs: number): boolean {
  return now.getTime() - pushedAt.getTime() > staleAfterMs
}

/** Whether the work is a stale pull request. */
export function isStalePull(
  { source, seen_at, began_at }: Pick<ComparedActivity, 'source' | 'seen_at' | 'began_at'>,
  now: Date,
  staleAfterMs: number,
): boolean {
  return source === 'pull_request' && isStalePush(seen_at ?? began_at, now, staleAfterMs)
}

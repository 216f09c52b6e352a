/** Whether a pull request had no push for long (docs/rules.md#stale-pull-requests). */
export function isStalePush(pushedAt: Date, now: Date, staleAfterMs: number): boolean {
  return now.getTime() - pushedAt.getTime() > staleAfterMs
}

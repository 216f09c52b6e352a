import type { Truncated } from './live-state.ts'

/** What is left out; undefined if nothing is. It fits one line, so that the layout does not move. */
export function cutText({ activities, notables, collisions, scopes }: Truncated): string | undefined {
  if (activities || notables || collisions) return 'More than 500 or 1 MiB: the newest are shown. The API lists all.'
  return scopes ? 'Of some only the first 20 paths are shown. The API lists all.' : undefined
}

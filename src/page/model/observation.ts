import { type UnreadWork, unreadWork } from '../../overlap/texts/unread-work.ts'
import { agoText } from './age.ts'
import type { Truncated } from './live-state.ts'

/** What a check says about open pull requests and pushed branches. */
export interface ShownObservation extends UnreadWork {
  pull_requests: string
  as_of: string | null
}

/** A sentence about the open pull requests that the page shows. `isGap`: some may be missing. */
export function observationText(
  observation: ShownObservation | undefined,
  now: number,
): { text: string; isGap: boolean } {
  if (!observation) return { text: 'Open pull requests: …', isGap: false }
  const { pull_requests, as_of, unread } = observation
  const age = as_of === null ? '' : `, as of ${agoText(as_of, now)}`
  switch (pull_requests) {
    case 'off':
      return {
        text: 'Open pull requests are not watched in this repository. Only recorded work is shown.',
        isGap: true,
      }
    case 'unavailable':
      return { text: 'Your sign-in may not read pull requests here. Only recorded work is shown.', isGap: true }
    case 'reading':
      return { text: 'The open pull requests are being read for the first time. More may appear.', isGap: true }
    case 'stale':
      return { text: `GitHub has not answered lately: open pull requests may have changed${age}.`, isGap: true }
    default:
      if (unread === 0) return { text: `Open pull requests are up to date${age}.`, isGap: false }
      return { text: `The files of ${unreadWork(observation)} are still to be read.`, isGap: true }
  }
}

/** What is left out; undefined if nothing is. It fits one line, so that the layout does not move. */
export function cutText({ activities, notables, collisions, scopes }: Truncated): string | undefined {
  if (activities || notables || collisions) return 'More than 500 or 1 MiB: the newest are shown. The API lists all.'
  return scopes ? 'Of some only the first 20 paths are shown. The API lists all.' : undefined
}

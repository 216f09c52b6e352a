import type { Observed } from '../observed/state.ts'
import { ago } from '../overlap/texts/age.ts'
import { unreadWork } from '../overlap/texts/unread-work.ts'

/** How far the open pull requests are known. `isGap`: some may be missing. */
export function observationText(observed: Observed | undefined, now: number): { text: string; isGap: boolean } {
  if (!observed) return { text: 'Open pull requests: …', isGap: false }
  const { pull_requests, as_of, unread } = observed
  const age = as_of === null ? '' : `, as of ${ago(new Date(as_of), new Date(now))}`
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
      return { text: `The files of ${unreadWork(observed)} are still to be read.`, isGap: true }
  }
}

import { unreadWork } from '../../core/texts/unread-work.ts'
import { type Json, numberField, textField } from './json.ts'

/** What a list lacks of the open pull requests and pushed branches, in a sentence; undefined where all are known or none are observed. */
export function describeMissing(observed: Json): string | undefined {
  switch (textField(observed, 'pull_requests')) {
    case 'reading':
      return 'The open pull requests are still being read: there may be more of them.'
    case 'unavailable':
      return 'Open pull requests are not shown: this token may not read them.'
    case 'stale':
      return 'Open pull requests could not be read of late: there may be newer ones.'
    default: {
      const unread = describeUnread(observed)
      return unread === undefined ? undefined : `The files of ${unread} are not read yet.`
    }
  }
}

/** Names the pull requests and branches whose files are not read; undefined if there are none. */
export function describeUnread(observed: Json): string | undefined {
  const unread = numberField(observed, 'unread') ?? 0
  return unread === 0 ? undefined : unreadWork({ unread, unread_branches: numberField(observed, 'unread_branches') })
}

import { type Json, numberField, textField } from './json.ts'

/** What a list lacks of the open pull requests, in a sentence; undefined where all are known or none are observed. */
export function describeMissing(observed: Json): string | undefined {
  switch (textField(observed, 'pull_requests')) {
    case 'reading':
      return 'The open pull requests are still being read: there may be more of them.'
    case 'unavailable':
      return 'Open pull requests are not shown: this token may not read them.'
    case 'stale':
      return 'Open pull requests could not be read of late: there may be newer ones.'
    default: {
      const unread = numberField(observed, 'unread') ?? 0
      if (unread === 0) return undefined
      return `The files of ${unread} open pull ${unread === 1 ? 'request' : 'requests'} are not read yet.`
    }
  }
}

import type { ReadingState } from '../enums.ts'
import { ago } from './words.ts'

/** How far the open pull requests are read. */
export interface Reading {
  pull_requests: ReadingState
  as_of: Date | string | null
  unread: number
}

/** Which open pull requests may be missing. Empty where all are known, or none is looked at. */
export function unread({ pull_requests, as_of, unread: count }: Reading, now: Date): string[] {
  if (pull_requests === 'off') return []
  if (pull_requests === 'unavailable')
    return ['This token may not read the pull requests: only recorded work is known.']
  if (pull_requests === 'reading') return ['The open pull requests are being read.']
  const age = as_of === null ? 'long ago' : ago(new Date(as_of), now)
  return [
    ...(pull_requests === 'stale' ? [`The open pull requests were last read ${age}.`] : []),
    ...(count === 0 ? [] : [`The files of ${openPulls(count)} are not read.`]),
  ]
}

export function openPulls(count: number): string {
  return count === 1 ? '1 open pull request' : `${count} open pull requests`
}

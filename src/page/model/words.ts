import type { LiveStatus } from '../../core/enums.ts'
import type { RepositoryOfPage } from '../../core/page-paths.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { Notable } from '../../core/schemas/notable.ts'
import { ago } from '../../core/texts/age.ts'
import { pullNumber, textOf } from '../../core/texts/sentence/sentence-parts.ts'
import type { Card } from './board.ts'
import type { Truncated } from './live-state.ts'
import { visibleText } from './visible-text.ts'

/** `in 3 h`, `in 2 days`; `now` for a time in the past. */
export function untilText(instant: string, now: number): string {
  const ms = Date.parse(instant) - now
  if (!(ms > 0)) return 'now'
  return `in ${ago(new Date(0), new Date(Math.max(ms, 60_000))).replace(' ago', '')}`
}

/** When the notable stops applying, whichever comes first. */
export function endOf({ applies_until, expires_at }: Pick<Notable, 'applies_until' | 'expires_at'>): string {
  const isSooner = applies_until !== null && Date.parse(applies_until) < Date.parse(expires_at)
  return isSooner ? applies_until : expires_at
}

export const statusWords: Record<LiveStatus, string> = {
  planned: 'Planned',
  active: 'Active',
  paused: 'Paused',
  blocked: 'Blocked',
  'draft-pr-open': 'Draft',
  'ready-for-review': 'In review',
}

/** What becomes of the pull request of recorded work that ends. The record has its number only where it is linked. */
export function doneText(activity: Activity): string {
  const number = pullNumber(activity)
  if (number !== undefined) return `It is done: it counts again as #${number}`
  return activity.changes?.by === 'github' ? 'It is done: what is pushed counts again' : 'It is done'
}

/** What is left out; undefined if nothing is. */
export function cutText({ activities, notables, collisions, scopes }: Truncated): string | undefined {
  if (activities || notables || collisions) return 'More than 500 or 1 MiB: the newest are shown. The API lists all.'
  return scopes ? 'Of some only the first 20 paths are shown. The API lists all.' : undefined
}

/** The text for screen readers after the cards have changed; empty if none came and none went. */
export function announcement(before: readonly Card[] | undefined, after: readonly Card[]): string {
  if (!before) return ''
  const [known, current] = [new Set(before.map(({ key }) => key)), new Set(after.map(({ key }) => key))]
  const fresh = after.filter(({ key }) => !known.has(key))
  const gone = before.filter(({ key }) => !current.has(key)).length
  const [first] = fresh
  if (first && fresh.length === 1) {
    const people = first.people.map(({ activity }) => activity?.actor ?? 'other work').join(' and ')
    return `New collision${first.isMine ? ' of yours' : ''}, ${first.severity} severity: ${visibleText(people)}, ${visibleText(textOf(first.place))}.`
  }
  if (fresh.length > 1) return `${fresh.length} new collisions.`
  return gone === 1 ? 'A collision is over.' : gone > 1 ? `${gone} collisions are over.` : ''
}

/** An address to link to: `http` or `https` without user information, else undefined. Other people wrote it. */
export function safeLink(url: string | null | undefined): string | undefined {
  if (!url || !URL.canParse(url)) return undefined
  const { protocol, username, password } = new URL(url)
  return (protocol === 'https:' || protocol === 'http:') && username === '' && password === '' ? url : undefined
}

/** The address at which single sign-on is granted, out of GitHub's header; only at our own GitHub. */
export function ssoLink(header: string | null, githubUrl: string | undefined): string | undefined {
  const url = safeLink(/\burl=(\S+)/.exec(header ?? '')?.[1])
  if (!url || githubUrl === undefined || !URL.canParse(githubUrl)) return undefined
  return new URL(url).origin === new URL(githubUrl).origin ? url : undefined
}

export function repositoryLink(githubUrl: string | undefined, { owner, repo }: RepositoryOfPage): string | undefined {
  return githubUrl === undefined ? undefined : safeLink(`${githubUrl}/${owner}/${repo}`)
}

/**
 * How long after the last message from the service the page counts as old, in ms. Streams send a message every 15 s,
 * and lists are polled as often.
 */
const freshForMs = { live: 30_000, polling: 60_000, connecting: -Infinity, lost: -Infinity } as const

/** Whether the page may be out of date. */
export function isStale(connection: keyof typeof freshForMs, lastReceivedAt: number | undefined, now: number): boolean {
  return now - (lastReceivedAt ?? 0) > freshForMs[connection]
}

import type { Headline } from './report-text.ts'

/** How many other reports are looked at after an event of one pull request. */
const mostAffected = 20

/** What was written of a head, and what it says without stale pull requests. */
export interface WrittenHeadline extends Headline {
  fresh: Headline
}

/**
 * Whether a report has to be written: the first of its head, or one whose conclusion or title changed. A change of
 * stale pull requests alone is no reason.
 */
export function isToBeWritten(written: WrittenHeadline | null, next: WrittenHeadline): boolean {
  return written === null || (!isSame(written, next) && !isSame(written.fresh, next.fresh))
}

function isSame(a: Headline, b: Headline): boolean {
  return a.title === b.title && a.conclusion === b.conclusion
}

/**
 * The pull requests whose reports may change after an event of this one: those that its report names now, worst first, and
 * those that it or they named before.
 */
export function affectedBy(own: readonly number[], now: readonly number[], before: readonly number[]): number[] {
  const others = [...now, ...before].filter((number) => !own.includes(number))
  return [...new Set(others)].slice(0, mostAffected)
}

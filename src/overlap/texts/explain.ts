import type { ScopeOverlap } from '../../scope/compare.ts'
import type { Findings, MatchingNotable } from '../findings.ts'
import { joinWords, quoted } from '../quote.ts'
import { mostIds } from '../schema.ts'
import { collisionLine, placeOf } from './collision-line.ts'
import { describedOverlaps, isNotable, mostDescribed, undescribed } from './described.ts'
import { coversChanges, nearbyLines } from './nearby-line.ts'
import { observedLines } from './observed-lines.ts'
import { recommend } from './recommend.ts'

/** The texts `reason` and `recommended_action`. Each has at least one line, and every line ends with a line feed. */
export function explain(found: Findings): { reason: string; recommended_action: string } {
  return { reason: textOf(reason(found)), recommended_action: textOf(recommend(found)) }
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function reason(found: Findings): string[] {
  const described = describedOverlaps(found)
  const lines = described.map((one) => (isNotable(one) ? notableReason(one) : collisionLine(one, found)))
  const more = undescribed(found, described)
  if (more > 0) lines.push(`And ${more} more: ${countOf(found)} overlap in all.`)
  if (lines.length === 0 && found.isWhole) lines.push(...nothingOverlaps(found))
  else if (!found.hasScope) lines.push('Nothing else was compared: no paths, areas or tags were named.')
  if (!found.isWhole) lines.push('Not everything was compared, as that is too costly: this is not the whole answer.')
  return [...lines, ...nearbyLines(found.nearby), ...observedLines(found)]
}

function countOf({ collisions, notables }: Findings): string {
  const count = (all: readonly unknown[], one: string, many: string) =>
    all.length === 0 ? [] : [`${all.length} ${all.length === 1 ? one : many}`]
  return joinWords([
    ...count(collisions, 'live activity', 'live activities'),
    ...count(notables, 'notable', 'notables'),
  ])
}

/** The text for no overlap, by the state of the open pull requests. */
const nothingMeetsThis = {
  current: 'Nothing recorded or open meets this.',
  stale: 'Nothing recorded or known to be open meets this.',
  reading: 'Nothing recorded or read so far meets this.',
  unavailable: 'Nothing recorded meets this.',
  off: 'Nothing recorded meets this. Open pull requests are not observed here.',
} as const

function nothingOverlaps(found: Findings): string[] {
  const { hasScope, expected, reuse, observed } = found
  if (!hasScope) return ['Nothing to compare: no paths, areas or tags were named.']
  const nothing = nothingMeetsThis[observed.pull_requests]
  const lines = [coversChanges(found) ? nothing.replace(/^Nothing/, 'Nothing else') : nothing]
  if (expected.length > 0) {
    const ids = expected.slice(0, mostDescribed).map(({ activity, relationship }) => `${activity.id} (${relationship})`)
    lines.push(`Not counted is your own and stacked work: ${ids.join(', ')}${restOfExpected(expected)}.`)
  }
  if (reuse.length > 0) {
    const ids = reuse.map(({ activity_id }) => activity_id)
    lines.push(`Work in the same place was merged lately: ${joinWords(ids)}.`)
  }
  return lines
}

function subject(overlap: ScopeOverlap | null): string {
  if (!overlap) return 'the whole repository'
  return overlap.paths && !overlap.sameFile ? `files such as ${placeOf(overlap)}` : placeOf(overlap)
}

function notableReason({ notable, overlap, severity }: MatchingNotable): string {
  const weight = [`${notable.importance} importance`, ...(notable.blocking ? ['marked as blocking'] : [])]
  const raised = notable.author_login === null ? '' : `, raised by ${quoted(notable.author_login)},`
  return `The notable ${quoted(notable.title)} (${notable.id})${raised} is about ${subject(overlap)} (${severity} severity, ${weight.join(', ')}).`
}

/** Above the limit of a list the exact number is not known. */
function restOfExpected({ length }: Findings['expected']): string {
  if (length > mostIds) return `, and more than ${mostIds - mostDescribed} others`
  return length > mostDescribed ? `, and ${length - mostDescribed} more` : ''
}

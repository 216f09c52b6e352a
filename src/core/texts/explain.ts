import type { Obstacle } from '../enums.ts'
import type { Findings, MatchingNotable } from '../rules/findings.ts'
import { mostDescribed } from '../rules/response/id-limits.ts'
import type { ScopeOverlap } from '../scope/compare.ts'
import { describedOverlaps, isNotable, undescribed } from './described.ts'
import { issueList } from './issue-list.ts'
import { joinWords } from './join-words.ts'
import { collisionLine, placeOf, severityWords } from './lines/collision-line.ts'
import { coversChanges, nearbyLines } from './lines/nearby-lines.ts'
import { observedLines } from './lines/observed-lines.ts'
import { otherProposalLines } from './lines/proposal-lines.ts'
import { type Message, message, textsOf } from './message.ts'
import { quoted } from './quote.ts'
import { recommend } from './recommend.ts'

/** The texts of an answer, as messages and joined. Each text has at least one line. */
export function explain(found: Findings, obstacles: readonly Obstacle[]) {
  const messages = [...reason(found), ...recommend(found, obstacles)]
  return { messages, ...textsOf(messages) }
}

function reason(found: Findings): Message[] {
  const described = describedOverlaps(found)
  const lines = described.map((one) =>
    isNotable(one)
      ? message('notable', notableReason(one), [one.notable.id])
      : message('collision', collisionLine(one, found), [one.id]),
  )
  const more = undescribed(found, described)
  if (more > 0) lines.push(message('collision', `And ${more} more: ${countOf(found)} overlap in all.`))
  if (lines.length === 0 && found.isWhole) lines.push(...nothingOverlaps(found))
  else if (!found.hasScope) lines.push(noPlaceNamed(found))
  if (!found.isWhole)
    lines.push(message('unknown', 'Not everything was compared, as that is too costly: this is not the whole answer.'))
  lines.push(...otherProposalLines(found))
  const unknown = observedLines(found).map((line) => message('unknown', line))
  return [...lines, ...nearbyLines(found.nearby), ...unknown]
}

function countOf({ collisions, notables }: Findings): string {
  const count = (all: readonly unknown[], one: string, many: string) =>
    all.length === 0 ? [] : [`${all.length} ${all.length === 1 ? one : many}`]
  return joinWords([
    ...count(collisions, 'live activity', 'live activities'),
    ...count(notables, 'notable', 'notables'),
  ])
}

/** The end of the line that nothing overlaps, by how far the open pull requests are read. */
const meetsThis = {
  current: 'recorded or open meets this.',
  stale: 'recorded or known to be open meets this.',
  reading: 'recorded or read so far meets this.',
  unavailable: 'recorded meets this.',
  off: 'recorded meets this. Open pull requests are not observed here.',
} as const

function nothingOverlaps(found: Findings): Message[] {
  const { hasScope, issues, expected, observed } = found
  if (!hasScope && issues.length === 0)
    return [message('unknown', 'Nothing to compare: no paths, areas or tags were named.')]
  if (!hasScope) return [message('nearby', `No other known work counts for ${issueList(issues)}.`), noPlaceNamed(found)]
  const nothing = `Nothing ${coversChanges(found) ? 'else ' : ''}${meetsThis[observed.pull_requests]}`
  if (expected.length === 0) return [message('nearby', nothing)]
  const ids = expected.slice(0, mostDescribed).map(({ activity }) => activity.id)
  return [message('nearby', nothing), message('nearby', 'Your own and stacked work is not counted.', ids)]
}

/** What was compared where the proposal names no place. */
function noPlaceNamed({ issues }: Findings): Message {
  const compared =
    issues.length === 0
      ? 'Nothing else was compared'
      : `Only ${issueList(issues)} ${issues.length === 1 ? 'was' : 'were'} compared`
  return message('unknown', `${compared}: no paths, areas or tags were named.`)
}

function subject(overlap: ScopeOverlap | null): string {
  if (!overlap) return 'the whole repository'
  return overlap.paths && !overlap.sameFile ? `files such as ${placeOf(overlap)}` : placeOf(overlap)
}

function notableReason({ notable, overlap, severity }: MatchingNotable): string {
  const raised = notable.author_login === null ? '' : `, raised by ${quoted(notable.author_login)},`
  return `The notable ${quoted(notable.title)}${raised} is about ${subject(overlap)} ${severityWords(severity, notable.blocking)}.`
}

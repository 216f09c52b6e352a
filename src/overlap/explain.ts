import { enumValue, liveStatuses } from '../enums.ts'
import { examplePathOf, type ScopeOverlap } from '../scope/compare.ts'
import { describedOverlaps, isNotable, mostDescribed } from './described.ts'
import type { Findings, LoadedCollision, MatchingNotable } from './findings.ts'
import { joinWords, quoted, quotedPath } from './quote.ts'
import { recommend } from './recommend.ts'
import { mostIds } from './schema.ts'
import { graveRisks } from './severity.ts'

/** The texts `reason` and `recommended_action`. Each has at least one line, and every line ends with a line feed. */
export function explain(found: Findings): { reason: string; recommended_action: string } {
  return { reason: textOf(reason(found)), recommended_action: textOf(recommend(found)) }
}

function textOf(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('')
}

function reason(found: Findings): string[] {
  const described = describedOverlaps(found)
  const lines = described.map((one) => (isNotable(one) ? notableReason(one) : collisionReason(one)))
  const more = found.collisions.length + found.notables.length - described.length
  if (more > 0) lines.push(`And ${more} more: ${countOf(found)} overlap in all.`)
  if (lines.length === 0 && found.isWhole) lines.push(...nothingOverlaps(found))
  else if (!found.hasScope) lines.push('Nothing else was compared: no paths, areas or tags were named.')
  if (!found.isWhole) lines.push('These globs are too costly to compare with everything: this is not the whole answer.')
  return lines
}

function countOf({ collisions, notables }: Findings): string {
  const count = (all: readonly unknown[], one: string, many: string) =>
    all.length === 0 ? [] : [`${all.length} ${all.length === 1 ? one : many}`]
  return joinWords([
    ...count(collisions, 'live activity', 'live activities'),
    ...count(notables, 'notable', 'notables'),
  ])
}

function nothingOverlaps({ hasScope, expected, reuse }: Findings): string[] {
  if (!hasScope) return ['Nothing to compare: no paths, areas or tags were named.']
  const lines = ['No live work of others and no notable meets this scope.']
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

const doing = {
  planned: 'plans',
  active: 'is working on',
  paused: 'has paused',
  blocked: 'is blocked on',
  'draft-pr-open': 'has a draft pull request open for',
  'ready-for-review': 'is waiting for a review of',
} as const

function collisionReason({ activity, overlap, severity }: LoadedCollision): string {
  const { actor, agent, branch, status, title, id, risk, blocking } = activity
  const who = `${quoted(actor)}${agent ? ` (with ${quoted(agent)})` : ''}`
  const where = branch === null ? '' : ` on branch ${quoted(branch)}`
  const weight = [
    `${severity} severity`,
    ...(blocking ? ['marked as blocking'] : []),
    ...(graveRisks.includes(risk) ? [`of ${risk} risk`] : []),
  ]
  return `${who} ${doing[enumValue(liveStatuses, status)]} ${quoted(title)} (${id})${where}, ${touching(overlap)} (${weight.join(', ')}).`
}

function touching(overlap: ScopeOverlap): string {
  // The paths overlap according to the index, but an example path is too costly to find.
  if (!overlap.paths && overlap.areas.length === 0) return 'touching the same files'
  if (overlap.sameFile) return `naming the same file, ${placeOf(overlap)}`
  return overlap.paths ? `touching files such as ${placeOf(overlap)}` : `sharing ${placeOf(overlap)}`
}

function subject(overlap: ScopeOverlap | null): string {
  if (!overlap) return 'the whole repository'
  return overlap.paths && !overlap.sameFile ? `files such as ${placeOf(overlap)}` : placeOf(overlap)
}

/** The example path, or the shared areas. */
function placeOf(overlap: ScopeOverlap): string {
  const { areas } = overlap
  const examplePath = examplePathOf(overlap)
  if (examplePath !== undefined) return quotedPath(examplePath)
  const more = areas.length > mostDescribed ? ` and ${areas.length - mostDescribed} more` : ''
  const labels = areas.slice(0, mostDescribed).map((label) => quoted(label))
  return `the ${areas.length === 1 ? 'area' : 'areas'} ${more ? labels.join(', ') + more : joinWords(labels)}`
}

function notableReason({ notable, overlap, severity }: MatchingNotable): string {
  const weight = [`${notable.importance} importance`, ...(notable.blocking ? ['marked as blocking'] : [])]
  return `The notable ${quoted(notable.title)} (${notable.id}) is about ${subject(overlap)} (${severity} severity, ${weight.join(', ')}).`
}

/** Above the limit of a list the exact number is not known. */
function restOfExpected({ length }: Findings['expected']): string {
  if (length > mostIds) return `, and more than ${mostIds - mostDescribed} others`
  return length > mostDescribed ? `, and ${length - mostDescribed} more` : ''
}

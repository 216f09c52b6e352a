import { enumValue, liveStatuses } from '../enums.ts'
import { type ScopeMeeting, witnessOf } from '../scope/compare.ts'
import type { KnownCollision } from './collision.ts'
import type { Findings, MatchingNotable } from './compute.ts'
import { joinWords, name, pathExcerpt, quoted } from './quote.ts'
import { mostDescribed, recommend } from './recommend.ts'
import { graveRisks } from './severity.ts'

/** Writes `reason` and `recommended_action`, worst first and never empty (docs/rules.md#overlap-texts). */
export function explain(found: Findings): { reason: string; recommended_action: string } {
  return { reason: reason(found).join(' '), recommended_action: recommend(found).join(' ') }
}

function reason(found: Findings): string[] {
  const { notables, isWhole } = found
  const sentences = [...collisionReasons(found), ...notableReasons(notables)]
  if (sentences.length === 0 && isWhole) sentences.push(...nothingMeets(found))
  if (!isWhole) sentences.push('These globs are too costly to compare with everything: this is not the whole answer.')
  return sentences
}

function nothingMeets({ hasScope, expected, reuse }: Findings): string[] {
  if (!hasScope) return ['Nothing to compare: no paths, areas or tags were named.']
  const sentences = ['No live work of others and no notable meets this scope.']
  if (expected.length > 0) {
    const ids = expected.slice(0, mostDescribed).map(({ activity, relationship }) => `${activity.id} (${relationship})`)
    sentences.push(`Not counted is your own and stacked work: ${ids.join(', ')}${rest(expected, ', ')}.`)
  }
  if (reuse.length > 0) {
    const ids = reuse.map(({ activity_id }) => activity_id)
    sentences.push(`Work in the same place was merged lately: ${joinWords(ids)}.`)
  }
  return sentences
}

function collisionReasons({ collisions, told }: Findings): string[] {
  if (collisions.length === 0) return []
  const each = told.map(collisionReason).join('; ')
  const before = collisions.length === 1 ? '' : `${collisions.length} live activities collide with this, worst first: `
  return [`${before}${each}${rest(collisions, '; ')}.`]
}

const doing = {
  planned: 'plans',
  active: 'is working on',
  paused: 'has paused',
  blocked: 'is blocked on',
  'draft-pr-open': 'has a draft pull request open for',
  'ready-for-review': 'is waiting for a review of',
} as const

function collisionReason({ activity, meeting, severity }: KnownCollision): string {
  const { actor, agent, branch, status, title, id, risk, blocking } = activity
  const who = `${name(actor)}${agent ? ` (with ${name(agent)})` : ''}`
  const where = branch === null ? '' : ` on branch ${name(branch)}`
  const weight = [
    `${severity} severity`,
    ...(blocking ? ['marked as blocking'] : []),
    ...(graveRisks.includes(risk) ? [`of ${risk} risk`] : []),
  ]
  return `${who} ${doing[enumValue(liveStatuses, status)]} ${quoted(title)} (${id})${where}, ${touching(meeting)} (${weight.join(', ')})`
}

function touching(meeting: ScopeMeeting): string {
  // Globs made to be costly: that they meet is certain, and where was not looked for to the end.
  if (!meeting.paths && meeting.areas.length === 0) return 'touching the same files'
  if (meeting.sameFile) return `naming the same file, ${place(meeting)}`
  return meeting.paths ? `touching files such as ${place(meeting)}` : `sharing ${place(meeting)}`
}

/** The example path that both globs match, or the areas. */
function place(meeting: ScopeMeeting): string {
  const { areas } = meeting
  const witness = witnessOf(meeting)
  if (witness !== undefined) return pathExcerpt(witness)
  const more = areas.length > mostDescribed ? ` and ${areas.length - mostDescribed} more` : ''
  const labels = areas.slice(0, mostDescribed).map(quoted)
  return `the ${areas.length === 1 ? 'area' : 'areas'} ${more ? labels.join(', ') + more : joinWords(labels)}`
}

function notableReasons(notables: readonly MatchingNotable[]): string[] {
  if (notables.length === 0) return []
  const each = notables.slice(0, mostDescribed).map(notableReason).join('; ')
  const before = notables.length === 1 ? 'A notable applies: ' : `${notables.length} notables apply, worst first: `
  return [`${before}${each}${rest(notables, '; ')}.`]
}

function notableReason({ notable, meeting, severity }: MatchingNotable): string {
  const about = meeting.paths && !meeting.sameFile ? `files such as ${place(meeting)}` : place(meeting)
  const weight = [`${notable.importance} importance`, ...(notable.blocking ? ['marked as blocking'] : [])]
  return `${quoted(notable.title)} (${notable.id}) about ${about} (${severity} severity, ${weight.join(', ')})`
}

function rest(all: readonly unknown[], comma: string): string {
  return all.length > mostDescribed ? `${comma}and ${all.length - mostDescribed} more` : ''
}

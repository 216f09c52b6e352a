import type { ScopeMeeting } from '../scope/compare.ts'
import type { Collision, Findings, LiveActivity, MatchingNotable } from './compute.ts'
import { counted, excerpt, listed, quoted } from './quote.ts'

/** How many records the two sentences name (decisions §5). */
const named = 5

/** `reason` and `recommended_action` in words a person would write, worst first; never empty (decisions §5). */
export function explain(found: Findings): { reason: string; recommended_action: string } {
  return { reason: reason(found).join(' '), recommended_action: action(found).join(' ') }
}

function reason({ collisions, notables, hasScope, isWhole, expected }: Findings): string[] {
  const incomplete = isWhole
    ? []
    : ['These globs are too costly to compare with everything: this is not the whole answer.']
  if (collisions.length === 0 && notables.length === 0) return [nothingMeets(hasScope, expected.length), ...incomplete]
  return [...collisionReasons(collisions), ...notableReasons(notables), ...incomplete]
}

function nothingMeets(hasScope: boolean, expected: number): string {
  if (!hasScope) return 'Nothing to compare: no paths, areas or tags were named.'
  const others = expected > 0 ? ' Your own and stacked work is not counted.' : ''
  return `No live activity and no notable meets this scope.${others}`
}

function collisionReasons(collisions: readonly Collision[]): string[] {
  const [first] = collisions
  if (!first) return []
  if (collisions.length === 1) return [`${who(first.activity)} ${where(first)}.`]
  const each = collisions.slice(0, named).map((collision) => `${who(collision.activity)} ${where(collision)}`)
  return [
    `${counted(collisions.length, 'live activity', 'live activities')} collide with this, worst first: ${each.join('; ')}${rest(collisions)}.`,
  ]
}

function notableReasons(notables: readonly MatchingNotable[]): string[] {
  if (notables.length === 0) return []
  const each = notables
    .slice(0, named)
    .map(
      ({ notable, meeting }) =>
        `${quoted(notable.title)} (${notable.importance}, ${notable.id}) about ${what(meeting)}`,
    )
  return [
    `${notables.length === 1 ? 'A notable applies' : `${notables.length} notables apply`}: ${each.join('; ')}${rest(notables)}.`,
  ]
}

function rest(all: readonly unknown[]): string {
  return all.length > named ? `; and ${all.length - named} more` : ''
}

function who(activity: LiveActivity): string {
  const agent = activity.agent ? ` (with ${excerpt(activity.agent)})` : ''
  const branch = activity.branch === null ? '' : ` on ${excerpt(activity.branch)}`
  return `${excerpt(activity.actor)}${agent} is at work${branch}: ${quoted(activity.title)} (${activity.id})`
}

function where({ activity, meeting }: Collision): string {
  const weight = [
    ...(activity.blocking ? ['marked as blocking'] : []),
    ...(activity.risk === 'high' || activity.risk === 'critical' ? [`of ${activity.risk} risk`] : []),
  ]
  const marked = weight.length > 0 ? `, ${listed(weight)},` : ''
  return `${marked} ${verb(meeting)} ${what(meeting)}`.trimStart()
}

function verb(meeting: ScopeMeeting): string {
  return meeting.sameFile ? 'names the very file' : meeting.paths ? 'touches' : 'shares'
}

/** The example path that both globs match, or the areas. */
function what({ paths, areas, sameFile }: ScopeMeeting): string {
  if (!paths) return `the ${areas.length === 1 ? 'area' : 'areas'} ${listed(areas.slice(0, named).map(quoted))}`
  if (sameFile) return excerpt(paths.witness)
  return `files such as ${excerpt(paths.witness)}`
}

function action(found: Findings): string[] {
  const { collisions, notables, expected, repositoryNotables } = found
  const sentences = [...collisionActions(collisions), ...notableActions(notables)]
  if (sentences.length === 0) sentences.push(goAhead(found))
  const own = expected.find(({ relationship }) => relationship === 'own')
  if (own) sentences.push(`Work is recorded on this branch already (${own.activity.id}): keep that record up to date.`)
  if (repositoryNotables.length > 0) {
    const ids = repositoryNotables.slice(0, named).map(({ id }) => id)
    sentences.push(`Know what holds for the whole repository: ${listed(ids)}.`)
  }
  return sentences
}

function goAhead({ hasScope }: Findings): string {
  return hasScope ? 'Go ahead.' : 'Name the paths or areas that you are about to touch, and check again.'
}

function collisionActions(collisions: readonly Collision[]): string[] {
  const [first] = collisions
  if (!first) return []
  const { activity, severity } = first
  const ids = collisions.slice(0, named).map((collision) => collision.activity.id)
  const actor = excerpt(activity.actor)
  const branch = activity.branch === null ? '' : `, or build on ${excerpt(activity.branch)}`
  const others = ids.length > 1 ? ` See also ${listed(ids.slice(1))}.` : ''
  if (severity === 'low')
    return [`Let ${actor} know what you are about to do (${activity.id}); then go ahead.${others}`]
  if (severity === 'medium')
    return [`Agree with ${actor} on who changes what before you start (${activity.id})${branch}.${others}`]
  return [`Talk to ${actor} before you start (${activity.id})${branch}, or take up something else first.${others}`]
}

function notableActions(notables: readonly MatchingNotable[]): string[] {
  const ids = notables.slice(0, named).map(({ notable }) => notable.id)
  return ids.length === 0 ? [] : [`Read ${listed(ids)} first.`]
}

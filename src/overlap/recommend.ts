import type { EndedActivity, Findings, MatchingNotable } from './compute.ts'
import { joinWords, name } from './quote.ts'

/** How many records of a kind the two texts name (docs/rules.md#overlap-texts). */
export const mostDescribed = 5

/** What to do next, in sentences; never empty (docs/rules.md#overlap-texts). */
export function recommend(found: Findings): string[] {
  const { collisions, notables, hasScope, isWhole, expected, repositoryNotables, reuse } = found
  const sentences = [...endedActions(found), ...collisionActions(found), ...notableActions(notables)]
  if (reuse.length > 0) {
    const ids = reuse.map(({ activity_id }) => activity_id)
    sentences.push(`See whether what was merged lately can be reused (${joinWords(ids)}) before you write it anew.`)
  }
  if (!isWhole) sentences.push('Name fewer or plainer globs, and check again: what was not compared may collide.')
  else if (!hasScope) sentences.push('Name the paths or areas that you are about to touch, and check again.')
  else if (collisions.length === 0 && notables[0]?.severity !== 'high')
    sentences.push(sentences.length === 0 ? 'Go ahead.' : 'Then go ahead.')
  return [...sentences, ...expectedActions(expected), ...repositoryActions(repositoryNotables)]
}

/** Where another record of this branch lives, the advice about that one follows below. */
function endedActions({ ended, expected }: Findings): string[] {
  if (!ended) return []
  const over = `Your activity ${ended.id} ${endOf(ended)}, and others do not see it any more`
  const isReplaced = expected.some(({ relationship }) => relationship === 'own')
  return [isReplaced ? `${over}.` : `${over}: if the work goes on, record it anew by a create, and use the new id.`]
}

function endOf({ status, archived_reason }: EndedActivity): string {
  if (archived_reason === 'branch_deleted') return 'was archived when its branch was deleted'
  if (status === 'expired' || archived_reason === 'expired') return 'has expired'
  return `was ${archived_reason === 'merged' ? 'merged' : status}`
}

function collisionActions({ defaultBranch, isWhole, told }: Findings): string[] {
  const [first] = told
  if (!first) return []
  const { activity, severity } = first
  const actor = `${name(activity.actor)} (${activity.id})`
  const others = told.slice(1).map(({ id }) => id)
  const seeAlso = others.length > 0 ? [`See also ${joinWords(others)}.`] : []
  if (severity === 'low') {
    return [`Let ${actor} know what you are about to do${isWhole ? '; then go ahead' : ''}.`, ...seeAlso]
  }
  const { branch } = activity
  const build = branch === null || branch === defaultBranch ? [] : [`build on branch ${name(branch)}`]
  const ways =
    severity === 'medium'
      ? [`Agree with ${actor} on who changes what before you start`, ...build]
      : [`Talk to ${actor} before you start`, ...build, 'take up something else first']
  const advice = [ways.slice(0, -1).join(', '), ...ways.slice(-1)].filter((part) => part !== '').join(', or ')
  return [`${advice}.`, ...seeAlso]
}

function notableActions(notables: readonly MatchingNotable[]): string[] {
  const ids = notables.slice(0, mostDescribed).map(({ notable }) => notable.id)
  return ids.length === 0 ? [] : [`Read ${joinWords(ids)} first.`]
}

function expectedActions(expected: Findings['expected']): string[] {
  const ids = (wanted: 'own' | 'stacked') =>
    expected.filter(({ relationship }) => relationship === wanted).map(({ activity }) => activity.id)
  const own = ids('own').slice(0, mostDescribed)
  const stacked = ids('stacked').slice(0, mostDescribed)
  return [
    ...(own.length > 0
      ? [`This branch has its record already (${joinWords(own)}): update it rather than create another.`]
      : []),
    ...(stacked.length > 0
      ? [`You are stacked with ${joinWords(stacked)}: what is built on a branch is rebased when that branch changes.`]
      : []),
  ]
}

function repositoryActions(notables: Findings['repositoryNotables']): string[] {
  const ids = notables.slice(0, mostDescribed).map(({ id }) => id)
  return ids.length === 0 ? [] : [`Keep in mind what holds for the whole repository: ${joinWords(ids)}.`]
}

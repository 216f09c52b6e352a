import type { Obstacle } from '../enums.ts'
import { collisionBasis } from '../rules/collision-basis.ts'
import { type EndedActivity, type Findings, isLoaded, type LoadedCollision } from '../rules/findings.ts'
import { mostDescribed } from '../rules/response/id-limits.ts'
import { type AdvisedCollision, type AdvisedOverlaps, advice, advise } from './advice.ts'
import { joinWords } from './join-words.ts'
import { unknownAction } from './lines/observed-lines.ts'
import { proposalActions } from './lines/proposal-lines.ts'
import type { Message } from './message.ts'
import { quoted } from './quote.ts'

/** The lines of `recommended_action`. There is at least one. */
export function recommend(found: Findings, obstacles: readonly Obstacle[]): Message[] {
  return advise(advised(found), {
    first: endedActions(found),
    second: [...proposalActions(found), ...reuseActions(found)],
    last: [...expectedActions(found.expected), ...repositoryActions(found.repositoryNotables)],
    always: alwaysNext(found, obstacles),
    unlessColliding: (isFirst) => nextAction(found, obstacles, isFirst),
  })
}

/** The collisions and notables by the fields that an answer has. */
function advised(found: Findings): AdvisedOverlaps {
  const { notables } = found
  const asAdvised = (collision: LoadedCollision): AdvisedCollision => {
    const { activity, ownership } = collision
    const { source, branch } = activity
    return { ...collision, source, branch, isOwn: ownership === 'own', basis: collisionBasis(collision, found) }
  }
  return {
    collisions: found.collisions.map((one) => (one.byStranger && isLoaded(one) ? asAdvised(one) : one)),
    loaded: found.loaded.map(asAdvised),
    notables: notables.map(({ notable: { id, title }, severity, overlap }) => ({ id, title, severity, overlap })),
    notableIds: notables.map(({ notable }) => notable.id),
  }
}

/** What to do next in any case, since too little is known. */
function alwaysNext({ isWhole }: Findings, obstacles: readonly Obstacle[]): string | null {
  if (!isWhole) return 'Name fewer paths, or plainer globs, and check again: what was not compared may collide.'
  if (obstacles.includes('nothing_named'))
    return 'Name the paths or areas that you are about to touch, and check again.'
  return null
}

/** The answer says "Go ahead" here, and only if nothing stands in the way. */
function nextAction(found: Findings, obstacles: readonly Obstacle[], isFirst: boolean): string | null {
  if (obstacles.includes('wide_paths'))
    return 'Name the files that you will change, and check again: others change some of these paths.'
  if (obstacles.includes('unread') || obstacles.includes('cut_off')) return unknownAction(found)
  if (obstacles.length > 0) return null
  return isFirst ? 'Go ahead.' : 'Then go ahead.'
}

/** What to do about merged work: where it closed an issue of the proposal, that is said. */
function reuseActions({ reuse }: Findings): Message[] {
  const idsOf = (works: Findings['reuse']) => works.map(({ activity_id }) => activity_id)
  const closing = reuse.filter(({ issues }) => issues.length > 0)
  const others = reuse.filter(({ issues }) => issues.length === 0)
  return [
    ...closing.slice(0, 1).map(({ reason }) => advice(reason, idsOf(closing))),
    ...(others.length === 0
      ? []
      : [advice('See whether what was merged lately can be reused before you write it anew.', idsOf(others))]),
  ]
}

/** If the branch has a live activity too, a later line says what to do with that one. */
function endedActions({ ended, expected }: Findings): Message[] {
  if (!ended) return []
  const over = `Your activity ${endOf(ended)}, and others do not see it any more`
  const isReplaced = expected.some(({ relationship }) => relationship === 'own')
  const text = isReplaced ? `${over}.` : `${over}: if the work goes on, record it anew by a create, and use the new id.`
  return [advice(text, [ended.id])]
}

function endOf({ status, archived_reason }: EndedActivity): string {
  if (archived_reason === 'branch_deleted') return 'was archived when its branch was deleted'
  if (status === 'expired' || archived_reason === 'expired') return 'has expired'
  return `was ${archived_reason === 'merged' ? 'merged' : status}`
}

function expectedActions(expected: Findings['expected']): Message[] {
  const works = (wanted: 'own' | 'stacked') =>
    expected.filter(({ relationship }) => relationship === wanted).map(({ activity }) => activity)
  const line = (works: readonly ExpectedWork[], text: string) =>
    works.length === 0
      ? []
      : [
          advice(
            text,
            works.slice(0, mostDescribed).map(({ id }) => id),
          ),
        ]
  const own = works('own').filter(({ pull_number }) => pull_number === undefined)
  const seen = works('own').filter(({ pull_number }) => pull_number !== undefined)
  const names = joinWords([...new Set(seen.slice(0, mostDescribed).map(seenAs))])
  return [
    ...line(own, 'This branch has its record already: update it rather than create another.'),
    ...line(seen, `Your work is seen already as ${names}.`),
    ...line(
      works('stacked'),
      "You are stacked with other work: what is built on a branch is rebased when that branch changes. Deleting a branch through GitHub's API closes the pull requests on it.",
    ),
  ]
}

type ExpectedWork = Findings['expected'][number]['activity']

function seenAs({ pull_number }: ExpectedWork): string {
  return pull_number === null ? 'a pushed branch' : `#${pull_number}`
}

/** Lines on notables about the whole repository that match no proposal. */
function repositoryActions(notables: Findings['repositoryNotables']): Message[] {
  const lines = notables
    .slice(0, mostDescribed)
    .map(({ title, id }) => advice(`Keep in mind for the whole repository: ${quoted(title)}.`, [id]))
  const rest = notables.slice(lines.length)
  if (rest.length === 0) return lines
  return [
    ...lines,
    advice(
      `See the ${rest.length} more about the whole repository too.`,
      rest.slice(0, mostDescribed).map(({ id }) => id),
    ),
  ]
}

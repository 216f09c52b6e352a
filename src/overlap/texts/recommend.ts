import {
  type Collision,
  type EndedActivity,
  type Findings,
  isEarlier,
  type LoadedCollision,
  type MatchingNotable,
} from '../findings.ts'
import { joinWords, quoted } from '../quote.ts'
import { hidesWords } from './author.ts'
import { nameOf } from './collision-line.ts'
import {
  type DescribedOverlap,
  describedOverlaps,
  isCollision,
  isNotable,
  mostDescribed,
  undescribed,
} from './described.ts'
import { hasToNameFiles } from './nearby-line.ts'
import { isEverythingKnown, unknownAction } from './observed-lines.ts'

/** The lines of `recommended_action`. There is at least one. */
export function recommend(found: Findings): string[] {
  const { hasScope, isWhole, expected, repositoryNotables, reuse } = found
  const described = describedOverlaps(found).filter(isOfMember)
  const onCollisions = collisionActions(described.filter(isCollision), found)
  const onNotables = described.filter(isNotable).map(notableAction)
  const isNotableWorst = described.slice(0, 1).some(isNotable)
  const lines = [
    ...endedActions(found),
    ...(isNotableWorst ? [...onNotables, ...onCollisions] : [...onCollisions, ...onNotables]),
  ]
  const more = undescribed({ ...found, collisions: found.collisions.filter(isOfMember) }, described)
  if (more > 0) lines.push(`See the ${more} more in related_activity_ids and related_notable_ids.`)
  if (reuse.length > 0) {
    const ids = reuse.map(({ activity_id }) => activity_id)
    lines.push(`See whether what was merged lately can be reused (${joinWords(ids)}) before you write it anew.`)
  }
  const isFirst = lines.length === 0
  lines.push(...strangerActions(found))
  if (!isWhole) lines.push('Name fewer paths, or plainer globs, and check again: what was not compared may collide.')
  else if (!hasScope) lines.push('Name the paths or areas that you are about to touch, and check again.')
  else if (!hasCollisionsWithMembers(found) && !isHalted(found)) lines.push(allClear(found, isFirst))
  return [...lines, ...expectedActions(expected), ...repositoryActions(repositoryNotables)]
}

function allClear(found: Findings, isFirst: boolean): string {
  if (hasToNameFiles(found))
    return 'Name the files that you will change, and check again: others change some of these paths.'
  if (!isEverythingKnown(found)) return unknownAction(found)
  return isFirst ? 'Go ahead.' : 'Then go ahead.'
}

/** Whether a notable of high severity matches. Then no line says "go ahead". */
function isHalted({ notables }: Findings): boolean {
  return notables.some(({ severity }) => severity === 'high')
}

/** Whether the caller may go ahead after telling the others. Not if a collision with a member is above low, a stale one included. */
function mayGoAhead(found: Findings): boolean {
  const areLow = found.collisions.filter(isOfMember).every(({ severity }) => severity === 'low')
  return areLow && found.isWhole && !isHalted(found) && !hasToNameFiles(found) && isEverythingKnown(found)
}

function isOfMember(overlap: Collision | DescribedOverlap): boolean {
  return !('byStranger' in overlap && overlap.byStranger)
}

function hasCollisionsWithMembers({ collisions }: Findings): boolean {
  return collisions.some(isOfMember)
}

/** Nobody has to wait for strangers alone (docs/rules.md#strangers). */
function strangerActions(found: Findings): string[] {
  const [first] = describedOverlaps(found).filter(isCollision)
  if (!first || hasCollisionsWithMembers(found)) return []
  const { activity } = first
  const whose = `${quoted(activity.actor)} (${nameOf(activity)}, ${activity.id})`
  return found.collisions.length === 1
    ? [`Only a pull request from outside of the project meets this, that of ${whose}: do not wait for it.`]
    : [`Only pull requests from outside of the project meet this, such as that of ${whose}: do not wait for them.`]
}

/** If the branch has a live activity too, a later line says what to do with that one. */
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

function collisionActions([first, ...others]: readonly LoadedCollision[], found: Findings): string[] {
  if (!first) return []
  const seeAlso = others.length > 0 ? [`See also ${joinWords(others.map(({ id }) => id))}.`] : []
  return [collisionAction(first, found), ...seeAlso]
}

function collisionAction(collision: LoadedCollision, found: Findings): string {
  const { activity, severity, ownership } = collision
  const { source, id } = activity
  const build = canBuildOn(collision, found) ? [`build on branch ${quoted(activity.branch ?? '')}`] : []
  const pull = source === 'recorded' ? id : `${nameOf(activity)}, ${id}`
  if (ownership === 'own' && source !== 'recorded')
    return `${joinOptions([`Finish your own ${nameOf(activity)} (${id}) first`, ...build])}.`
  const actor = `${quoted(activity.actor)} (${pull})`
  if (severity === 'low') {
    return `Let ${actor} know what you are about to do${mayGoAhead(found) ? '; then go ahead' : ''}.`
  }
  const options =
    severity === 'medium'
      ? [`Agree with ${actor} on who changes what before you start`, ...build]
      : [`Talk to ${actor} before you start`, ...build, 'take up something else first']
  return `${joinOptions(options)}.`
}

/** Work that began earlier does not build on the branch of later work. Nobody builds on a branch of a fork. */
function canBuildOn({ activity }: LoadedCollision, { defaultBranch, own }: Findings): boolean {
  const { branch, pull } = activity
  if (branch === null || branch === defaultBranch || hidesWords(activity) || pull?.is_fork) return false
  return own === undefined || isEarlier(activity, own)
}

/** `a`, `a, or b`, `a, b, or c`. */
function joinOptions(options: readonly string[]): string {
  return [options.slice(0, -1).join(', '), ...options.slice(-1)].filter((part) => part !== '').join(', or ')
}

function notableAction({ notable, overlap }: MatchingNotable): string {
  const read = `Read ${quoted(notable.title)} (${notable.id})`
  return overlap ? `${read} first.` : `${read} before you start: it is about the whole repository.`
}

function expectedActions(expected: Findings['expected']): string[] {
  const works = (wanted: 'own' | 'stacked') =>
    expected.filter(({ relationship }) => relationship === wanted).map(({ activity }) => activity)
  const own = works('own').filter(({ pull_number }) => pull_number === undefined)
  const seen = works('own').filter(({ pull_number }) => pull_number !== undefined)
  const [ownIds, stacked] = [idsOf(own), idsOf(works('stacked'))]
  return [
    ...(ownIds.length > 0
      ? [`This branch has its record already (${joinWords(ownIds)}): update it rather than create another.`]
      : []),
    ...(seen.length > 0
      ? [`Your work is seen already as ${joinWords(seen.slice(0, mostDescribed).map(seenAs))}.`]
      : []),
    ...(stacked.length > 0
      ? [`You are stacked with ${joinWords(stacked)}: what is built on a branch is rebased when that branch changes.`]
      : []),
  ]
}

type ExpectedWork = Findings['expected'][number]['activity']

function idsOf(works: readonly ExpectedWork[]): string[] {
  return works.slice(0, mostDescribed).map(({ id }) => id)
}

function seenAs({ id, pull_number }: ExpectedWork): string {
  return `${pull_number === null ? 'a pushed branch' : `#${pull_number}`} (${id})`
}

/** Lines on notables about the whole repository that match no proposal. */
function repositoryActions(notables: Findings['repositoryNotables']): string[] {
  const lines = notables
    .slice(0, mostDescribed)
    .map(({ title, id }) => `Keep in mind for the whole repository: ${quoted(title)} (${id}).`)
  const more = notables.length - lines.length
  return more > 0 ? [...lines, `See the ${more} more in repository_notable_ids.`] : lines
}

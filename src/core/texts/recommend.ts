import type { Obstacle } from '../enums.ts'
import { hidesWords } from '../rules/author.ts'
import {
  type Collision,
  type EndedActivity,
  type Findings,
  type FoundSameChange,
  isEarlier,
  type LoadedCollision,
} from '../rules/findings.ts'
import { issueList, nameOf, pullOrName } from './collision-line.ts'
import {
  type DescribedOverlap,
  describedOverlaps,
  isCollision,
  isNotable,
  mostDescribed,
  undescribed,
} from './described.ts'
import { type Message, message } from './message.ts'
import { firstStep, othersStep, outsideStep } from './next-step.ts'
import { unknownAction } from './observed-lines.ts'
import { proposalActions } from './proposal-lines.ts'
import { joinWords, quoted } from './quote.ts'

/** The lines of `recommended_action`. There is at least one. */
export function recommend(found: Findings, obstacles: readonly Obstacle[]): Message[] {
  const { expected, repositoryNotables } = found
  const before = [...endedActions(found), ...overlapActions(found), ...proposalActions(found)]
  before.push(...reuseActions(found))
  const next = nextAction(found, obstacles, before.length === 0)
  return [
    ...before,
    ...strangerActions(found),
    ...(next === null ? [] : [advice(next)]),
    ...expectedActions(expected),
    ...repositoryActions(repositoryNotables),
  ]
}

function advice(text: string, ids: readonly string[] = []): Message {
  return message('advice', text, ids)
}

/** What to do about the first collision with a member and about the notables, the worst first. */
function overlapActions(found: Findings): Message[] {
  const described = describedOverlaps(found).filter(isOfMember)
  const [collision, ...others] = described.filter(isCollision)
  const notables = described.filter(isNotable)
  const onNotables = notables.map(({ notable, overlap }) => {
    const read = `Read ${quoted(notable.title)}`
    return advice(overlap ? `${read} first.` : `${read} before you start: it is about the whole repository.`, [
      notable.id,
    ])
  })
  const onCollision = collision ? [advice(collisionAction(collision, found), [collision.id])] : []
  const isNotableWorst = described.slice(0, 1).some(isNotable)
  const more = others.length + undescribed({ ...found, collisions: found.collisions.filter(isOfMember) }, described)
  return [
    ...(isNotableWorst ? [...onNotables, ...onCollision] : [...onCollision, ...onNotables]),
    ...(more > 0
      ? [
          advice(
            othersStep(more),
            others.map(({ id }) => id),
          ),
        ]
      : []),
  ]
}

/**
 * The line about everything together; null where the lines before say what to do. The answer says "Go ahead" here, and only
 * if nothing stands in the way.
 */
function nextAction(found: Findings, obstacles: readonly Obstacle[], isFirst: boolean): string | null {
  if (!found.isWhole) return 'Name fewer paths, or plainer globs, and check again: what was not compared may collide.'
  if (obstacles.includes('nothing_named'))
    return 'Name the paths or areas that you are about to touch, and check again.'
  if (found.collisions.some(isOfMember) || isHalted(found)) return null
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

/** Whether a notable of high severity matches. */
function isHalted({ notables }: Findings): boolean {
  return notables.some(({ severity }) => severity === 'high')
}

function isOfMember(overlap: Collision | DescribedOverlap): boolean {
  return !('byStranger' in overlap && overlap.byStranger)
}

function strangerActions(found: Findings): Message[] {
  const [first] = describedOverlaps(found).filter(isCollision)
  if (!first || found.collisions.some(isOfMember)) return []
  const { activity } = first
  const whose = `${quoted(activity.actor)} (${nameOf(activity)})`
  if (first.sameChange?.isTold && first.sameChange.kind === 'open already') {
    const text = `See whether the pull request of ${whose}, from outside of the project, is all that is needed: do not wait for it.`
    return [advice(text, [activity.id])]
  }
  return [advice(outsideStep(whose, found.collisions.length), [activity.id])]
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

function collisionAction(collision: LoadedCollision, found: Findings): string {
  const { activity, severity, ownership, issues, sameChange } = collision
  const { source } = activity
  if (sameChange?.isTold && sameChange.kind !== 'part') return sameChangeAction(collision, sameChange)
  const build = canBuildOn(collision, found) ? [`build on branch ${quoted(activity.branch ?? '')}`] : []
  if (ownership === 'own' && source !== 'recorded')
    return `${joinOptions([`Finish your own ${nameOf(activity)} first`, ...build])}.`
  const actor = `${quoted(activity.actor)}${source === 'recorded' ? '' : ` (${nameOf(activity)})`}`
  const first = firstStep(actor, severity)
  if (severity === 'low') return `${first}.`
  const options =
    issues.length > 0
      ? [issueAction(collision, actor, found), ...build, `take up something else than ${issueList(issues)}`]
      : [first, ...build, ...(severity === 'high' ? ['take up something else first'] : [])]
  return `${joinOptions(options)}.`
}

/** What to do about work that is the same change as the proposal. */
function sameChangeAction({ activity }: LoadedCollision, { isOwn, kind }: FoundSameChange): string {
  const name = pullOrName(activity)
  if (isOwn) return `Keep one of the two: your own ${name} is the same change.`
  const actor = quoted(activity.actor)
  return kind === 'repeats'
    ? `Tell ${actor} that ${name} repeats your change.`
    : `See whether ${name} is all that is needed, and talk to ${actor} before you go on.`
}

/** Who began later asks. */
function issueAction({ activity, issues }: LoadedCollision, actor: string, { own }: Findings): string {
  return own === undefined || isEarlier(activity, own)
    ? `Ask ${actor} before you start`
    : `Tell ${actor} that you have ${issueList(issues)} already`
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

import type { Severity } from '../enums.ts'
import type { Collision } from '../rules/findings.ts'
import { mostDescribed } from '../rules/response/id-limits.ts'
import type { CollisionBasis } from '../schemas/collision-item.ts'
import { type Describable, describedOverlaps, isCollision } from './described.ts'
import { issueList } from './issue-list.ts'
import { type Message, message } from './message.ts'
import { firstStep, othersStep, outsideStep } from './next-step.ts'
import { quoted } from './quote.ts'
import { type NamedWork, nameOf, pullOrName } from './work-name.ts'

/** A collision by the fields of an answer: what the advice about it depends on. */
export interface AdvisedCollision extends Collision {
  activity: { actor: string; author_login: string | null }
  source: string
  branch: string | null
  issues: readonly number[]
  isOwn: boolean
  basis: CollisionBasis
}

export interface AdvisedNotable {
  id: string
  severity: Severity
  /** Null for a notable about the whole repository. */
  overlap: object | null
  title: string
}

/** What collides or matches. */
export interface AdvisedOverlaps extends Describable<AdvisedCollision, AdvisedNotable> {
  /** The ids of all notables that match. */
  notableIds: readonly string[]
}

/** The lines of the advice that no collision changes. */
export interface OtherAdvice {
  /** Those before the advice on overlaps. */
  first: readonly Message[]
  /** Those after it, but before what to do next. */
  second: readonly Message[]
  last: readonly Message[]
  /** What to do next, whatever collides. */
  always: string | null
  /** The same where no work of members collides, and no notable halts; by whether a line stands before it. */
  unlessColliding: (isFirst: boolean) => string | null
}

/** The advice of an answer (docs/rules.md#overlap-texts). The service and, after tried merges, the command line give it. */
export function advise(
  found: AdvisedOverlaps,
  { first, second, last, always, unlessColliding }: OtherAdvice,
): Message[] {
  const before = [...first, ...overlapActions(found), ...second]
  const isHalted = found.notables.some(({ severity }) => severity === 'high')
  const isFree = !isHalted && !found.collisions.some(isOfMember)
  const next = always ?? (isFree ? unlessColliding(before.length === 0) : null)
  return [...before, ...strangerActions(found), ...(next === null ? [] : [advice(next)]), ...last]
}

export function advice(text: string, ids: readonly string[] = []): Message {
  return message('advice', text, ids)
}

/** What to do about the first collision with a member and about the notables, the worst first. */
function overlapActions(found: AdvisedOverlaps): Message[] {
  const described = describedOverlaps(found).filter(isOfMember)
  const [collision, ...others] = described.filter((one): one is AdvisedCollision => isCollision(one))
  const notables = described.filter((one): one is AdvisedNotable => !isCollision(one))
  const onNotables = notables.map(({ id, title, overlap }) => {
    const read = `Read ${quoted(title)}`
    return advice(overlap ? `${read} first.` : `${read} before you start: it is about the whole repository.`, [id])
  })
  const onCollision = collision ? [advice(collisionAction(collision), [collision.id])] : []
  const isNotableWorst = described.slice(0, 1).some((one) => !isCollision(one))
  const told = new Set([...(collision ? [collision] : []), ...notables].map(({ id }) => id))
  const all = [...others, ...found.collisions.filter(isOfMember)].map(({ id }) => id)
  const more = [...new Set([...all, ...found.notableIds])].filter((id) => !told.has(id))
  return [
    ...(isNotableWorst ? [...onNotables, ...onCollision] : [...onCollision, ...onNotables]),
    ...(more.length > 0 ? [advice(othersStep(more.length), more.slice(0, mostDescribed))] : []),
  ]
}

function isOfMember(overlap: Collision | AdvisedNotable): boolean {
  return !('byStranger' in overlap && overlap.byStranger)
}

function strangerActions(found: AdvisedOverlaps): Message[] {
  const [first] = describedOverlaps(found).filter((one): one is AdvisedCollision => isCollision(one))
  if (!first || found.collisions.some(isOfMember)) return []
  const whose = `${quoted(first.activity.actor)} (${nameOf(named(first))})`
  if (toldSameChange(first)?.kind === 'open_already') {
    const text = `See whether the pull request of ${whose}, from outside of the project, is all that is needed: do not wait for it.`
    return [advice(text, [first.id])]
  }
  return [advice(outsideStep(whose, found.collisions.length), [first.id])]
}

/** The same change, where that is what makes the collision so severe. */
function toldSameChange({ severity, basis: { same_change } }: AdvisedCollision): CollisionBasis['same_change'] {
  return same_change?.severity === severity ? same_change : null
}

function collisionAction(collision: AdvisedCollision): string {
  const { activity, severity, source, issues, isOwn, basis } = collision
  const isRecorded = source === 'recorded'
  const same = toldSameChange(collision)
  if (same && same.kind !== 'part') return sameChangeAction(collision, same.kind === 'repeats')
  const build = basis.build_on === null ? [] : [`build on branch ${quoted(basis.build_on)}`]
  if (isOwn && !isRecorded) return `${joinOptions([`Finish your own ${nameOf(named(collision))} first`, ...build])}.`
  const actor = `${quoted(activity.actor)}${isRecorded ? '' : ` (${nameOf(named(collision))})`}`
  const first = firstStep(actor, severity)
  if (severity === 'low') return `${first}.`
  const options =
    issues.length > 0
      ? [issueAction(collision, actor), ...build, `take up something else than ${issueList(issues)}`]
      : [first, ...build, ...(severity === 'high' ? ['take up something else first'] : [])]
  return `${joinOptions(options)}.`
}

/** What to do about work that is the same change as the proposal. */
function sameChangeAction(collision: AdvisedCollision, repeats: boolean): string {
  const name = pullOrName(named(collision))
  if (collision.isOwn) return `Keep one of the two: your own ${name} is the same change.`
  const actor = quoted(collision.activity.actor)
  return repeats
    ? `Tell ${actor} that ${name} repeats your change.`
    : `See whether ${name} is all that is needed, and talk to ${actor} before you go on.`
}

/** Who began later asks. */
function issueAction({ issues, basis }: AdvisedCollision, actor: string): string {
  return basis.earlier ? `Ask ${actor} before you start` : `Tell ${actor} that you have ${issueList(issues)} already`
}

function named({ source, branch, basis: { pr_number, title } }: AdvisedCollision): NamedWork {
  return { source, branch, pr_number, title }
}

/** `a`, `a, or b`, `a, b, or c`. */
function joinOptions(options: readonly string[]): string {
  return [options.slice(0, -1).join(', '), ...options.slice(-1)].filter((part) => part !== '').join(', or ')
}

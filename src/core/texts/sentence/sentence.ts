import { comparePairs } from '../../rules/order/pair-order.ts'
import { isGraveNotable } from '../../rules/severity.ts'
import type { Activity } from '../../schemas/activity.ts'
import type { CollidingPair } from '../../schemas/live.ts'
import type { Notable } from '../../schemas/notable.ts'
import type { Observed } from '../../schemas/observation.ts'
import { isAboutRepository } from '../../scope/is-about-repository.ts'
import { ago } from '../age.ts'
import { rangeList } from '../line-list.ts'
import { unreadWork } from '../unread-work.ts'
import { type Act, actsOn, type TheirFile } from './acts.ts'
import { meetsAny } from './places.ts'
import {
  counted,
  meetingPlace,
  name,
  type OwnPair,
  path,
  pullNumber,
  type SentencePart,
  whoText,
  words,
} from './sentence-parts.ts'
import { type SentenceKind, type TitleFacts, titleOf } from './title.ts'

/** What is known of a repository and of the viewer. */
export interface Known {
  /** The ids of the viewer's live work; null: the sign-in has no account; undefined: there is no answer yet. */
  mine: ReadonlySet<string> | null | undefined
  activities: ReadonlyMap<string, Activity>
  pairs: readonly CollidingPair[]
  /** Whether all live work was compared. */
  isComplete: boolean
  notables: readonly Notable[]
  observed: Observed | undefined
  access: 'read' | 'write'
  /** Such as `https://github.com/acme/shop`. */
  githubRepository: string | undefined
  /** Where the lines of the worst pair's other side are. */
  theirFile?: TheirFile | undefined
  now: number
}

/** One sentence about the viewer, and what to do next. */
export interface Sentence {
  kind: SentenceKind
  title: SentencePart[]
  detail: SentencePart[]
  acts: Act[]
  /** A line below: other collisions, what is not known, or what is near. */
  more: string
  /** How many pairs the viewer's work collides in. */
  collides: number
  /** The worst of them. */
  worst?: OwnPair
}

/** The pairs with work of the viewer, worst first. */
export function ownPairs({ mine, pairs, activities }: Pick<Known, 'mine' | 'pairs' | 'activities'>): OwnPair[] {
  if (!mine) return []
  return pairs
    .filter(({ activity_ids }) => activity_ids.some((id) => mine.has(id)))
    .sort(comparePairs)
    .map((pair) => {
      const [newer = '', earlier = ''] = pair.activity_ids
      const [own, other] = mine.has(newer) ? [newer, earlier] : [earlier, newer]
      return { pair, mine: activities.get(own), theirs: activities.get(other), areBothMine: mine.has(other) }
    })
}

/** The notables about the whole repository that are blocking or critical. */
export function freezesOf(notables: readonly Notable[]): Notable[] {
  return notables.filter((one) => isAboutRepository(one.scope.areas, one.scope.paths) && isGraveNotable(one))
}

/** The sentence about the viewer, with what to do next. It never says that nothing collides before everything is compared. */
export function sentenceFor(known: Known): Sentence {
  const own = ownPairs(known)
  const near = nearWork(known)
  const { kind, title } = titleOf(titleFacts(known, own[0], near.length))
  return { kind, title, detail: [], acts: [], more: '', collides: own.length, ...restOf(kind, known, own, near) }
}

function titleFacts(known: Known, worst: OwnPair | undefined, near: number): TitleFacts {
  const { mine, isComplete, notables } = known
  return {
    work: mine === undefined ? 'unknown' : mine === null ? 'no account' : mine.size === 0 ? 'none' : 'some',
    worst,
    freeze: freezesOf(notables)[0]?.title,
    progress: isComplete ? undefined : comparing(known),
    open: openWork(known),
    near,
  }
}

function openWork({ observed, now }: Known): TitleFacts['open'] {
  if (observed?.pull_requests === 'off' && observed.unread === 0) return 'recorded'
  return !observed || observationText(observed, now).isGap ? 'not known' : 'known'
}

/** What stands below the title. */
function restOf(
  kind: SentenceKind,
  known: Known,
  own: readonly OwnPair[],
  near: readonly Activity[],
): Partial<Sentence> {
  const { mine, notables, observed, now } = known
  const { isGap, text } = observationText(observed, now)
  const gap = isGap ? text : ''
  const around = surroundings(known, near.length)
  const soFar = mine?.size === 0 ? work(known) : `None of yours collides so far. ${around}`.trim()
  switch (kind) {
    case 'collides':
      return collision(known, own)
    case 'freeze':
      return {
        detail: freezesOf(notables)
          .slice(0, 1)
          .map(({ summary }) => name(summary)),
        more: soFar,
      }
    case 'no work':
      return { ...idle(known), more: gap }
    case 'no account':
      return { detail: [words(work(known))], more: gap }
    case 'comparing':
      return { more: soFar }
    case 'not known':
      return mine ? { detail: [words(text)], more: soFar } : {}
    case 'near':
      return {
        detail: near.slice(0, 3).flatMap((one, index) => [...(index > 0 ? [words(' · ')] : []), ...nearParts(one)]),
        more: gap || around,
      }
    case 'nothing':
      return { detail: gap === '' ? [] : [words(gap)], more: around }
  }
}

function collision(known: Known, own: readonly OwnPair[]): Partial<Sentence> {
  const [worst] = own
  if (!worst) return {}
  const { isComplete, githubRepository, theirFile, now } = known
  const at = theirFile?.path === worst.pair.example_path ? theirFile : undefined
  const others = own.length > 1 ? `${counted(own.length - 1, 'more collision')} of yours.` : ''
  return {
    detail: whereParts(worst, now),
    acts: actsOn(worst, githubRepository, at),
    more: isComplete ? others || 'Nothing else of yours collides.' : `${others} ${comparing(known)}`.trim(),
    worst,
  }
}

/** `src/auth/login.ts, 130–133 · #41, pushed 2 h ago, yours feat/login` */
function whereParts({ pair, mine, theirs }: OwnPair, now: number): SentencePart[] {
  const { lines } = pair
  const place = meetingPlace(pair)
  if (lines && lines.length > 0) place.push(words(', '), { text: rangeList(lines), is: 'lines' })
  const parts = [place, theirs ? whichWork(theirs, now) : [], mine ? [words('yours '), ...nameParts(mine)] : []]
  return parts.filter((one) => one.length > 0).flatMap((one, index) => (index > 0 ? [words(' · '), ...one] : one))
}

function whichWork(theirs: Activity, now: number): SentencePart[] {
  const { heartbeat_at, source, began_at } = theirs
  const word = heartbeat_at === null ? 'begun' : source === 'recorded' ? 'seen' : 'pushed'
  return [...nameParts(theirs), words(`, ${word} ${ago(new Date(heartbeat_at ?? began_at), new Date(now))}`)]
}

function nameParts(activity: Activity): SentencePart[] {
  const number = pullNumber(activity)
  if (number !== undefined) return [words(`#${number}`)]
  return activity.branch === null ? [name(activity.title)] : [path(activity.branch)]
}

function nearParts(one: Activity): SentencePart[] {
  const number = pullNumber(one)
  return [name(whoText(one)), words(': '), ...(number === undefined ? [] : [words(`#${number} `)]), name(one.title)]
}

/** Returns a function that says whether a record may collide with the viewer's own work. */
function meetsOwn({ mine, activities }: Known): ReturnType<typeof meetsAny> {
  return meetsAny([...activities.values()].filter(({ id }) => mine?.has(id)))
}

/** Others' live work in the viewer's places. */
function nearWork(known: Known): Activity[] {
  return [...known.activities.values()].filter(({ id }) => !known.mine?.has(id)).filter(meetsOwn(known))
}

function surroundings(known: Known, near: number): string {
  const notables = known.notables.filter(meetsOwn(known)).length
  return `In your paths: ${counted(near, 'other activity', 'other activities')}, ${counted(notables, 'notable')}.`
}

/** How far the work is compared. */
export function comparing({ activities, pairs }: Pick<Known, 'activities' | 'pairs'>): string {
  return `Comparing ${counted(activities.size, 'activity', 'activities')}, ${pairs.length} found so far.`
}

function work(known: Known): string {
  const { activities, pairs, isComplete, observed, now } = known
  if (!isComplete) return comparing(known)
  if (activities.size === 0) return 'Nobody has work in flight that is known here.'
  const none = !observed || observationText(observed, now).isGap ? 'no collision known so far' : 'nothing collides'
  const collides = pairs.length === 0 ? none : counted(pairs.length, 'collision')
  return `${counted(activities.size, 'activity', 'activities')} in flight, ${collides}.`
}

function idle(known: Known): Pick<Sentence, 'detail' | 'acts'> {
  const start: Act = { kind: 'copy', label: 'Copy the command to record work', text: 'headsup start' }
  return { detail: [words(work(known))], acts: known.access === 'write' ? [start] : [] }
}

/** How far the open pull requests are known. `isGap`: some may be missing. */
export function observationText(observed: Observed | undefined, now: number): { text: string; isGap: boolean } {
  if (!observed) return { text: 'Open pull requests: …', isGap: false }
  const { pull_requests, as_of, unread } = observed
  const age = as_of === null ? '' : `, as of ${ago(new Date(as_of), new Date(now))}`
  switch (pull_requests) {
    case 'off':
      return {
        text: 'Open pull requests are not watched in this repository. Only recorded work is shown.',
        isGap: true,
      }
    case 'unavailable':
      return { text: 'Your sign-in may not read pull requests here. Only recorded work is shown.', isGap: true }
    case 'reading':
      return { text: 'The open pull requests are being read for the first time. More may appear.', isGap: true }
    case 'stale':
      return { text: `GitHub has not answered lately: open pull requests may have changed${age}.`, isGap: true }
    default:
      if (unread === 0) return { text: `Open pull requests are up to date${age}.`, isGap: false }
      return { text: `The files of ${unreadWork(observed)} are still to be read.`, isGap: true }
  }
}

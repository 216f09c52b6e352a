import type { Activity } from '../activity/schema.ts'
import type { CollidingPair } from '../live/schema.ts'
import type { Notable } from '../notable/schema.ts'
import type { Observed } from '../observed/state.ts'
import { ago } from '../overlap/texts/age.ts'
import { type Act, actsOn, type TheirFile } from './acts.ts'
import {
  comparePairs,
  counted,
  headline,
  name,
  type OwnPair,
  path,
  pullNumber,
  rangesText,
  type SentencePart,
  whoText,
  words,
} from './collision-words.ts'
import { observationText } from './observation.ts'
import { mayMeet } from './places.ts'

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

export type SentenceKind =
  | 'collides'
  | 'freeze'
  | 'comparing'
  | 'not known'
  | 'near'
  | 'nothing'
  | 'no work'
  | 'no account'

/** One sentence about the viewer, and what to do next. */
export interface Sentence {
  kind: SentenceKind
  title: SentencePart[]
  detail: SentencePart[]
  acts: Act[]
  /** What else there is. */
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
  return notables.filter(
    ({ scope, blocking, importance }) =>
      scope.paths.length + scope.areas.length === 0 && (blocking || importance === 'critical'),
  )
}

/** The sentence about the viewer. It never says that nothing collides before everything is compared. */
export function sentenceFor(known: Known): Sentence {
  const { mine, isComplete, notables, observed, now } = known
  if (mine === undefined) return said('not known', [words('Looking for your work …')])
  if (mine === null) return withoutAccount(known)
  const own = ownPairs(known)
  const [worst] = own
  if (worst) return colliding(known, worst, own.length)
  const near = nearWork(known)
  const about = mine.size === 0 ? work(known) : `None of yours collides so far. ${surroundings(known, near.length)}`
  const [freeze] = freezesOf(notables)
  if (freeze) return { ...said('freeze', [name(freeze.title)]), detail: [name(freeze.summary)], more: about }
  if (mine.size === 0) return { ...said('no work', [words('You have no work in flight here.')]), ...idle(known) }
  if (!isComplete) return { ...said('comparing', [words(comparing(known))]), more: about }
  const { isGap, text } = observationText(observed, now)
  if (isGap || !observed) {
    const title = [words('Not known yet whether something collides with you.')]
    return { ...said('not known', title), detail: [words(text)], more: about }
  }
  const more = surroundings(known, near.length)
  if (near.length === 0) return { ...said('nothing', [words('Nothing collides with you.')]), more }
  const detail = near.slice(0, 3).flatMap((one, index) => [...(index > 0 ? [words(' · ')] : []), ...nearParts(one)])
  const title = `Nothing collides with you, and ${near.length} ${near.length === 1 ? 'works' : 'work'} near you.`
  return { ...said('near', [words(title)]), detail, more }
}

function said(kind: SentenceKind, title: SentencePart[]): Sentence {
  return { kind, title, detail: [], acts: [], more: '', collides: 0 }
}

function colliding(known: Known, worst: OwnPair, count: number): Sentence {
  const { isComplete, githubRepository, theirFile, now } = known
  const at = theirFile?.path === worst.pair.example_path ? theirFile : undefined
  const others = count > 1 ? `${counted(count - 1, 'more collision')} of yours.` : ''
  const rest = isComplete ? others || 'Nothing else of yours collides.' : `${others} ${comparing(known)}`.trim()
  return {
    kind: 'collides',
    title: headline(worst),
    detail: whereParts(worst, now),
    acts: actsOn(worst, githubRepository, at),
    more: rest,
    collides: count,
    worst,
  }
}

/** `src/auth/login.ts, 130–133 · #41, pushed 2 h ago, yours feat/login` */
function whereParts({ pair, mine, theirs }: OwnPair, now: number): SentencePart[] {
  const { example_path: file, lines, areas } = pair
  const place: SentencePart[] =
    file === null ? (areas.length > 0 ? [words('area '), name(areas.join(', '))] : []) : [path(file)]
  if (lines && lines.length > 0) place.push(words(', '), { text: rangesText(lines), is: 'lines' })
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

/** Others' live work in the viewer's places. */
function nearWork({ mine, activities }: Known): Activity[] {
  const own = [...activities.values()].filter(({ id }) => mine?.has(id))
  return [...activities.values()].filter(({ id }) => !mine?.has(id)).filter((one) => own.some((my) => mayMeet(my, one)))
}

function surroundings({ mine, activities, notables }: Known, near: number): string {
  const own = [...activities.values()].filter(({ id }) => mine?.has(id))
  const known = notables.filter((notable) => own.some((my) => mayMeet(my, notable))).length
  return `In your paths: ${counted(near, 'other activity', 'other activities')}, ${counted(known, 'notable')}.`
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

function idle(known: Known): Pick<Sentence, 'detail' | 'acts' | 'more'> {
  const { access, observed, now } = known
  const start: Act = { kind: 'copy', label: 'Copy the command to record work', text: 'headsup start' }
  const { isGap, text } = observationText(observed, now)
  return { detail: [words(work(known))], acts: access === 'write' ? [start] : [], more: isGap ? text : '' }
}

function withoutAccount(known: Known): Sentence {
  const { isGap, text } = observationText(known.observed, known.now)
  const title = [words('This sign-in has no account, so nothing is marked as yours.')]
  return { ...said('no account', title), detail: [words(work(known))], more: isGap ? text : '' }
}

/** The words of a sentence as one text, for a title, a notification or a terminal. */
export function textOf(parts: readonly SentencePart[], nameText: (text: string) => string = (text) => text): string {
  return parts.map(({ text, is }) => (is === 'name' || is === 'path' ? nameText(text) : text)).join('')
}

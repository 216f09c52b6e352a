import type { Activity } from '../../schemas/activity.ts'
import type { CollidingPair } from '../../schemas/live.ts'
import { issueList } from '../issue-list.ts'
import { name, type SentencePart, type SharedIssues, whoText, words } from './sentence-parts.ts'

export type SentenceKind =
  | 'collides'
  | 'freeze'
  | 'comparing'
  | 'not known'
  | 'near'
  | 'nothing'
  | 'no work'
  | 'no account'

type Person = Pick<Activity, 'actor' | 'agent'>

/** A collision with work of the viewer, as far as the title names it. */
export interface TitledCollision {
  pair: Pick<CollidingPair, 'severity' | 'lines' | 'example_path' | 'areas' | 'same_change'> & SharedIssues
  mine: Person | undefined
  theirs: Person | undefined
  /** Whether both sides are the viewer's. */
  areBothMine: boolean
}

/** The facts that decide the title, on the page and the command line. */
export interface TitleFacts {
  /** The viewer's live work: `unknown` before there is an answer, `no account` where the sign-in has none. */
  work: 'some' | 'none' | 'unknown' | 'no account'
  /** The worst collision of the viewer's work. */
  worst: TitledCollision | undefined
  /** The title of a notable about the whole repository that is blocking or critical. */
  freeze: string | undefined
  /** How far the work is compared, until all is. */
  progress: string | undefined
  /** Whether all open work is known; `recorded`: the repository watches recorded work alone. */
  open: 'known' | 'recorded' | 'not known'
  /** How many works of others are near. */
  near: number
  /** Whether the lines alone were compared, and merges are tried next. */
  isByLines?: boolean
}

/** The sentence about the viewer, the same on the page and the command line. It says that nothing collides only if that is known. */
export function titleOf(facts: TitleFacts): { kind: SentenceKind; title: SentencePart[] } {
  const { work, worst, freeze, progress, open, near } = facts
  if (work === 'unknown') return said('not known', 'Looking for your work …')
  if (work === 'no account') return said('no account', 'This sign-in has no account, so nothing is marked as yours.')
  if (worst) return { kind: 'collides', title: titleOfPair(worst) }
  if (freeze !== undefined) return { kind: 'freeze', title: [name(freeze)] }
  if (work === 'none') return said('no work', 'You have no work in flight here.')
  if (progress !== undefined) return said('comparing', progress)
  if (open === 'not known') return said('not known', 'Not known yet whether something collides with you.')
  const nothing = `${facts.isByLines ? 'By lines, nothing' : 'Nothing'}${open === 'recorded' ? ' recorded' : ''} collides with you`
  if (near === 0) return said('nothing', `${nothing}.`)
  return said('near', `${nothing}, and ${near} ${near === 1 ? 'works' : 'work'} near you.`)
}

function said(kind: SentenceKind, text: string) {
  return { kind, title: [words(text)] }
}

/** The title of a collision: who does what that the viewer does too. */
export function titleOfPair({ pair, mine, theirs, areBothMine }: TitledCollision): SentencePart[] {
  if (areBothMine) return ownHeadline(pair, mine, theirs)
  const who = theirs ? name(whoText(theirs)) : words('Somebody')
  return [who, words(` ${verb(pair)}.`)]
}

function verb({ severity, lines, example_path, areas, issues = [], same_change }: TitledCollision['pair']): string {
  if (same_change) return `makes the change that you make${severity === 'low' ? ', or a part of it' : ''}`
  if (lines) return severity === 'high' ? 'changes the lines you change' : 'changes lines near yours'
  if (issues.length > 0) return `works on ${issueList(issues)} too`
  if (example_path !== null)
    return severity === 'high' ? 'works on the file you work on' : 'may change the files you change'
  return areas.length > 0 ? 'works in the area you work in' : 'may change the files you change'
}

function ownHeadline(
  { lines, example_path, areas, issues = [], same_change }: TitledCollision['pair'],
  mine: Person | undefined,
  theirs: Person | undefined,
): SentencePart[] {
  if (same_change) return [words('Two works of yours are the same change, or one is a part of the other.')]
  if (!lines && issues.length > 0) return [words(`Two works of yours are for ${issueList(issues)}.`)]
  const place = example_path !== null ? 'file' : areas.length > 0 ? 'area' : 'files'
  const what = `the same ${lines ? 'lines' : place}`
  const [one, other] = [mine?.agent, theirs?.agent]
  if (!one || !other || one === other) return [words(`Two works of yours change ${what}.`)]
  return [words('Your '), name(one), words(' and your '), name(other), words(` change ${what}.`)]
}

import { isSameLogin, pullName } from '../names.ts'
import { isFreeze } from '../notable.ts'
import type { Activity } from '../schemas/activity.ts'
import type { Notable } from '../schemas/notable.ts'
import type { Overlap, Pair as PairOfWorks } from '../schemas/overlap.ts'
import { unread } from './reading.ts'
import { issueList, joined, rangeWords } from './words.ts'
import { freshness } from './work-name.ts'

type Pair = Pick<
  PairOfWorks,
  'activity_ids' | 'severity' | 'by' | 'example_path' | 'areas' | 'issues' | 'lines' | 'their_lines'
>

type Work = Pick<
  Activity,
  'id' | 'actor' | 'author_login' | 'title' | 'branch' | 'pr_url' | 'source' | 'heartbeat_at' | 'began_at'
>

/** What is known of a repository, and who asks: the answers of the lists as they are. */
export interface Known<P extends Pair = Pair, W extends Work = Work> {
  /** `OWNER/NAME` */
  repository: string
  /** The viewer's account; null: the token has none, or it is not known. */
  login: string | null
  activities: readonly W[]
  /** Members' first, then the worst, as the service sends them. */
  collisions: readonly P[]
  notables: readonly Pick<Notable, 'title' | 'blocking' | 'importance' | 'scope' | 'applies_until' | 'expires_at'>[]
  /** Whether all live work is in the list, and all of it was compared. */
  isWhole: boolean
  observed: Overlap['observed']
  now: Date
}

/** Other people's words are marked, so that a page can set them apart. */
export interface Part {
  text: string
  is: 'plain' | 'name' | 'path'
}

export interface Sentence<P = Pair, W = Work> {
  kind: 'comparing' | 'collides' | 'no_account' | 'cut' | 'not_read' | 'no_work' | 'freeze' | 'nothing'
  title: Part[]
  /** Where, and how fresh; or what is not known. */
  detail: Part[]
  /** How many collisions the viewer's work has. */
  count: number
  /** The worst of them; `theirs` is null where the other work is not in the list. */
  worst: { pair: P; theirs: W | null } | null
}

/** One sentence about the viewer; null: nothing is read yet. It says that nothing collides only where that is known. */
export function sentenceFor<P extends Pair, W extends Work>(known: Known<P, W> | null): Sentence<P, W> {
  if (known === null) return said('comparing', 'Comparing the work in flight …')
  const { login, activities, collisions, isWhole, observed, now } = known
  const mine = new Set(activities.filter((one) => isBy(one, login)).map(({ id }) => id))
  const own = collisions.filter(({ activity_ids }) => activity_ids.some((id) => mine.has(id)))
  const [pair] = own
  if (pair) {
    const otherId = pair.activity_ids.find((id) => !mine.has(id))
    const theirs = activities.find(({ id }) => id === otherId) ?? null
    const title = otherId === undefined ? [plain(`Two works of yours ${meeting(pair).both}.`)] : titleOf(pair, theirs)
    const detail = detailOf(pair, theirs, mine, known)
    return { kind: 'collides', title, detail, count: own.length, worst: { pair, theirs } }
  }
  if (login === null)
    return said('no_account', 'This token has no account.', plain('So nothing here can be marked as yours.'))
  if (!isWhole) return said('cut', notKnown, plain('There is too much work in flight to compare all of it here.'))
  const gap = unread(observed, now).join(' ')
  if (mine.size === 0) return said('no_work', 'You have no work in flight here.', plain(gap))
  if (gap !== '') return said('not_read', notKnown, plain(gap))
  const freeze = known.notables.find((one) => isFreeze(one, now))
  if (freeze)
    return {
      ...said('freeze', '', ...nearness),
      title: [plain('Nothing collides with you, but '), name(freeze.title), plain(' holds.')],
    }
  if (observed.pull_requests !== 'off') return said('nothing', 'Nothing collides with you.', ...nearness)
  const notWatched = plain('Open pull requests are not watched here. ')
  return said('nothing', 'Nothing recorded collides with you.', notWatched, ...nearness)
}

const notKnown = 'It is not known whether something collides with you.'
/** The lists do not tell which works are near each other without a collision. */
const nearness: Part[] = [
  plain('What is only near yours is told by '),
  { text: 'headsup check', is: 'path' },
  plain('.'),
]

function said(kind: Sentence['kind'], title: string, ...detail: Part[]): Sentence<never, never> {
  return { kind, title: [plain(title)], detail: detail.filter(({ text }) => text !== ''), count: 0, worst: null }
}

export function isBy({ author_login }: Pick<Activity, 'author_login'>, login: string | null): boolean {
  return isSameLogin(author_login, login)
}

function titleOf(pair: Pair, theirs: Work | null): Part[] {
  const who: Part = theirs === null ? plain('Somebody') : name(theirs.actor)
  return [who, plain(` ${meeting(pair).they}.`)]
}

/** What the other does to the viewer, and what two works of the viewer do. */
function meeting({ by, issues, areas, lines, their_lines }: Pair): { they: string; both: string } {
  switch (by) {
    case 'lines':
      return doShareLines(lines ?? [], their_lines ?? [])
        ? { they: 'changes the lines you change', both: 'change the same lines' }
        : { they: 'changes lines next to yours', both: 'change lines next to each other' }
    case 'file':
      return { they: 'works on a file you work on', both: 'are about the same file' }
    case 'globs':
      return { they: 'may change the files you change', both: 'may change the same files' }
    case 'issue':
      return {
        they: `works on ${issueList(issues)} too`,
        both: `are for ${issueList(issues)}`,
      }
    case 'area':
      return { they: `works in ${areas.length > 1 ? 'areas' : 'an area'} you work in`, both: 'are in the same area' }
  }
}

function doShareLines(ours: readonly number[][], theirs: readonly number[][]): boolean {
  return ours.some(([a = 0, b = 0]) => theirs.some(([c = 0, d = 0]) => a <= d && c <= b))
}

/** `src/auth/login.ts, 130–133 · #41, pushed 2 h ago`: the lines are the viewer's. */
function detailOf(pair: Pair, theirs: Work | null, mine: ReadonlySet<string>, { repository, now }: Known): Part[] {
  const lines = (mine.has(pair.activity_ids[0] ?? '') ? pair.lines : pair.their_lines) ?? []
  const place: Part[] = []
  if (pair.example_path !== null) place.push({ text: pair.example_path, is: 'path' })
  if (pair.by === 'lines' && lines.length > 0) place.push(plain(`, ${joined(lines.map(rangeWords))}`))
  if (pair.example_path === null && pair.areas.length > 0) place.push(name(joined(pair.areas)))
  if (theirs === null) return place
  if (place.length > 0) place.push(plain(' · '))
  return [...place, nameOf(theirs, repository), plain(`, ${freshnessOf(theirs, now)}`)]
}

function nameOf(work: Work, repository: string): Part {
  const pull = pullName(work, repository)
  if (pull !== null) return plain(pull)
  return work.branch === null ? name(work.title) : { text: work.branch, is: 'path' }
}

/** How fresh a record of the API is. */
export function freshnessOf({ source, heartbeat_at, began_at }: Omit<Work, 'title'>, now: Date): string {
  const seen_at = heartbeat_at === null ? null : new Date(heartbeat_at)
  return freshness({ source, began_at: new Date(began_at), seen_at, pushed_at: null }, now)
}

function plain(text: string): Part {
  return { text, is: 'plain' }
}

function name(text: string): Part {
  return { text, is: 'name' }
}

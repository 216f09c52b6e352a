import { importances, type Severity } from '../../core/enums.ts'
import { getOrCreate, listFor } from '../../core/lib/maps.ts'
import { comparePairs } from '../../core/rules/order/pair-order.ts'
import { bySeverity, worst } from '../../core/rules/severity.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { CollidingPair } from '../../core/schemas/live.ts'
import type { Notable } from '../../core/schemas/notable.ts'
import { headsOf, meetsAny } from '../../core/texts/sentence/places.ts'
import { type Meeting, meetingPlace, type SentencePart } from '../../core/texts/sentence/sentence-parts.ts'
import { type FilteredRow, type Filters, isFiltered, matches, notableMatcher } from './filters.ts'
import type { LiveState } from './live-state.ts'

/** A directory where people are at work. */
export interface Directory {
  path: string
  count: number
  collisions: number
}

const mostDirectories = 12

/** What the page shows below the sentence: what passes the filters, in the order to show, and what there is without them. */
export function boardOf(state: LiveState, mine: ReadonlySet<string>, filters: Filters) {
  const allCards = cardsOf(state, mine)
  const allRows = workRows(state, mine)
  const rows = allRows.filter((row) => matches(row, filters))
  const ids = new Set(rows.map(({ activity }) => activity.id))
  const passes = ({ people }: Card) => people.some(({ id }) => ids.has(id))
  const shown = [...state.notables.values()].filter(notableMatcher(rows, filters))
  const elsewhere = allRows.filter((row) => matches(row, { ...filters, path: '' }))
  return {
    allCards,
    cards: isFiltered(filters) ? allCards.filter(passes) : allCards,
    allRows,
    rows,
    notables: inOrder(shown, allRows),
    directories: busiest(elsewhere, allCards),
  }
}

/** What meets my paths first, then what is blocking, then by importance, then the newest. */
function inOrder(notables: readonly Notable[], rows: readonly WorkRow[]): Notable[] {
  const meetsMine = meetsAny(rows.filter(({ isMine }) => isMine).map(({ activity }) => activity))
  const weight = (notable: Notable) =>
    Number(meetsMine(notable)) * 20 + Number(notable.blocking) * 10 + importances.indexOf(notable.importance)
  const weights = new Map(notables.map((notable) => [notable.id, weight(notable)]))
  const weightOf = ({ id }: Notable) => weights.get(id) ?? 0
  return [...notables].sort(
    (a, b) => weightOf(b) - weightOf(a) || compareText(b.created_at, a.created_at) || compareText(a.id, b.id),
  )
}

/** The dozen directories with most collisions, then with most work. */
function busiest(rows: readonly WorkRow[], cards: readonly Card[]): Directory[] {
  const found = new Map<string, Directory>()
  const at = (path: string) => getOrCreate(found, path, () => ({ path, count: 0, collisions: 0 }))
  for (const { activity } of rows) {
    for (const path of new Set(headsOf(activity).map(directoryOf))) if (path !== '') at(path).count++
  }
  const ids = new Set(rows.map(({ activity }) => activity.id))
  for (const { pairs } of cards) {
    for (const { example_path: path, activity_ids } of pairs) {
      const directory = path === null ? '' : directoryOf(path)
      if (directory !== '' && activity_ids.some((id) => ids.has(id))) at(directory).collisions++
    }
  }
  return [...found.values()]
    .sort((a, b) => b.collisions - a.collisions || b.count - a.count || compareText(a.path, b.path))
    .slice(0, mostDirectories)
}

/** The directory of a file: a path whose last name has a dot. A directory is its own. */
function directoryOf(path: string): string {
  const slash = path.lastIndexOf('/')
  return path.includes('.', slash + 1) ? path.slice(0, Math.max(slash, 0)) : path
}

type Ranges = readonly (readonly [number, number])[]

/** Somebody in a card, with the lines that are known of this work. */
export interface CardPerson {
  id: string
  /** Undefined where the record was not sent. */
  activity: Activity | undefined
  isMine: boolean
  lines: Ranges | null
}

/** All that collides at one place: a file, an issue or an area. */
export interface Card {
  key: string
  place: SentencePart[]
  severity: Severity
  /** Since when, at worst. */
  since: string
  people: CardPerson[]
  /** Worst first. */
  pairs: CollidingPair[]
  isMine: boolean
}

/** A file, else the issues, else the areas. */
function keyOf({ example_path, issues = [], areas }: Meeting): string {
  if (example_path !== null) return `path ${example_path}`
  if (issues.length > 0) return `issues ${issues.join(' ')}`
  return `area ${[...areas].sort().join(', ').toLowerCase()}`
}

/** The pairs as one card for each place: mine first, each worst first, then newest. */
export function cardsOf(
  { collisions, activities }: Pick<LiveState, 'collisions' | 'activities'>,
  mine: ReadonlySet<string>,
): Card[] {
  const groups = new Map<string, CollidingPair[]>()
  for (const pair of [...collisions.values()].sort(comparePairs)) listFor(groups, keyOf(pair)).push(pair)
  const cards = [...groups].flatMap(([key, pairs]) => toCard(key, pairs, activities, mine) ?? [])
  return [...cards.filter(({ isMine }) => isMine), ...cards.filter(({ isMine }) => !isMine)]
}

function toCard(
  key: string,
  pairs: CollidingPair[],
  activities: LiveState['activities'],
  mine: ReadonlySet<string>,
): Card | undefined {
  const [worst] = pairs
  if (!worst) return undefined
  const people = new Map<string, CardPerson>()
  for (const pair of pairs) {
    for (const [index, id] of pair.activity_ids.entries()) {
      // The lines of a pair are those of the newer one.
      const lines = index === 0 ? pair.lines : null
      const known = people.get(id)
      if (known) known.lines ??= lines
      else people.set(id, { id, activity: activities.get(id), isMine: mine.has(id), lines })
    }
  }
  const listed = [...people.values()].sort((a, b) => Number(b.isMine) - Number(a.isMine))
  const { severity, since } = worst
  const place = meetingPlace(worst)
  return { key, place, severity, since, people: listed, pairs, isMine: listed.some(({ isMine }) => isMine) }
}

/** A line of "Who works on what". */
export interface WorkRow extends FilteredRow {
  /** With how many activities it collides, and how badly at worst. */
  collisions: number
  severity: Severity | null
}

/** Mine first, then what collides, worst first, then the newest. */
export function workRows(
  { activities, collisions }: Pick<LiveState, 'activities' | 'collisions'>,
  mine: ReadonlySet<string>,
): WorkRow[] {
  const found = new Map<string, Severity[]>()
  for (const { activity_ids, severity } of collisions.values()) {
    for (const id of activity_ids) listFor(found, id).push(severity)
  }
  const rows = [...activities.values()].map((activity): WorkRow => {
    const all = found.get(activity.id) ?? []
    return { activity, isMine: mine.has(activity.id), collisions: all.length, severity: worst(all) }
  })
  return rows.sort(
    (a, b) =>
      Number(b.isMine) - Number(a.isMine) ||
      bySeverity(a, b) ||
      compareText(b.activity.began_at, a.activity.began_at) ||
      compareText(b.activity.id, a.activity.id),
  )
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** An item of a list that stays where it is under a reader. */
export interface HeldItem<Item> {
  key: string
  item: Item
  /** It is over, and keeps its place until the reader asks for what is new. */
  isGone: boolean
}

/** One rule for all lists: what is shown keeps its place, what is new waits. Undefined: nothing was shown yet. */
export function hold<Item>(
  shown: readonly HeldItem<Item>[] | undefined,
  items: readonly Item[],
  keyOf: (item: Item) => string,
): { held: readonly HeldItem<Item>[]; waiting: readonly Item[] } {
  if (!shown) return { held: items.map((item) => ({ key: keyOf(item), item, isGone: false })), waiting: [] }
  const current = new Map(items.map((item) => [keyOf(item), item]))
  const before = new Set(shown.map(({ key }) => key))
  return {
    held: shown.map(({ key, item }) => ({ key, item: current.get(key) ?? item, isGone: !current.has(key) })),
    waiting: items.filter((item) => !before.has(keyOf(item))),
  }
}

import { importances } from '../../enums.ts'
import type { Notable } from '../../notable/schema.ts'
import { headsOf, mayMeet } from '../../sentence/places.ts'
import { type Card, cardsOf } from './cards.ts'
import { type Filters, isFiltered, matches, matchesNotable } from './filters.ts'
import type { LiveState } from './live-state.ts'
import { compareText, type WorkRow, workRows } from './rows.ts'

/** A directory where people are at work. */
export interface Directory {
  path: string
  count: number
  collisions: number
}

/** What the page shows below the sentence. */
export interface Board {
  /** All cards, for what the filters leave out. */
  allCards: Card[]
  cards: Card[]
  allRows: WorkRow[]
  rows: WorkRow[]
  notables: Notable[]
  directories: Directory[]
}

const mostDirectories = 12

/** Cards, rows, notables and directories that pass the filters, each in the order to show. */
export function boardOf(state: LiveState, mine: ReadonlySet<string>, filters: Filters): Board {
  const allCards = cardsOf(state, mine)
  const allRows = workRows(state, mine)
  const rows = allRows.filter((row) => matches(row, filters))
  const ids = new Set(rows.map(({ activity }) => activity.id))
  const passes = ({ people }: Card) => people.some(({ id }) => ids.has(id))
  const shown = [...state.notables.values()].filter((notable) => matchesNotable(notable, rows, filters))
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
  const mine = rows.filter(({ isMine }) => isMine)
  const weight = (notable: Notable) =>
    Number(mine.some(({ activity }) => mayMeet(activity, notable))) * 20 +
    Number(notable.blocking) * 10 +
    importances.indexOf(notable.importance)
  const weights = new Map(notables.map((notable) => [notable.id, weight(notable)]))
  const weightOf = ({ id }: Notable) => weights.get(id) ?? 0
  return [...notables].sort(
    (a, b) => weightOf(b) - weightOf(a) || compareText(b.created_at, a.created_at) || compareText(a.id, b.id),
  )
}

/** The dozen directories with most collisions, then with most work. */
export function busiest(rows: readonly WorkRow[], cards: readonly Card[]): Directory[] {
  const found = new Map<string, Directory>()
  const at = (path: string) => {
    const known = found.get(path) ?? { path, count: 0, collisions: 0 }
    found.set(path, known)
    return known
  }
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

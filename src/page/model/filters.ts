import type { Activity } from '../../core/schemas/activity.ts'
import type { Notable } from '../../core/schemas/notable.ts'
import { isAboutRepository } from '../../core/scope/is-about-repository.ts'
import { headsOf, isBelow, meetsAny, type Placed } from '../../core/texts/sentence/places.ts'
import { pullNumber } from '../../core/texts/sentence/sentence-parts.ts'

export const filterNames = ['q', 'mine', 'path', 'actor', 'status', 'activity'] as const

/** What the address of the page filters by. Empty: no filter. `mine` is `1`: only what concerns the viewer. */
export type Filters = Record<(typeof filterNames)[number], string>

export const noFilters = readFilters('')

/** The filters that a query of the address names. */
export function readFilters(search: string): Filters {
  const parameters = new URLSearchParams(search)
  return Object.fromEntries(filterNames.map((name) => [name, parameters.get(name) ?? ''])) as Filters
}

/** The query with these filters; other parameters stay. Empty, or begins with `?`. */
export function writeFilters(search: string, filters: Filters): string {
  const parameters = new URLSearchParams(search)
  for (const name of filterNames) {
    if (filters[name] === '') parameters.delete(name)
    else parameters.set(name, filters[name])
  }
  return parameters.size === 0 ? '' : `?${parameters}`
}

export function isFiltered(filters: Filters): boolean {
  return filterNames.some((name) => filters[name] !== '')
}

/** All words have to be in one of the texts, in any order and case. */
function hasWords(q: string, texts: readonly (string | null)[]): boolean {
  const text = texts.join('\n').toLowerCase()
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

/** Whether something may be at this path: below it, or around it. */
function isAt(one: Placed, path: string): boolean {
  const wanted = path.trim().replace(/^\/+|\/+$/g, '')
  return wanted === '' || headsOf(one).some((head) => isBelow(head, wanted) || isBelow(wanted, head))
}

export interface FilteredRow {
  activity: Activity
  isMine: boolean
}

export function matches({ activity, isMine }: FilteredRow, filters: Filters): boolean {
  const { id, title, summary, actor, agent, status, branch, scope, scope_changed } = activity
  const number = `#${pullNumber(activity) ?? ''}`
  return (
    (filters.activity === '' || id === filters.activity) &&
    (filters.mine === '' || isMine) &&
    (filters.actor === '' || actor === filters.actor) &&
    (filters.status === '' || status === filters.status) &&
    isAt(activity, filters.path) &&
    hasWords(filters.q, [
      title,
      summary,
      actor,
      agent,
      branch,
      number,
      ...scope.paths,
      ...scope_changed,
      ...scope.areas,
    ])
  )
}

/** Tells of a notable whether it is shown: its own text and paths pass, and where people are chosen, it meets their work. */
export function notableMatcher(rows: readonly FilteredRow[], filters: Filters): (notable: Notable) => boolean {
  const asksForWork = isFiltered({ ...filters, q: '', path: '' })
  const isMet = asksForWork ? meetsAny(rows.map(({ activity }) => activity)) : () => true
  return (notable) => {
    const { title, summary, category, scope } = notable
    const isEverywhere = isAboutRepository(scope.areas, scope.paths)
    return (
      (isEverywhere || (isAt(notable, filters.path) && isMet(notable))) &&
      hasWords(filters.q, [title, summary, category, ...scope.paths, ...scope.areas])
    )
  }
}

import type { Activity } from '../../activity/schema.ts'
import { mayConcern } from './places.ts'
import type { WorkRow } from './work-rows.ts'

/** What the address of the page filters by: `?q=`, `?path=`, `?actor=`, `?status=` and `?activity=`. Empty: no filter. */
export interface Filters {
  q: string
  path: string
  actor: string
  status: string
  activity: string
}

export const filterNames = ['q', 'path', 'actor', 'status', 'activity'] as const
export const noFilters: Filters = { q: '', path: '', actor: '', status: '', activity: '' }

/** The filters that a query of the address names. */
export function readFilters(search: string): Filters {
  const parameters = new URLSearchParams(search)
  const filters = { ...noFilters }
  for (const name of filterNames) filters[name] = parameters.get(name) ?? ''
  return filters
}

/** The query with these filters; other parameters stay. Empty, or begins with `?`. */
export function writeFilters(search: string, filters: Filters): string {
  const parameters = new URLSearchParams(search)
  for (const name of filterNames) {
    if (filters[name] === '') parameters.delete(name)
    else parameters.set(name, filters[name])
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

export function isFiltered(filters: Filters): boolean {
  return filterNames.some((name) => filters[name] !== '')
}

/** The filters without the path. The list of places uses these, so that a person can go from one place to another. */
export function withoutPath(filters: Filters): Filters {
  return { ...filters, path: '' }
}

/** All words have to be in the row's text, in any order and case. */
function hasWords(text: string, q: string): boolean {
  const words = q.toLowerCase().split(/\s+/)
  return words.every((word) => text.includes(word))
}

function searchText({ title, summary, actor, agent, branch, pr_url, scope }: Activity): string {
  const number = /\/pull\/(\d+)$/.exec(pr_url ?? '')?.[1]
  const texts = [title, summary, actor, agent, branch, number && `#${number}`, ...scope.paths, ...scope.areas]
  return texts.filter(Boolean).join('\n').toLowerCase()
}

/** Whether the table shows the row. */
export function matches({ activity, places }: WorkRow, filters: Filters): boolean {
  return (
    (filters.activity === '' || activity.id === filters.activity) &&
    (filters.actor === '' || activity.actor === filters.actor) &&
    (filters.status === '' || activity.status === filters.status) &&
    (filters.path.trim() === '' || places.some((place) => mayConcern(place, filters.path))) &&
    (filters.q.trim() === '' || hasWords(searchText(activity), filters.q.trim()))
  )
}

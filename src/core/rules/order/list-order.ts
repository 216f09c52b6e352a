import type { Collision } from '../findings.ts'
import { bySeverity } from '../severity.ts'

/**
 * The order of the lists: the work of members before that of strangers, stale pull requests after others of the two, each
 * worst first, then newest (docs/rules.md#overlap-lists).
 */
export function worstFirst(a: Collision, b: Collision): number {
  return strangersLast(a, b) || staleLast(a, b) || bySeverity(a, b) || newestFirst(a, b)
}

export function strangersLast(a: object, b: object): number {
  return isOfStranger(a) - isOfStranger(b)
}

export function staleLast(a: object, b: object): number {
  return isStale(a) - isStale(b)
}

const isOfStranger = (one: object) => Number('byStranger' in one && one.byStranger === true)
const isStale = (one: object) => Number('isStale' in one && one.isStale === true)

export function newestFirst(a: { id: string }, b: { id: string }): number {
  return a.id < b.id ? 1 : a.id > b.id ? -1 : 0
}

/** What collisions are ordered by, as an answer shows it. */
export function orderFields({ severity, byStranger = false, isStale = false }: Collision) {
  return { severity, ...(byStranger && { outside: true }), ...(isStale && { stale: true }) }
}

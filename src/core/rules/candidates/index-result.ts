import { type Coverage, FILE, PART, WHOLE } from '../../scope/index/index-keys.ts'
import type { Closeness } from '../severity.ts'

/**
 * What one index entry decides about its record and a proposal. If a record has several entries, the greatest result counts.
 * `PERHAPS_SAME_FILE` is greater than `OVERLAP`: the globs intersect, and the severity needs the record's own text.
 */
export type IndexResult = typeof UNDECIDED | typeof OVERLAP | typeof PERHAPS_SAME_FILE | typeof SAME_FILE
export const UNDECIDED = 0
const OVERLAP = 1
const PERHAPS_SAME_FILE = 2
export const SAME_FILE = 3

const coverages: readonly Coverage[] = [PART, WHOLE, FILE]

/** The result for an entry at a key of the proposal, or at a prefix of one. `proposed` is the proposal's coverage of the entry's key. */
export function resultAtKey(proposed: Coverage, entry: Coverage): IndexResult {
  if (proposed === PART) return entry === PART ? UNDECIDED : OVERLAP
  if (proposed === WHOLE || entry === WHOLE) return OVERLAP
  return entry === FILE ? SAME_FILE : PERHAPS_SAME_FILE
}

/** `resultAtKey` in SQL, as a table of its results. Both arguments are expressions of a coverage. */
export function resultAtKeySql(proposed: string, entry: string): string {
  const results = coverages.flatMap((row) => coverages.map((column) => resultAtKey(row, column)))
  return `('{${results}}'::int[])[${coverages.length} * ${proposed} + ${entry} + 1]`
}

/** The result for an entry below a key that the proposal covers to this extent. */
export function resultBelowKey(proposed: Coverage): IndexResult {
  return proposed === PART ? UNDECIDED : OVERLAP
}

/**
 * How close a record with this result is to the proposal; null if its globs have to be compared. `keysShowFiles` says that a
 * record without the result `SAME_FILE` names no file of the proposal.
 */
export function closenessByIndex(result: IndexResult, keysShowFiles: boolean): Exclude<Closeness, 'areas'> | null {
  if (result === SAME_FILE) return 'same file'
  return result === OVERLAP && keysShowFiles ? 'paths' : null
}

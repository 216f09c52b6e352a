import type { FileChange, LineRange } from '../../changes/file-change.ts'
import { closestSpans, rangeOf } from '../../changes/spans.ts'
import { type ChangedPath, spansOf } from './changed-work.ts'

/** Up to how many unchanged lines may be between two changes that are close. Measured: `npm run bench:precision`. */
const MAX_CLOSE_DISTANCE = 1

/**
 * How near two changes of one file are. `whole file`: one of the two adds, removes or renames it. `same content`: both
 * leave it with the same content, so that they do not collide.
 */
export type Proximity = 'whole file' | 'same lines' | 'close lines' | 'far lines' | 'unknown lines' | 'same content'

export interface PathComparison {
  proximity: Proximity
  /** How many unchanged lines are between the two; null where that is not known, or the whole file counts. */
  distance: number | null
  /** The lines of each that are closest to the other's. */
  lines: LineRange | null
  theirLines: LineRange | null
}

/**
 * Compares what two pieces of work do at one path; null at the new path of a rename that both make, since the old path
 * is compared.
 */
export function comparePaths(ours: ChangedPath, theirs: ChangedPath): PathComparison | null {
  const whole = (proximity: Proximity) => ({ proximity, distance: null, lines: null, theirLines: null })
  if (leaveSameContent(ours.change, theirs.change)) return whole('same content')
  const isSame = isSameRename(ours, theirs)
  if (isSame && ours.kind === 'added') return null
  if (!isSame && (ours.change.status !== 'modified' || theirs.change.status !== 'modified')) return whole('whole file')
  const [spans, theirSpans] = [spansOf(ours.change), spansOf(theirs.change)]
  if (spans === null || theirSpans === null) return whole('unknown lines')
  const closest = closestSpans(spans, theirSpans)
  if (closest === null) return whole('far lines')
  const { distance, a, b } = closest
  const proximity = distance === 0 ? 'same lines' : distance <= MAX_CLOSE_DISTANCE ? 'close lines' : 'far lines'
  return { proximity, distance, lines: rangeOf(a), theirLines: rangeOf(b) }
}

/**
 * Whether git merges both changes of a file without a conflict, since they are the same (docs/rules.md#equal-files). Where one of
 * the contents is not known, they are not the same.
 */
function leaveSameContent(a: FileChange, b: FileChange): boolean {
  return a.blob !== undefined && a.blob === b.blob && a.path === b.path && a.previous_path === b.previous_path
}

/** Two renames of a file to the same new path do not collide by that. */
function isSameRename({ change: a }: ChangedPath, { change: b }: ChangedPath): boolean {
  return a.status === 'renamed' && b.status === 'renamed' && a.path === b.path && a.previous_path === b.previous_path
}

import type { SameChangeKind, Severity } from '../enums.ts'
import { isHalf, type SameChange } from './changed/same-change.ts'

export interface JudgedSameChange {
  kind: SameChangeKind
  severity: Severity
}

interface Circumstances {
  /** Whether we began before them. */
  isFirst: boolean
  /** Whether both are of one author. */
  isOwn: boolean
  /** Whether theirs is a pull request of a stranger, and ours is not. */
  isFromOutside: boolean
}

/** What the same change is for us, and how severe (docs/rules.md#same-change). */
export function judgeSameChange(
  { equal, ours, limit }: SameChange,
  { isFirst, isOwn, isFromOutside }: Circumstances,
): JudgedSameChange {
  if (!isHalf(equal, ours)) return { kind: 'part', severity: 'low' }
  const kind = isFirst ? 'repeats' : 'open_already'
  if (isFirst && isFromOutside) return { kind, severity: 'low' }
  return { kind, severity: isOwn ? 'medium' : limit }
}

import type { FileChange } from '../../changes/file-change.ts'
import type { SameChangeKind, Severity } from '../../enums.ts'
import type { ChangedWork } from '../changed/changed-work.ts'

/** How much of two pieces of work is the same change (docs/rules.md#same-change). */
export interface SameChange {
  /** How many files both leave with the same content. */
  equal: number
  /** How many files each of the two changes. Ignored ones are counted nowhere. */
  ours: number
  theirs: number
  /** The most that it counts: less where one of the two is wide (docs/rules.md#wide-work). */
  limit: Severity
}

/** The object ids of no content, of either hash. */
const emptyBlobs: ReadonlySet<unknown> = new Set([
  'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391',
  '473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813',
])

/**
 * Whether one work is the same change as the other, or a part of it: at least half of the files of one of the two are equal.
 * `equal` has the changes of ours that leave the same content as theirs. Null otherwise. Null too where all equal files are empty
 * (such files only mark a directory), and where the two share commits: then one is built on the other, or both on a third.
 */
export function sameChangeOf(
  equal: ReadonlySet<FileChange>,
  [ours, theirs]: readonly [ChangedWork, ChangedWork],
  { isIgnored, limit }: { isIgnored(path: string): boolean; limit: Severity },
): SameChange | null {
  const counted = [...equal].filter(({ path }) => !isIgnored(path))
  if (!counted.some(hasContent) || haveCommonCommits(ours, theirs)) return null
  const [equalFiles, files, theirFiles] = [counted.length, countFiles(ours, isIgnored), countFiles(theirs, isIgnored)]
  const isSame = isHalf(equalFiles, files) || isHalf(equalFiles, theirFiles)
  return isSame ? { equal: equalFiles, ours: files, theirs: theirFiles, limit } : null
}

export function isHalf(part: number, whole: number): boolean {
  return 2 * part >= whole
}

/** Whether the file has some content, or had it and is removed. */
export function hasContent({ blob }: Pick<FileChange, 'blob'>): boolean {
  return !emptyBlobs.has(blob)
}

/** The files that count, those that are not listed too. */
function countFiles({ files, filesTotal }: ChangedWork, isIgnored: (path: string) => boolean): number {
  return Math.max(0, filesTotal - files.length) + files.filter(({ path }) => !isIgnored(path)).length
}

function haveCommonCommits({ commits: a }: ChangedWork, { commits: b }: ChangedWork): boolean {
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a]
  for (const commit of fewer) if (more.has(commit)) return true
  return false
}

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

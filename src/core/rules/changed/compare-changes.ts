import type { FileChange } from '../../changes/file-change.ts'
import type { Severity } from '../../enums.ts'
import type { Steps } from '../../scope/match/wildcard-sequence.ts'
import { type SameChange, sameChangeOf } from '../duplicates/same-change-rules.ts'
import { bySeverity, worst } from '../severity.ts'
import { type ChangedPath, type ChangedWork, type ComparableWork, mayCollide } from './changed-work.ts'
import { comparePaths, type PathComparison, type Proximity } from './compare-paths.ts'
import { mayBeNamed, type NamingSide, type UnnamedFile } from './unnamed-file.ts'

/** What makes collisions count less. */
export interface CountingRules {
  /** Logins whose work is nearby at most. */
  ignoredAuthors: readonly string[]
  /** Work that changes more files than this counts `medium` at most. */
  maxFiles: number
  /** Whether changes of this file do not count. */
  isIgnored(path: string): boolean
  /** Whether the file is hot. Then naming it is no overlap. */
  isHot(path: string): boolean
}

export interface FileOverlap extends Omit<PathComparison, 'proximity'> {
  /** `named`: we only name the file. `covered`: a glob of ours covers it. */
  proximity: Proximity | 'named' | 'covered'
  path: string
  /** Null: nearby, and no overlap. */
  severity: Severity | null
  /** Null where we name the file or cover it, and do not change it as far as is known. */
  change: FileChange | null
  theirChange: FileChange
  /** Where no text may name the file. */
  unnamed?: UnnamedFile
}

export interface ChangesOverlap {
  /** The worst of the files; null: nearby. */
  severity: Severity | null
  /** The files that both change, worst and closest first. */
  files: FileOverlap[]
  /** Null where neither is the same change as the other, or a part of it. */
  sameChange: SameChange | null
}

/** How the changes of two pieces of work overlap; null where they share no file, or do not count for each other. */
export function compareChanges(
  ours: ComparableWork,
  theirs: ComparableWork,
  rules: CountingRules,
  work?: Steps,
): ChangesOverlap | null {
  return overlapOf(sharedFiles(ours, theirs, rules, work), { ours, theirs, author: ours.work.author }, rules)
}

/** The files that both change, where the two count for each other. */
export function sharedFiles(
  ours: ComparableWork,
  theirs: ComparableWork,
  rules: CountingRules,
  work: Steps = { steps: 0 },
): FileOverlap[] {
  if (!mayCollide(ours.work, theirs.work)) return []
  work.steps += 2 * Math.min(ours.byPath.size, theirs.byPath.size)
  const files: FileOverlap[] = []
  for (const path of sharedPaths(ours, theirs)) {
    if (rules.isIgnored(path)) continue
    for (const a of ours.byPath.get(path) ?? []) {
      for (const b of theirs.byPath.get(path) ?? []) {
        work.steps += 20 + 4 * (rangesOf(a) + rangesOf(b))
        const found = comparePaths(a, b)
        if (!found) continue
        const severity = severityOf(found.proximity, path, rules)
        const file = { path, ...found, severity, change: a.change, theirChange: b.change }
        files.push(mayBeNamed([sideOf(ours, a), sideOf(theirs, b)]) ? file : { ...file, unnamed: { below: null } })
      }
    }
  }
  return files
}

function sideOf({ work: { hidesWords = false } }: ComparableWork, { kind }: ChangedPath): NamingSide {
  return { kind, hidesWords }
}

function rangesOf({ change }: ChangedPath): number {
  return change.lines?.length ?? 0
}

interface Sides {
  /** Null where we change nothing, as far as is known. */
  ours: ComparableWork | null
  theirs: ComparableWork
  /** The login of our author. */
  author: string | null
}

/** These files as the overlap of two pieces of work; null where there are none. */
export function overlapOf(
  files: readonly FileOverlap[],
  { ours, theirs, author }: Sides,
  rules: CountingRules,
): ChangesOverlap | null {
  if (files.length === 0) return null
  const limit = severityLimit([ours?.work ?? { author, filesTotal: 0 }, theirs.work], rules)
  const limited = files.map((file) => limitedFile(file, limit(file.severity))).sort(worstFileFirst)
  const equal = new Set(
    files.flatMap(({ proximity, change }) => (proximity === 'same content' && change ? change : [])),
  )
  // Work of ignored authors is nearby at most.
  const most = limit('high')
  return {
    severity: worst(limited.map(({ severity }) => severity)),
    files: limited,
    sameChange:
      ours !== null && most !== null && equal.size > 0
        ? sameChangeOf(equal, [ours.work, theirs.work], { isIgnored: rules.isIgnored, limit: most })
        : null,
  }
}

/** The file with this severity. Not copied where it has that already: a check may find hundreds of files. */
function limitedFile(file: FileOverlap, severity: Severity | null): FileOverlap {
  return severity === file.severity ? file : { ...file, severity }
}

function sharedPaths({ byPath: a }: ComparableWork, { byPath: b }: ComparableWork): string[] {
  const [fewer, more] = a.size <= b.size ? [a, b] : [b, a]
  const shared: string[] = []
  for (const path of fewer.keys()) if (more.has(path)) shared.push(path)
  return shared
}

const severityByProximity: Readonly<Record<Proximity, Severity | null>> = {
  'whole file': 'high',
  'same lines': 'high',
  'close lines': 'medium',
  'unknown lines': 'low',
  'far lines': null,
  'same content': null,
}

function severityOf(proximity: Proximity, path: string, rules: CountingRules): Severity | null {
  return proximity === 'unknown lines' && rules.isHot(path) ? null : severityByProximity[proximity]
}

/** Lowers a severity to the most that a collision of these two may count. */
function severityLimit(works: readonly Pick<ChangedWork, 'author' | 'filesTotal'>[], rules: CountingRules) {
  const isOfIgnoredAuthor = works.some(({ author }) => isIgnoredAuthor(author, rules))
  const isWide = works.some(({ filesTotal }) => filesTotal > rules.maxFiles)
  return (severity: Severity | null): Severity | null => {
    if (isOfIgnoredAuthor) return null
    return isWide && severity === 'high' ? 'medium' : severity
  }
}

/** The case of a login does not matter. */
export function isIgnoredAuthor(
  author: string | null,
  { ignoredAuthors }: Pick<CountingRules, 'ignoredAuthors'>,
): boolean {
  return author !== null && ignoredAuthors.some((login) => login.toLowerCase() === author.toLowerCase())
}

function worstFileFirst(a: FileOverlap, b: FileOverlap): number {
  return bySeverity(a, b) || orderOf(a) - orderOf(b) || (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)
}

/** How near the nearest of these files is. A smaller number is closer. */
export function distanceOf(files: readonly FileOverlap[]): number {
  return Math.min(...files.map(orderOf))
}

/** Without a distance, no changed line is near. */
function orderOf({ distance, proximity }: FileOverlap): number {
  if (distance !== null) return distance
  return withoutNearLines.has(proximity) ? Number.MAX_SAFE_INTEGER : 0
}

const withoutNearLines: ReadonlySet<FileOverlap['proximity']> = new Set(['far lines', 'covered', 'same content'])

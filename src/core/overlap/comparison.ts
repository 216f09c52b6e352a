import type { Span } from '../changes/spans.ts'
import { type MeetingKind, meetingKinds, type Severity } from '../enums.ts'
import type { FileStatus } from './files.ts'
import { rankOf } from './severity.ts'
import type { Work } from './work.ts'

/**
 * Why work is only near. `apart`: the lines are known to be apart. `epic`: very many works name this issue. Of the others it is not
 * known that they merge: a wide glob over files of a pull request, another base branch, a file that one changes as a whole, a file
 * added to a directory out of which the other renames, a path that is a directory of the other's.
 */
export type Nearness = 'apart' | 'epic' | 'wide' | 'base' | 'whole' | 'renamed_directory' | 'directory'

/** One thing that two works share. */
export interface Meeting {
  /** Null: near, and no overlap. */
  severity: Severity | null
  by: MeetingKind
  /** A file, the label of an area, or the number of an issue. */
  at: string
  /** The file, where there is one. */
  path: string | null
  near: Nearness | null
  /** Whether both change the file. */
  isOfChanges: boolean
  /** Whether a side names or changes that very file. */
  isReal: boolean
  spans: readonly [ours: readonly Span[], theirs: readonly Span[]] | null
}

/** One of two works, at the example. */
export interface AtExample {
  /** The places that meet; null where lines do not decide. */
  spans: readonly Span[] | null
  /** What it does to the file; null where it does not change it. */
  status: FileStatus | null
  baseBranch: string | null
}

/** All that two works share. The same from both sides, but for `ours` and `theirs`. */
export interface Comparison {
  /** The worst; null where they are only near. */
  severity: Severity | null
  by: MeetingKind
  examplePath: string | null
  /** Whether a side names or changes that very file: else it is one that both would match. */
  isRealExample: boolean
  ours: AtExample
  theirs: AtExample
  /** The files that both change, the worst first. */
  paths: readonly string[]
  areas: readonly string[]
  issues: readonly number[]
  /** Why it is near at most, where some of it is. */
  nearness: readonly Nearness[]
  /** Whether nothing but files that both change makes them meet. */
  isOfChanges: boolean
}

export function meeting(given: Pick<Meeting, 'severity' | 'by' | 'at'> & Partial<Meeting>): Meeting {
  return { path: null, near: null, isOfChanges: false, isReal: false, spans: null, ...given }
}

/** All of it together; null for nothing. */
export function summary(found: readonly Meeting[], ours: Work, theirs: Work): Comparison | null {
  const sorted = found.toSorted(byWeight)
  const [worst] = sorted
  if (!worst) return null
  const examplePath = worst.path ?? sorted.find(({ path }) => path !== null)?.path ?? null
  const atOf = (kind: MeetingKind) => [...new Set(sorted.flatMap(({ by, at }) => (by === kind ? [at] : [])))]
  const at = (work: Work, spans: readonly Span[] | undefined): AtExample => {
    const status = work.files.byPath.get(examplePath ?? '')?.status ?? null
    return { spans: spans ?? null, status, baseBranch: work.baseBranch }
  }
  // What is only near says nothing of what makes them meet.
  const counted = worst.severity === null ? sorted : sorted.filter(({ severity }) => severity !== null)
  return {
    severity: worst.severity,
    by: worst.by,
    examplePath,
    isRealExample: worst.isReal,
    ours: at(ours, worst.spans?.[0]),
    theirs: at(theirs, worst.spans?.[1]),
    paths: sorted.flatMap(({ isOfChanges, at }) => (isOfChanges ? [at] : [])),
    areas: atOf('area'),
    issues: atOf('issue').map(Number),
    nearness: [...new Set(sorted.flatMap(({ near }) => near ?? []))],
    isOfChanges: counted.every(({ isOfChanges }) => isOfChanges),
  }
}

/** The worst first. Where two are as bad, a file that somebody really names or changes is the better example. */
function byWeight(a: Meeting, b: Meeting): number {
  return (
    rankOf(b.severity) - rankOf(a.severity) ||
    Number(isDoubtful(b)) - Number(isDoubtful(a)) ||
    Number(b.isReal) - Number(a.isReal) ||
    meetingKinds.indexOf(a.by) - meetingKinds.indexOf(b.by) ||
    inOrder(a.at, b.at) ||
    inOrder(a.path, b.path) ||
    inOrder(a.near, b.near)
  )
}

/** Any order that is the same from both sides. */
function inOrder(a: string | null, b: string | null): number {
  const [one, other] = [a ?? '', b ?? '']
  return one < other ? -1 : Number(one > other)
}

function isDoubtful({ near }: Meeting): boolean {
  return near !== null && mayConflict(near)
}

/** Whether it is not known that works which are near for this reason merge. */
function mayConflict(near: Nearness): boolean {
  return near !== 'apart' && near !== 'epic'
}

/** Whether something is near of which it is not known that it merges. */
export function isInDoubt({ severity, nearness }: Comparison): boolean {
  return severity === null && nearness.some(mayConflict)
}

/** The same, seen from the other side. */
export function turned(comparison: Comparison): Comparison {
  return { ...comparison, ours: comparison.theirs, theirs: comparison.ours }
}

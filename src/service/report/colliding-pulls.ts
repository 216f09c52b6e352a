import type { Severity } from '../../core/enums.ts'
import { hidesWords, isStranger } from '../../core/rules/author.ts'
import type { ComparedActivity } from '../../core/rules/candidates/rows.ts'
import type { ComparableWork } from '../../core/rules/changed/changed-work.ts'
import {
  type ChangesOverlap,
  compareChanges,
  distanceOf,
  type FileOverlap,
} from '../../core/rules/changed/compare-changes.ts'
import type { Comparison } from '../../core/rules/compare-all.ts'
import { rulesFor } from '../../core/rules/compare-work.ts'
import { judgeSameChange } from '../../core/rules/duplicates/same-change-rules.ts'
import type { IssueOverlap } from '../../core/rules/duplicates/same-issue-rules.ts'
import { bySeverity, isGrave, weighted, worst } from '../../core/rules/severity.ts'
import { isStalePush } from '../../core/rules/stale-rules.ts'
import { isUsedUp, type WorkBudget } from '../../core/scope/match/work-budget.ts'

/** How close another pull request is: `near` counts as no overlap in a report. */
export type PullCloseness = 'same change' | 'same lines' | 'same issue' | 'close' | 'near'

/** Another open pull request that changes the same places, or is for the same issue. */
export interface CollidingPull {
  number: number
  /** The login of its author. */
  login: string
  /** Null for a branch of somebody outside of the project. */
  branch: string | null
  pushedAt: Date
  severity: Severity
  closeness: PullCloseness
  /** Whether it had no push for long. */
  isStale: boolean
  /** Whether it is of the same author. */
  isOwn: boolean
  /** Whether it is of a stranger (docs/rules.md#strangers). */
  byStranger: boolean
  /** The issues that both mean to close, as far as they count. */
  issues: readonly number[]
  /** The files that collide, worst first. */
  files: readonly FileOverlap[]
  /** How many files it changes. */
  filesTotal: number
  /** Whether it changes more files than `max_files`. */
  isWide: boolean
}

export interface FoundPulls {
  /** Those of members first, then fresh ones, then worst, closest and newest first. */
  colliding: CollidingPull[]
  /** How many others change the same files farther away, or name an issue that does not count. */
  nearbyCount: number
  /** Those of them that name such an issue, as an epic. */
  nearbyByIssue?: readonly number[] | undefined
  /** Whether some of them were not compared, since that is too much work. */
  isCut?: boolean | undefined
}

/** The fields of other work that a report needs. */
export type OtherWork = Pick<
  ComparedActivity,
  | 'source'
  | 'pull'
  | 'covers'
  | 'changed'
  | 'actor'
  | 'author_login'
  | 'author_id'
  | 'seen_at'
  | 'began_at'
  | 'blocking'
  | 'risk'
  | 'branch'
>

export interface PullComparison extends Pick<Comparison, 'counting' | 'isPublic' | 'now' | 'staleAfterMs'> {
  /** What the pull request itself changes. */
  ours: ComparableWork
  /** What others share with its issues (docs/rules.md#same-issue). */
  issues?: ReadonlyMap<object, IssueOverlap>
  authorId: bigint | null
}

/**
 * Compares what a pull request changes and its issues with those of others (docs/rules.md#reports). For a recorded pull request,
 * the changes that GitHub shows count. Scopes that people declare do not.
 * Changes are compared in slices, up to the limit of the budget, the smallest first.
 */
export function* findCollidingPulls(
  others: readonly OtherWork[],
  comparison: PullComparison,
  work: WorkBudget,
): Generator<void, FoundPulls> {
  const colliding: CollidingPull[] = []
  const nearbyByIssue: number[] = []
  let nearbyCount = 0
  let isCut = false
  for (const activity of others.toSorted((a, b) => sizeOf(a) - sizeOf(b))) {
    const { pull } = activity
    const { changed } = activity.covers ?? activity
    const issues = comparison.issues?.get(activity) ?? null
    if (pull === null) continue
    let changes: ChangesOverlap | null = null
    if (changed !== null && isUsedUp(work)) isCut = true
    else if (changed !== null) {
      if (work.steps >= work.sliceEnd) yield
      changes = compareChanges(comparison.ours, changed, rulesFor(changed, comparison.counting), work)
    }
    if (changes === null && issues === null) continue
    const one = collidingPull(activity, pull.number, { changes, issues }, comparison)
    if (one !== null) colliding.push(one)
    else {
      nearbyCount++
      if (issues !== null) nearbyByIssue.push(pull.number)
    }
  }
  return { colliding: colliding.sort(worstFirst), nearbyCount, nearbyByIssue, isCut }
}

function sizeOf({ covers, changed }: OtherWork): number {
  return (covers?.changed ?? changed)?.byPath.size ?? 0
}

/**
 * What two pull requests of one head collide with. Each other pull request counts once, with the worse of its two
 * results.
 */
export function joinFoundPulls(a: FoundPulls, b: FoundPulls): FoundPulls {
  const all = [...a.colliding, ...b.colliding].sort(worstFirst)
  return {
    colliding: all.filter(({ number }, at) => all.findIndex((other) => other.number === number) === at),
    nearbyCount: Math.max(a.nearbyCount, b.nearbyCount),
    nearbyByIssue: [...(a.nearbyByIssue ?? []), ...(b.nearbyByIssue ?? [])],
    isCut: a.isCut || b.isCut,
  }
}

/** The one that the title names: of members, where any collides, the first that overlaps, or else the first that is only near. */
export function foremostOf(colliding: readonly CollidingPull[]): CollidingPull | undefined {
  const ofMembers = colliding.filter(({ byStranger }) => !byStranger)
  const named = ofMembers.length > 0 ? ofMembers : colliding
  return named.find(({ closeness }) => closeness !== 'near') ?? named[0]
}

/** Null where it is only nearby. */
function collidingPull(
  activity: OtherWork,
  number: number,
  { changes, issues }: { changes: ChangesOverlap | null; issues: IssueOverlap | null },
  { authorId, now, staleAfterMs, counting, isPublic }: PullComparison,
): CollidingPull | null {
  const { author_login, author_id, seen_at, changed } = activity.covers ?? activity
  const { severity = null, files = [], sameChange = null } = changes ?? {}
  const pushedAt = seen_at ?? activity.began_at
  const filesTotal = changed?.work.filesTotal ?? files.length
  const isOwn = authorId !== null && author_id === authorId
  const judged = sameChange && judgeSameChange(sameChange, { isFirst: false, isOwn, isFromOutside: false })
  // A check run says nothing of a pull request that is only a part of its own.
  const same = judged?.kind === 'part' ? null : judged
  const plain = worst([severity, same?.severity])
  const byChanges = weighted(plain, isGrave(activity))
  const weight = worst([byChanges, issues?.severity])
  if (weight === null) return null
  const counted = files.filter((file) => file.severity !== null || (same && file.proximity === 'same content'))
  return {
    number,
    login: author_login ?? activity.actor,
    branch:
      activity.pull?.is_fork || hidesWords({ source: 'pull_request', pull: activity.pull }) ? null : activity.branch,
    pushedAt,
    severity: weight,
    closeness: same ? 'same change' : closenessOf(byChanges, issues?.severity ?? null, counted),
    isStale: isStalePush(pushedAt, now, staleAfterMs),
    isOwn,
    byStranger: isStranger(activity, isPublic),
    issues: issues?.severity ? issues.numbers : [],
    files: counted,
    filesTotal,
    isWide: filesTotal > counting.maxFiles,
  }
}

function closenessOf(
  byChanges: Severity | null,
  byIssues: Severity | null,
  files: readonly FileOverlap[],
): PullCloseness {
  const isClose = byChanges === 'medium' || byChanges === 'high'
  if (isClose && files.some(isSameLines)) return 'same lines'
  if (byIssues === 'medium' || byIssues === 'high') return 'same issue'
  return isClose ? 'close' : 'near'
}

/** Whether changed lines touch, or one of the two adds, removes or renames the file. */
export function isSameLines({ proximity }: FileOverlap): boolean {
  return proximity === 'same lines' || proximity === 'whole file'
}

const byCloseness: readonly PullCloseness[] = ['same change', 'same lines', 'same issue', 'close', 'near']

function worstFirst(a: CollidingPull, b: CollidingPull): number {
  return (
    Number(a.byStranger) - Number(b.byStranger) ||
    Number(a.isStale) - Number(b.isStale) ||
    byCloseness.indexOf(a.closeness) - byCloseness.indexOf(b.closeness) ||
    bySeverity(a, b) ||
    distanceOf(a.files) - distanceOf(b.files) ||
    b.number - a.number
  )
}

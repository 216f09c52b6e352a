import type { CandidateItem } from '../schemas/collision-item.ts'
import { hidesWords, isStranger } from './author.ts'
import type { ComparedActivity } from './candidates/rows.ts'
import type { ComparableWork } from './changed/changed-work.ts'
import { distanceOf, isIgnoredAuthor } from './changed/compare-changes.ts'
import { collisionBasis } from './collision-basis.ts'
import type { Comparison } from './compare-all.ts'
import type { SharedWork } from './decide.ts'
import { newestFirst, strangersLast } from './order/list-order.ts'
import { ownershipOf } from './relationship/pull-relationship.ts'
import { collisionItem } from './response/collision-item.ts'
import { closest, collisionSeverity, isGrave, worst } from './severity.ts'
import { isStalePull } from './stale-rules.ts'

/** The limit of `candidates`, and of the files of each. */
const mostCandidates = 20
const mostCandidateFiles = 100

type Judgement = Pick<
  Comparison,
  'changed' | 'author' | 'identity' | 'counting' | 'isPublic' | 'own' | 'now' | 'staleAfterMs'
>

export interface MergeCandidates {
  candidates: CandidateItem[]
  candidates_total: number
}

/**
 * The works whose merge with the proposal the client may try (docs/rules.md#merge-candidates): those that share a changed file and
 * have a head at GitHub, closest first.
 */
export function mergeCandidates(
  { base_branch }: { base_branch: string | null },
  shared: readonly SharedWork[],
  defaultBranch: string,
  comparison: Judgement,
): MergeCandidates {
  const target = base_branch ?? defaultBranch
  const found = shared.flatMap((work) => {
    const { activity } = work
    const [head, files] = [headOf(activity), work.changes.files.filter(({ change }) => change !== null)]
    const base = activity.changed?.work.baseBranch ?? null
    if (!head || files.length === 0 || (base ?? target) !== target) return []
    if (ownershipOf(comparison.identity, activity) === 'own') return []
    const byStranger = isStranger(activity, comparison.isPublic)
    const shown = { ...work, changes: { ...work.changes, files } }
    return { work: shown, head, base, distance: distanceOf(files), byStranger }
  })
  found.sort((a, b) => a.distance - b.distance || strangersLast(a, b) || newestFirst(a.work.activity, b.work.activity))
  return {
    candidates: found.slice(0, mostCandidates).map(({ work, head, base, distance, byStranger }) => ({
      ...itemOf(work, byStranger),
      basis: basisOf(work, defaultBranch, comparison),
      ...head,
      base_branch: base,
      distance: distance === Number.MAX_SAFE_INTEGER ? null : distance,
      ...weightOf(work, comparison),
      has_unpushed_lines: hasUnpushedLines(work),
      files: filesOf(work.activity.changed, comparison),
    })),
    candidates_total: found.length,
  }
}

type Head = Pick<CandidateItem, 'number' | 'branch' | 'head_sha'>

/** Where GitHub has the head; undefined where nothing is pushed. */
function headOf({ source, covers, pull, branch, changed }: ComparedActivity): Head | undefined {
  if (source === 'recorded' && !covers) return undefined
  const seen = covers ? covers.changed : changed
  const head_sha = seen?.work.headSha ?? pull?.head_sha ?? null
  if (pull) return { number: pull.number, branch: null, head_sha }
  return branch === null ? undefined : { number: null, branch, head_sha }
}

function itemOf({ activity, overlap, changes, collision }: SharedWork, byStranger: boolean) {
  const none = {
    severity: 'low' as const,
    ownership: 'of others' as const,
    isWide: false,
    sameChange: null,
    issues: [],
  }
  const judged = { ...none, ...collision }
  const item = collisionItem({ ...judged, id: activity.id, activity, overlap, changes, byStranger })
  return { ...item, severity: collision?.severity ?? null }
}

function basisOf({ activity, collision }: SharedWork, defaultBranch: string, { own, now, staleAfterMs }: Judgement) {
  const isStale = isStalePull(activity, now, staleAfterMs)
  return collisionBasis({ sameChange: null, ...collision, activity, isStale }, { own, defaultBranch })
}

/** What else the severity after a tried merge depends on. */
function weightOf({ activity, overlap, issues, collision }: SharedWork, { changed, author, counting }: Judgement) {
  const grave = isGrave(activity)
  const totals = [changed?.work.filesTotal ?? 0, activity.changed?.work.filesTotal ?? 0]
  const authors = [author, activity.changed?.work.author ?? null]
  const byScope = overlap && collisionSeverity(closest(overlap), grave)
  return {
    severity_without_lines: worst([byScope, issues?.severity, collision?.sameChange?.severity]),
    severity_limit: totals.some((total) => total > counting.maxFiles) ? ('medium' as const) : null,
    grave,
    ignored_author: authors.some((login) => isIgnoredAuthor(login, counting)),
    hides_words: activity.changed?.work.hidesWords === true || hidesWords(activity),
  }
}

/** Whether the client of recorded work alone knows some of the lines: the head lacks them. */
function hasUnpushedLines({ activity: { covers }, changes }: SharedWork): boolean {
  if (!covers) return false
  return changes.files.some(({ path, theirChange }) => {
    const pushed = covers.changed?.byPath.get(path) ?? []
    return !pushed.some(({ change }) => JSON.stringify(change.lines) === JSON.stringify(theirChange.lines))
  })
}

/** The files that both change, ignored ones too; null where not all are known. */
function filesOf(theirs: ComparableWork | null, { changed, counting }: Judgement): CandidateItem['files'] {
  if (!theirs || !changed || theirs.work.filesTotal > theirs.work.files.length) return null
  const shared = theirs.work.files.filter(
    ({ path, previous_path }) =>
      changed.byPath.has(path) || (previous_path !== null && changed.byPath.has(previous_path)),
  )
  if (shared.length > mostCandidateFiles) return null
  return shared.map(({ path, previous_path }) => ({ path, previous_path, ignored: counting.isIgnored(path) }))
}

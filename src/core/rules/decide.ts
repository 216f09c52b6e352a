import { isUsedUp } from '../scope/match/work-budget.ts'
import { isStranger } from './author.ts'
import type { ActivityMatchedByIndex, ComparedActivity, ComparedNotable, StackedActivity } from './candidates/rows.ts'
import { type ChangesOverlap, isIgnoredAuthor } from './changed/compare-changes.ts'
import { type Comparison, compareAll, type WorkOverlap } from './compare-all.ts'
import { issuesInCommon } from './duplicates/issues-in-common.ts'
import type { IssueOverlap } from './duplicates/same-issue-rules.ts'
import {
  type Findings,
  type IndexedCollision,
  indexedCollision,
  type LoadedCollision,
  type NearbyWork,
} from './findings.ts'
import { loadedCollision, type Shared } from './loaded-collision.ts'
import { isAboutPlaces, matchNotables } from './matching-notables.ts'
import { relationshipByPull } from './relationship/pull-relationship.ts'
import { type BranchInfo, relationshipTo } from './relationship/relationship.ts'

/** What a proposal is compared with. It may hold more than what overlaps. */
export interface Candidates {
  defaultBranch: string
  /** Live work that may be the caller's own or stacked: at least the newest of each pair of branches. */
  stack: readonly StackedActivity[]
  /** Live work whose paths overlap according to the index, without own and stacked work. */
  matchedByIndex: readonly ActivityMatchedByIndex[]
  /** Live work whose scope or changes may overlap. */
  candidates: readonly ComparedActivity[]
  /** The active notables whose scope may overlap, and those about the whole repository. */
  notables: readonly ComparedNotable[]
  /** Whether some live work was not read, since it is too much. */
  isCut?: boolean
}

/** Work of others that changes something near, whether it collides or not. */
export interface SharedWork {
  activity: ComparedActivity
  /** What the two scopes share. */
  overlap: WorkOverlap['scope']
  changes: ChangesOverlap
  issues: IssueOverlap | null
  /** Undefined where it is only nearby. */
  collision: LoadedCollision | undefined
}

export interface Decision extends Pick<Findings, 'expected' | 'notables' | 'repositoryNotables' | 'nearby'> {
  collisions: (IndexedCollision | LoadedCollision)[]
  shared: SharedWork[]
  /** Whether everything was compared: the budget was enough, and no scope was cut that could overlap further on. */
  isWhole: boolean
}

/**
 * Decides which candidates collide with the proposal (docs/rules.md#overlap). Reads nothing: it is asynchronous only to let
 * other requests run between slices of a long comparison.
 */
export async function decide(
  proposal: BranchInfo,
  { stack, matchedByIndex, candidates, notables: allNotables, defaultBranch, isCut }: Candidates,
  comparison: Comparison,
): Promise<Decision> {
  const byBranch = relationshipTo(proposal, stack, defaultBranch)
  const relationshipOf = (work: ComparedActivity) => byBranch(work) ?? relationshipByPull(comparison.identity, work)
  const activities = candidates.filter((work) => relationshipOf(work) === undefined)
  const notables = allNotables.filter(isAboutPlaces)
  const overlaps = await compareAll(activities, notables, comparison)
  const inCommon = issuesInCommon(activities, comparison)
  const collisions: LoadedCollision[] = []
  const nearby: NearbyWork[] = []
  const shared: SharedWork[] = []
  for (const activity of activities) {
    const { scope = null, changes = null } = overlaps.get(activity) ?? {}
    const issues = inCommon.get(activity) ?? null
    const collision = loadedCollision(activity, { scope, changes, issues }, comparison)
    if (changes) shared.push({ activity, overlap: scope, changes, issues, collision: collision ?? undefined })
    if (collision) collisions.push(collision)
    else if (changes || issues) nearby.push(nearbyWork(activity, { changes, issues }, comparison))
  }
  const isUnknown = (row: ComparedActivity | ComparedNotable) => row.is_cut === true && !overlaps.get(row)?.scope?.paths
  const isUnread = isCut || comparison.isCut || activities.some(isUnknown) || notables.some(isUnknown)
  return {
    isWhole: !isUnread && !isUsedUp(comparison.work),
    collisions: [...matchedByIndex.map(indexedCollision), ...collisions],
    nearby,
    shared,
    expected: expectedWork(stack, candidates, { byBranch, relationshipOf, isPublic: comparison.isPublic }),
    ...matchNotables(allNotables, overlaps),
  }
}

function nearbyWork(
  activity: ComparedActivity,
  { changes, issues }: Pick<Shared, 'changes' | 'issues'>,
  { counting, isPublic }: Comparison,
): NearbyWork {
  const isOfIgnoredAuthor = activity.changed !== null && isIgnoredAuthor(activity.changed.work.author, counting)
  return {
    activity,
    changes,
    issues: issues?.numbers ?? [],
    isOfIgnoredAuthor,
    byStranger: isStranger(activity, isPublic),
  }
}

interface Relationships {
  byBranch(work: BranchInfo): 'own' | 'stacked' | undefined
  relationshipOf(work: ComparedActivity): 'own' | 'stacked' | undefined
  isPublic: boolean
}

/** Own and stacked work by the branches, and candidates that are own or stacked by their pull request. */
function expectedWork(
  stack: readonly StackedActivity[],
  candidates: readonly ComparedActivity[],
  { byBranch, relationshipOf, isPublic }: Relationships,
): Decision['expected'] {
  const others = candidates.filter((work) => byBranch(work) === undefined)
  return [
    ...stack.flatMap((activity) => {
      const relationship = byBranch(activity)
      const byStranger = isPublic && activity.of_stranger === true
      return relationship ? [{ activity, relationship, byStranger }] : []
    }),
    ...others.flatMap((activity) => {
      const relationship = relationshipOf(activity)
      const pull_number = activity.source === 'recorded' ? undefined : (activity.pull?.number ?? null)
      const byStranger = isStranger(activity, isPublic)
      return relationship ? [{ activity: { id: activity.id, pull_number }, relationship, byStranger }] : []
    }),
  ]
}

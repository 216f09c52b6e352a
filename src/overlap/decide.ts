import { isAboutRepository } from '../scope/columns.ts'
import type { ActivityMatchedByIndex, ComparedActivity, ComparedNotable, StackedActivity } from './candidates/rows.ts'
import { isIgnoredAuthor } from './changed/compare-changes.ts'
import { type Comparison, compareAll } from './compare-all.ts'
import {
  type Findings,
  type IndexedCollision,
  indexedCollision,
  type LoadedCollision,
  loadedCollision,
  type MatchingNotable,
  type NearbyWork,
} from './findings.ts'
import { relationshipByPull } from './relationship/pull-relationship.ts'
import { type BranchInfo, relationshipTo } from './relationship/relationship.ts'
import { isGraveNotable, notableSeverity } from './severity.ts'

/** What a proposal is compared with. It may hold more than what overlaps. */
export interface Candidates {
  defaultBranch: string
  /** Live work that may be the caller's own or stacked: at least the newest of each pair of branches. */
  stack: readonly StackedActivity[]
  /** Live work whose paths overlap according to the index. */
  matchedByIndex: readonly ActivityMatchedByIndex[]
  /** Live work whose scope or changes may overlap. */
  candidates: readonly ComparedActivity[]
  /** The active notables whose scope may overlap, and those about the whole repository. */
  notables: readonly ComparedNotable[]
}

export interface Decision extends Pick<Findings, 'expected' | 'notables' | 'repositoryNotables' | 'nearby'> {
  collisions: (IndexedCollision | LoadedCollision)[]
}

/**
 * Decides which candidates collide with the proposal (docs/rules.md#overlap). Reads nothing: it is asynchronous only to let
 * other requests run between slices of a long comparison.
 */
export async function decide(
  proposal: BranchInfo,
  { stack, matchedByIndex, candidates, notables: allNotables, defaultBranch }: Candidates,
  comparison: Comparison,
): Promise<Decision> {
  const byBranch = relationshipTo(proposal, stack, defaultBranch)
  const relationshipOf = (work: ComparedActivity) => byBranch(work) ?? relationshipByPull(comparison.identity, work)
  const isOther = (work: BranchInfo) => byBranch(work) === undefined
  const activities = candidates.filter((work) => relationshipOf(work) === undefined)
  const aboutRepository = allNotables.filter(({ areas, paths }) => isAboutRepository(areas, paths))
  const notables = allNotables.filter(({ areas, paths }) => !isAboutRepository(areas, paths))
  const overlaps = await compareAll(activities, notables, comparison)
  const collisions: LoadedCollision[] = []
  const nearby: NearbyWork[] = []
  for (const activity of activities) {
    const { scope = null, changes = null } = overlaps.get(activity) ?? {}
    const collision = loadedCollision(activity, scope, changes, comparison)
    if (collision) collisions.push(collision)
    else if (changes) nearby.push({ activity, changes, isQuiet: isQuietWork(activity, comparison) })
  }
  return {
    collisions: [...matchedByIndex.filter(isOther).map(indexedCollision), ...collisions],
    nearby,
    expected: expectedWork(stack, candidates, { byBranch, relationshipOf }),
    notables: [
      ...aboutRepository.filter(isGraveNotable).map((notable) => matchingNotable(notable, null)),
      ...notables.flatMap((notable) => {
        const overlap = overlaps.get(notable)?.scope
        return overlap ? matchingNotable(notable, overlap) : []
      }),
    ],
    repositoryNotables: aboutRepository.filter((notable) => !isGraveNotable(notable)),
  }
}

function isQuietWork({ changed }: ComparedActivity, { quieting }: Comparison): boolean {
  return changed !== null && isIgnoredAuthor(changed.work.author, quieting)
}

interface Relationships {
  byBranch(work: BranchInfo): 'own' | 'stacked' | undefined
  relationshipOf(work: ComparedActivity): 'own' | 'stacked' | undefined
}

/** Own and stacked work by the branches, and candidates that are own or stacked by their pull request. */
function expectedWork(
  stack: readonly StackedActivity[],
  candidates: readonly ComparedActivity[],
  { byBranch, relationshipOf }: Relationships,
): Decision['expected'] {
  const others = candidates.filter((work) => byBranch(work) === undefined)
  return [
    ...stack.flatMap((activity) => {
      const relationship = byBranch(activity)
      return relationship ? [{ activity, relationship }] : []
    }),
    ...others.flatMap((activity) => {
      const relationship = relationshipOf(activity)
      const pull_number = activity.source === 'recorded' ? undefined : (activity.pull?.number ?? null)
      return relationship ? [{ activity: { id: activity.id, pull_number }, relationship }] : []
    }),
  ]
}

function matchingNotable(notable: ComparedNotable, overlap: MatchingNotable['overlap']): MatchingNotable {
  return { notable, overlap, severity: notableSeverity(notable) }
}

import type { AttributeRules } from '../../changes/git-attributes.ts'
import type { Database } from '../../db/database.ts'
import { type BranchInfo, type RelationshipOf, relationshipTo } from '../relationship/relationship.ts'
import { jointVersion, loadActivities } from './activity-cache.sql.ts'
import { withoutCovered, withVisibleChanges } from './covered-work.ts'
import { type Found, type FoundActivity, findActivities, findMerged, type MergedPage } from './find-activities.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import { closenessByIndex } from './index-result.ts'
import { loadNotables } from './notables.sql.ts'
import { type FoundObserved, loadObserved, type ObservedFacts } from './observed.sql.ts'
import type {
  ActivityMatchedByIndex,
  ComparedNotable,
  LiveFilter,
  LoadActivities,
  LoadedActivity,
  MergedActivity,
  PutAside,
  RowVersion,
  StackedActivity,
} from './rows.ts'
import { loadStack, withoutDefaultBranch } from './stack.sql.ts'

/** What a check loads of a repository. */
export interface LoadedRows {
  /** Live work whose scope or changes may overlap. It still has to be compared. */
  candidates: LoadedActivity[]
  /** Live work whose paths overlap according to the index. It is loaded only to be described, by `loadActivities`. */
  matchedByIndex: ActivityMatchedByIndex[]
  loadActivities: LoadActivities
  /** The first page of merged work whose scope may overlap, newest first. */
  merged: MergedActivity[]
  /** The active notables whose scope may overlap, and those about the whole repository. */
  notables: ComparedNotable[]
  /** Live work that may be the caller's own or stacked. */
  stack: StackedActivity[]
  putAside: PutAside | null
  attributes: AttributeRules | null
}

/** The proposal's place among the branches, and whether its changed files are known. */
interface ProposedBranches extends BranchInfo {
  defaultBranch: string
  hasChanges: boolean
}

const nothingObserved: ObservedFacts = { works: [], attributes: null }

/** Loads everything that a check compares with. Work that is own or stacked by its branches is only in `stack`. */
export async function loadCandidates(
  db: Pick<Database, 'pool' | 'query' | 'onConnectionLost'>,
  filter: LiveFilter,
  { defaultBranch, hasChanges, ...branches }: ProposedBranches,
  lookups: IndexLookups,
  page: MergedPage,
): Promise<LoadedRows> {
  const linking = withoutDefaultBranch(branches, defaultBranch)
  const found = await findActivities(db, filter, linking, lookups, page)
  const { stack_pages, notable_pages } = found
  const stack = stack_pages ? await loadStack(db, filter, linking, { defaultBranch, pages: stack_pages }) : []
  const notables = notable_pages ? await loadNotables(db, filter, lookups, notable_pages) : []
  const observed = needsObserved(found, stack, hasChanges)
    ? await loadObserved(db, filter, [...idsOfObserved(found), ...stack.map(({ id }) => id)], found.pull_pages ?? [])
    : nothingObserved
  const load = async (versions: readonly RowVersion[]) =>
    (await loadActivities(db, filter.repositoryId, versions, found.epoch)).map((row) =>
      withVisibleChanges(row, filter.seesObserved),
    )
  const relationshipOf = relationshipTo(branches, stack, defaultBranch)
  const { matchedByIndex, undecided } = splitByResult(found, observed.works, {
    ...{ relationshipOf, lookups, hasChanges },
    self: filter.self,
  })
  const mergedIds = new Set(found.merged.map(({ id }) => id))
  const [candidates, merged]: [LoadedActivity[], MergedActivity[]] = [[], []]
  for (const activity of await load([...undecided, ...found.merged])) {
    const { ended_at } = activity
    if (ended_at === null) candidates.push(activity)
    // An activity that ended between the two statements is neither live nor in the page of merged work.
    else if (mergedIds.has(activity.id)) merged.push({ ...activity, ended_at })
  }
  return {
    candidates: withoutCovered(candidates, observed.works),
    matchedByIndex,
    loadActivities: load,
    merged,
    notables,
    stack: visibleStack(stack, observed.works),
    putAside: filter.seesObserved ? found.put_aside : null,
    attributes: observed.attributes,
  }
}

/** Whether the statement about observed work can say anything that matters. */
function needsObserved({ live, pull_pages }: Found, stack: readonly StackedActivity[], hasChanges: boolean): boolean {
  if (live.some(({ is_observed }) => is_observed)) return true
  return (pull_pages !== null && stack.length > 0) || (hasChanges && live.some(({ has_changes }) => has_changes))
}

function idsOfObserved({ live }: Found): string[] {
  return live.flatMap(({ id, is_observed }) => (is_observed ? id : []))
}

/** Covered work is not listed. */
function visibleStack(stack: readonly StackedActivity[], observed: readonly FoundObserved[]): StackedActivity[] {
  const observedOf = new Map(observed.map((work) => [work.id, work]))
  return stack.flatMap((work) => {
    const found = observedOf.get(work.id)
    if (found?.cover) return []
    return { ...work, pull_number: found?.number }
  })
}

interface SplitOptions {
  relationshipOf: RelationshipOf
  lookups: IndexLookups
  hasChanges: boolean
  self: string | undefined
}

/**
 * Separates what the index decides from what has to be loaded and compared. Leaves out own and stacked work. Changed files of
 * both sides are compared by their lines, so the index does not decide about these. The fields are named, since `...rest` costs
 * V8 most of a microsecond per row.
 */
function splitByResult(
  { live }: Found,
  observed: readonly FoundObserved[],
  { relationshipOf, lookups, hasChanges, self }: SplitOptions,
) {
  const observedOf = new Map(observed.map((work) => [work.id, work]))
  const covering = new Set(observed.flatMap(({ cover }) => cover?.id ?? []))
  const matchedByIndex: ActivityMatchedByIndex[] = []
  const undecided = new Map<string, RowVersion>()
  const isDecidable = ({ id, is_observed, has_changes }: FoundActivity) =>
    !is_observed && !(hasChanges && (has_changes || covering.has(id)))
  for (const activity of live) {
    if (relationshipOf(activity)) continue
    const { id, version, is_observed, is_grave, branch, base_branch } = activity
    const closeness = isDecidable(activity) ? closenessByIndex(activity.result, lookups.keysShowFiles) : null
    if (closeness) matchedByIndex.push({ id, version, is_grave, branch, base_branch, closeness })
    else
      undecided.set(id, {
        id,
        version: is_observed ? jointVersion(version, observedOf.get(id)?.head_version) : version,
      })
  }
  const decided = new Set(matchedByIndex.map(({ id }) => id))
  for (const { id, cover } of observed) {
    if (!cover || !undecided.has(id) || cover.id === self) continue
    if (!decided.has(cover.id) && !relationshipOf(cover)) undecided.set(cover.id, cover)
  }
  return { matchedByIndex, undecided: [...undecided.values()] }
}

/** Loads a further page of merged work. */
export async function loadMerged(
  db: Pick<Database, 'query' | 'onConnectionLost'>,
  filter: Pick<LiveFilter, 'repositoryId' | 'seesObserved'>,
  lookups: IndexLookups,
  page: MergedPage,
): Promise<MergedActivity[]> {
  const versions = await findMerged(db, filter, lookups, page)
  const loaded = await loadActivities(db, filter.repositoryId, versions)
  return loaded.flatMap((row) => {
    const { ended_at, ...activity } = withVisibleChanges(row, filter.seesObserved)
    return ended_at === null ? [] : { ...activity, ended_at }
  })
}

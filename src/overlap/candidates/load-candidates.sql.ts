import type { AttributeRules } from '../../changes/git-attributes.ts'
import type { Database } from '../../db/database.ts'
import { loadActivities, type ReadingBudget } from './activity-cache.sql.ts'
import { withoutCovered, withVisibleChanges } from './covered-work.ts'
import { findCandidates, findMergedWork, type MergedPage } from './find-candidates.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import { loadNotables } from './notables.sql.ts'
import { loadObserved } from './observed.sql.ts'
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
import {
  idsForObserved,
  needsObserved,
  nothingObserved,
  type ProposedBranches,
  type SplitCandidates,
  splitByResult,
  visibleStack,
} from './split-by-result.ts'
import { loadStacks, stackOf, withoutDefaultBranch } from './stack.sql.ts'

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
  /** Whether there is more than a check reads. */
  isCut: boolean
}

/** What a check reads of activities that are not cached, as they are in memory. */
const mostBytes = 32_000_000

export type CandidatesDatabase = Pick<Database, 'pool' | 'query' | 'onConnectionLost'>

/** Loads everything that a check compares with. Work that is own or stacked by its branches is only in `stack`. */
export async function loadCandidates(
  db: CandidatesDatabase,
  filter: LiveFilter,
  proposed: ProposedBranches,
  lookups: IndexLookups,
  page: MergedPage,
): Promise<LoadedRows> {
  const { defaultBranch } = proposed
  const linking = withoutDefaultBranch(proposed, defaultBranch)
  const found = await findCandidates(db, filter, linking, lookups, page)
  const { stack_pages, notable_pages } = found
  const loaded = stack_pages ? await loadStacks(db, filter, [linking], { defaultBranch, pages: stack_pages }) : []
  const stack = stackOf({ ...proposed, self: filter.self }, loaded, defaultBranch)
  const notables = notable_pages ? await loadNotables(db, filter, lookups, notable_pages) : []
  const observed = needsObserved(found, stack)
    ? await loadObserved(db, filter, idsForObserved(found, stack), found.pull_pages ?? [])
    : nothingObserved
  const split = splitByResult({ found, stack, observed, proposed, lookups, self: filter.self })
  return { ...(await loadSplit(db, filter, split)), notables }
}

/** Loads the rows of found activities. */
export async function loadSplit(
  db: CandidatesDatabase,
  { repositoryId, seesObserved }: Omit<LiveFilter, 'self'>,
  { found, stack, observed, matchedByIndex, undecided }: SplitCandidates,
): Promise<Omit<LoadedRows, 'notables'>> {
  const bytes = { left: mostBytes }
  const load = async (versions: readonly RowVersion[], budget?: ReadingBudget) =>
    (await loadActivities(db, repositoryId, versions, found.epoch, budget)).map((row) =>
      withVisibleChanges(row, seesObserved),
    )
  const mergedIds = new Set(found.merged.map(({ id }) => id))
  const [candidates, merged]: [LoadedActivity[], MergedActivity[]] = [[], []]
  for (const activity of await load([...undecided, ...found.merged], bytes)) {
    const { ended_at } = activity
    if (ended_at === null) candidates.push(activity)
    // An activity that ended between the two statements is neither live nor in the page of merged work.
    else if (mergedIds.has(activity.id)) merged.push({ ...activity, ended_at })
  }
  return {
    candidates: withoutCovered(candidates, observed.works),
    matchedByIndex,
    isCut: bytes.left <= 0,
    loadActivities: (versions) => load(versions),
    merged,
    stack: visibleStack(stack, observed.works),
    putAside: seesObserved ? found.put_aside : null,
    attributes: observed.attributes,
  }
}

/** Loads a further page of merged work. */
export async function loadMerged(
  db: Pick<CandidatesDatabase, 'query' | 'onConnectionLost'>,
  filter: Pick<LiveFilter, 'repositoryId' | 'seesObserved'>,
  lookups: IndexLookups,
  page: MergedPage,
): Promise<MergedActivity[]> {
  const versions = await findMergedWork(db, filter, lookups, page)
  const loaded = await loadActivities(db, filter.repositoryId, versions)
  return loaded.flatMap((row) => {
    const { ended_at, ...activity } = withVisibleChanges(row, filter.seesObserved)
    return ended_at === null ? [] : { ...activity, ended_at }
  })
}

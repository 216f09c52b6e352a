import type { AttributeRules } from '../../../core/changes/git-attributes.ts'
import type { IndexLookups } from '../../../core/rules/candidates/index-lookups.ts'
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
} from '../../../core/rules/candidates/rows.ts'
import type { Database } from '../../db/database.ts'
import { loadActivities, type ReadingBudget } from './activity-cache.sql.ts'
import { withoutCovered, withVisibleChanges } from './covered-work.ts'
import { type Facts, findCandidates, findMergedWork, type MergedPage } from './find-candidates.sql.ts'
import { loadNotables } from './load-notables.sql.ts'
import { loadObserved, type ObservedFacts } from './load-observed.sql.ts'
import {
  type FoundForProposal,
  idsForObserved,
  type LoadingProposal,
  needsObserved,
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
  /** The first page of merged work whose scope may overlap, or that names an issue of the proposal. */
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

/** What is loaded beside the live activities that have to be compared. */
export interface LoadOptions {
  notables: boolean
  /** The first page of merged work; without it none is loaded. */
  merged: MergedPage | undefined
  /** Whether activities that the index decides are read into the cache, since most of them will be described. */
  described: boolean
}

/** What is read of activities that are not cached, as they are in memory: for one proposal, and for several together. */
const mostBytes = { one: 32_000_000, several: 64_000_000 }

export type CandidatesDatabase = Pick<Database, 'pool' | 'query' | 'onConnectionLost'>

/**
 * Loads everything that each of these proposals is compared with, in the same few statements for one and for many. Work that is own
 * or stacked by its branches is only in `stack`.
 */
export async function loadCandidates(
  db: CandidatesDatabase,
  filter: LiveFilter,
  proposals: readonly LoadingProposal[],
  { notables: withNotables, merged: page, described }: LoadOptions,
): Promise<LoadedRows[]> {
  const defaultBranch = proposals[0]?.defaultBranch ?? ''
  const linking = proposals.map((one) => ({ ...one, ...withoutDefaultBranch(one, defaultBranch) }))
  const { found, facts } = await findCandidates(db, filter, linking, page)
  const works = facts.has_stack ? await loadStacks(db, filter, linking, defaultBranch) : []
  const each = proposals.map((proposed, nth) => {
    const { live, merged } = found[nth] ?? { live: [], merged: [] }
    return { proposed, live, merged, stack: stackOf(proposed, works, defaultBranch) }
  })
  const lookups = proposals.map((proposed) => proposed.lookups)
  const notables = withNotables && facts.has_notables ? await loadNotables(db, filter, lookups) : []
  const observed = await observedOf(db, filter, each, facts)
  const splits = each.map((one) => ({ ...one, ...splitByResult(one, observed.works) }))
  const wanted = splits.flatMap(({ undecided, matchedByIndex, merged }) => [
    ...undecided,
    ...(described ? matchedByIndex : []),
    ...merged,
  ])
  const bytes = { left: proposals.length === 1 ? mostBytes.one : mostBytes.several }
  const load = async (versions: readonly RowVersion[], budget?: ReadingBudget) =>
    (await loadActivities(db, filter.repositoryId, versions, facts.epoch, budget)).map((row) =>
      withVisibleChanges(row, filter.seesObserved),
    )
  const unique = new Map(wanted.map((version) => [version.id, version]))
  const loaded = new Map((await load([...unique.values()], bytes)).map((row) => [row.id, row]))
  const rowsOf = (versions: readonly RowVersion[]) => versions.flatMap(({ id }) => loaded.get(id) ?? [])
  return splits.map(({ works, stack, merged, undecided, matchedByIndex, isCut }, nth) => ({
    candidates: withoutCovered(
      // An activity that ended between the two statements is neither live nor in the page of merged work.
      rowsOf(undecided).filter(({ ended_at }) => ended_at === null),
      works,
    ),
    matchedByIndex,
    isCut: isCut || (bytes.left <= 0 && undecided.some(({ id }) => !loaded.has(id))),
    loadActivities: (versions) => load(versions),
    merged: rowsOf(merged).flatMap(endedRow),
    notables: notables[nth] ?? [],
    stack: visibleStack(stack, works),
    putAside: filter.seesObserved && facts.put_aside?.count ? facts.put_aside : null,
    attributes: observed.attributes,
  }))
}

/** The observed work among what was found for these proposals, and what covers it. */
async function observedOf(
  db: CandidatesDatabase,
  filter: LiveFilter,
  each: readonly FoundForProposal[],
  facts: Facts,
): Promise<ObservedFacts> {
  const needing = each.filter((one) => needsObserved(one, facts))
  if (needing.length === 0) return { works: [], attributes: null }
  return loadObserved(db, filter, [...new Set(needing.flatMap(idsForObserved))])
}

/** Loads a further page of merged work. */
export async function loadMerged(
  db: Pick<CandidatesDatabase, 'query' | 'onConnectionLost'>,
  filter: LiveFilter,
  lookups: IndexLookups,
  page: MergedPage,
): Promise<MergedActivity[]> {
  const versions = await findMergedWork(db, filter, lookups, page)
  const loaded = await loadActivities(db, filter.repositoryId, versions)
  return loaded.flatMap((row) => endedRow(withVisibleChanges(row, filter.seesObserved)))
}

function endedRow({ ended_at, ...activity }: LoadedActivity): MergedActivity[] {
  return ended_at === null ? [] : [{ ...activity, ended_at }]
}

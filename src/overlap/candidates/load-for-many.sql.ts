import { loadActivities } from './activity-cache.sql.ts'
import { findForMany } from './find-for-many.sql.ts'
import type { IndexLookups } from './index-lookups.ts'
import { type CandidatesDatabase, type LoadedRows, loadSplit } from './load-candidates.sql.ts'
import { loadObserved, type ObservedFacts } from './observed.sql.ts'
import type { LiveFilter } from './rows.ts'
import {
  idsForObserved,
  needsObserved,
  nothingObserved,
  type ProposedBranches,
  type SplitCandidates,
  splitByResult,
} from './split-by-result.ts'
import { loadStacks, stackOf, withoutDefaultBranch } from './stack.sql.ts'

/** A stored activity that is compared with the live work. */
export interface ComparingActivity extends ProposedBranches {
  self: string
  lookups: IndexLookups
}

/** What is read into the cache, as it is in memory: less than its size. */
const mostBytes = 64_000_000

/**
 * What `loadCandidates` loads for each of several stored activities, by their ids, in a few statements. Without notables and
 * merged work.
 */
export async function loadForMany(
  db: CandidatesDatabase,
  filter: Omit<LiveFilter, 'self'>,
  activities: readonly ComparingActivity[],
): Promise<Map<string, LoadedRows>> {
  const splits = await splitEach(db, filter, activities)
  const [first] = splits.values()
  const versions = [...splits.values()].flatMap(({ undecided, matchedByIndex }) => [...undecided, ...matchedByIndex])
  // Reads all of them at once into the cache.
  const unique = new Map(versions.map((version) => [version.id, version]))
  await loadActivities(db, filter.repositoryId, [...unique.values()], first?.found.epoch, { left: mostBytes })
  const loaded = new Map<string, LoadedRows>()
  for (const [self, split] of splits) loaded.set(self, { ...(await loadSplit(db, filter, split)), notables: [] })
  return loaded
}

async function splitEach(
  db: CandidatesDatabase,
  filter: Omit<LiveFilter, 'self'>,
  activities: readonly ComparingActivity[],
): Promise<Map<string, SplitCandidates>> {
  const linking = activities.map(({ defaultBranch, ...activity }) => ({
    ...activity,
    ...withoutDefaultBranch(activity, defaultBranch),
  }))
  const foundBy = await findForMany(db, filter, linking)
  const stacked = linking.filter(({ self }) => foundBy.get(self)?.stack_pages)
  const [pages, defaultBranch] = [foundBy.get(stacked[0]?.self ?? '')?.stack_pages, activities[0]?.defaultBranch ?? '']
  const loaded = pages ? await loadStacks(db, filter, stacked, { defaultBranch, pages }) : []
  const each = activities.flatMap((activity) => {
    const found = foundBy.get(activity.self)
    if (!found) return []
    const stack = stackOf(activity, loaded, defaultBranch)
    const observedIds = needsObserved(found, stack) ? idsForObserved(found, stack) : undefined
    return { proposed: activity, found, stack, observedIds }
  })
  const observing = each.filter(({ observedIds }) => observedIds)
  const ids = new Set(observing.flatMap(({ observedIds = [] }) => observedIds))
  const observed =
    observing.length > 0
      ? await loadObserved(db, filter, [...ids], observing[0]?.found.pull_pages ?? [])
      : nothingObserved
  return new Map(
    each.map(({ proposed, found, stack, observedIds }) => {
      const own = observedIds ? observedAmong(observed, observedIds) : nothingObserved
      const { self, lookups } = proposed
      return [self, splitByResult({ found, stack, observed: own, proposed, lookups, self })]
    }),
  )
}

/** Pull requests first, in the order of the ids: of several that one activity covers, the last decides about the base. */
function observedAmong({ works, attributes }: ObservedFacts, ids: readonly string[]): ObservedFacts {
  const place = new Map(ids.map((id, at) => [id, at]))
  const own = works.flatMap((work) => {
    const at = place.get(work.id)
    return at === undefined ? [] : [{ work, at: work.number === null ? ids.length + at : at }]
  })
  return { works: own.sort((a, b) => a.at - b.at).map(({ work }) => work), attributes }
}

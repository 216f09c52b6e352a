import { compareInSlices, type ScopeOverlap } from '../scope/compare.ts'
import { runInSlices, workBudget } from '../scope/match/work-budget.ts'
import { type Collision, type IndexedCollision, isKnown, type KnownCollision, knownCollision } from './collision.ts'
import type { Comparison } from './compare-candidates.ts'
import { worstFirst } from './compute.ts'
import type { KnownActivity, RowVersion } from './known-activities.ts'
import { mostDescribed } from './recommend.ts'

/** What is known of activities; without those that are gone. */
export type ReadActivities = (rows: readonly RowVersion[]) => Promise<readonly KnownActivity[]>

/** What finding an example for an activity may cost, some fifth of a second: only globs made to be costly have none. */
const stepsForAnExample = 20_000_000
const noExample: ScopeOverlap = { areas: [], paths: null, sameFile: null }

/**
 * The collisions, worst first, and the first ones with what is told of them: these are read. What has ended or does not meet
 * any more, since the index was asked, is left out, and what weighs more or less now stands where it belongs.
 */
export async function describedCollisions(
  found: readonly (IndexedCollision | KnownCollision)[],
  readActivities: ReadActivities,
  comparison: Comparison,
): Promise<{ collisions: readonly Collision[]; told: readonly KnownCollision[] }> {
  for (let collisions = found.toSorted(worstFirst); ; ) {
    const first = collisions.slice(0, mostDescribed)
    const unread = first.flatMap((one) => (isKnown(one) ? [] : one))
    if (unread.length === 0) return { collisions, told: first.filter(isKnown) }
    const read = new Map((await readActivities(unread)).map((activity) => [activity.id, activity]))
    const known: KnownCollision[] = []
    for (const collision of unread) {
      const now = await knownNow(collision, read.get(collision.id), comparison)
      if (now) known.push(now)
    }
    collisions = [...first.filter(isKnown), ...known, ...collisions.slice(mostDescribed)].sort(worstFirst)
  }
}

/** The collision as it is by now, if it still is one. */
async function knownNow(
  { severity }: Collision,
  activity: KnownActivity | undefined,
  { proposed, read }: Comparison,
): Promise<KnownCollision | null> {
  if (!activity || activity.ended_at !== null) return null
  const work = workBudget(stepsForAnExample)
  const meeting = await runInSlices(compareInSlices(proposed, read(activity), work), work)
  if (meeting === 'undecided') return { ...knownCollision(activity, noExample), severity }
  return meeting && knownCollision(activity, meeting)
}

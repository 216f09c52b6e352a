import { compareInSteps, type ScopeMeeting } from '../scope/compare.ts'
import { inTurns, openWork } from '../scope/turns.ts'
import type { Comparison } from './compare-world.ts'
import type { Collision, KnownCollision } from './compute.ts'
import type { KnownActivity, RowVersion } from './known-activities.ts'
import { named } from './recommend.ts'

/** Live work that meets the proposal for certain, which the index tells without a look at its globs. */
export interface CertainCollision extends Collision, RowVersion {}

/** What is known of activities; without those that are gone. */
export type ReadActivities = (rows: readonly RowVersion[]) => Promise<readonly KnownActivity[]>

/** What finding an example for an activity may cost: globs made to be costly may take more, and then have none. */
const stepsForAnExample = 2_000_000
const noExample: ScopeMeeting = { areas: [], paths: null, sameFile: null }

/**
 * Of collisions, worst first, the first ones with what is told of them. Those that have ended, or do not meet any more, since
 * they were found, are taken out of all.
 */
export async function toldCollisions(
  collisions: readonly (KnownCollision | CertainCollision)[],
  readActivities: ReadActivities,
  comparison: Comparison,
): Promise<{ collisions: readonly Collision[]; told: readonly KnownCollision[] }> {
  const known = new Map<string, KnownCollision>()
  for (let left = collisions; ; ) {
    const first = left.slice(0, named)
    const unread = first.flatMap((one) => ('version' in one && !known.has(one.id) ? one : []))
    for (const activity of await readActivities(unread)) {
      const meeting = activity.ended_at === null && (await meetingOf(activity, comparison))
      const collision = unread.find(({ id }) => id === activity.id)
      if (collision && meeting) known.set(activity.id, { ...collision, activity, meeting })
    }
    const told = first.flatMap((one) => ('version' in one ? (known.get(one.id) ?? []) : one))
    if (told.length === first.length) return { collisions: left, told }
    const gone = new Set(unread.filter(({ id }) => !known.has(id)))
    left = left.filter((one) => !('version' in one && gone.has(one)))
  }
}

async function meetingOf(activity: KnownActivity, { proposed, read }: Comparison): Promise<ScopeMeeting | null> {
  const work = openWork(stepsForAnExample)
  const meeting = await inTurns(compareInSteps(proposed, read(activity), work), work)
  return meeting === 'undecided' ? noExample : meeting
}

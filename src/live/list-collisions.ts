import type { Context } from '../context.ts'
import { presentState, visibleObservation } from '../observed/state.ts'
import type { Settings } from '../settings/schema.ts'
import { readPosition } from './change-log.sql.ts'
import type { LiveUpdates } from './live-updates.ts'
import { type Collisions, type ListedCollisions, pairsOf } from './schema.ts'
import { liveSource } from './source.ts'
import { createWatchedRepository } from './watched-repository.ts'

interface ListOptions {
  updates: LiveUpdates
  activityId: string | undefined
  /** How many pairs are listed. */
  limit: number
  currentSettings(): Promise<Settings>
}

/**
 * All pairs of live activities that collide (docs/rules.md#colliding-pairs). They are kept in memory while somebody
 * asks, and updated by the changes since. If too many repositories are watched here, they are computed each time.
 */
export async function listCollisions(
  context: Context,
  { updates, activityId, limit, currentSettings }: ListOptions,
): Promise<ListedCollisions> {
  const { db, now, repository, viewer } = context
  const { observed, mayRead } = await visibleObservation(viewer)
  const listed = ({ collisions }: { collisions: Collisions }) => {
    const items = pairsOf(collisions.items, activityId)
    const truncated = collisions.truncated || items.length > limit
    return { items: items.slice(0, limit), truncated, observed: presentState(observed) }
  }
  const source = liveSource(context, { mayRead, currentSettings })
  const watch = await updates.watch({ repositoryId: repository.id, seesObservedWork: mayRead }, source)
  if (!watch) {
    const fresh = createWatchedRepository(source)
    await fresh.load(await readPosition(db), now)
    return listed(fresh.snapshot())
  }
  try {
    await watch.catchUp()
    return listed(watch.repository.snapshot())
  } finally {
    watch.stop()
  }
}

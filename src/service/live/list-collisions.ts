import { invalidField } from '../../core/errors.ts'
import type { Collisions, ListedCollisions } from '../../core/schemas/live.ts'
import { presentState } from '../../core/schemas/observation.ts'
import type { Context } from '../context.ts'
import { visibleObservation } from '../observed/visible-observation.ts'
import type { Settings } from '../records/settings/schema.ts'
import { liveSource } from './live-source.ts'
import type { LiveUpdates } from './live-updates.ts'
import { createWatchedRepository } from './watched-repository.ts'

interface ListOptions {
  updates: LiveUpdates
  /** Only the pairs of this activity. */
  activityId: string | undefined
  /** Only the pairs of the caller's account. */
  isMine: boolean
  /** How many pairs are listed. */
  limit: number
  currentSettings(): Promise<Settings>
}

/** How long a request waits for comparisons, in ms. */
const compareMs = 5_000
/** What is held for one request, where the repository is not watched, in bytes. */
const mostBytes = 4 * 1024 * 1024

/**
 * All pairs of live activities that collide (docs/rules.md#colliding-pairs). They are kept in memory while somebody
 * asks, and updated by the changes since. If too many repositories are watched here, they are computed each time.
 * Throws `validation_failed` for `isMine` if the account of the caller is not known.
 */
export async function listCollisions(context: Context, options: ListOptions): Promise<ListedCollisions> {
  const { updates, limit, currentSettings } = options
  const { now, repository, viewer } = context
  const { observed, mayRead } = await visibleObservation(viewer)
  const wanted = await wantedActivities(context, options)
  const listed = ({ items, truncated, collisions_complete }: Collisions) => ({
    items: items.slice(0, limit),
    truncated: truncated || !collisions_complete || items.length > limit,
    observed: presentState(observed),
  })
  const source = liveSource(context, { mayRead, currentSettings })
  const watch = await updates.watch({ repositoryId: repository.id, seesObservedWork: mayRead }, source)
  if (!watch) {
    const fresh = createWatchedRepository(source, () => mostBytes)
    await fresh.load(now)
    await fresh.compare(now, compareMs)
    return listed(fresh.collisions(wanted))
  }
  try {
    await watch.catchUp(compareMs)
    return listed(watch.collisions(wanted))
  } finally {
    watch.stop()
  }
}

/** The activities whose pairs are wanted; undefined for all. */
async function wantedActivities(
  { db, now, repository, viewer }: Context,
  { activityId, isMine }: ListOptions,
): Promise<ReadonlySet<string> | undefined> {
  if (!isMine) return activityId === undefined ? undefined : new Set([activityId])
  const account = viewer.account()
  if (account === null)
    throw invalidField('mine', 'invalid_value', 'GitHub did not say whose token this is. Try again.')
  const own = await db.prisma.activity.findMany({
    where: { repository_id: repository.id, author_id: account.id, ended_at: null, expires_at: { gt: now } },
    select: { id: true },
  })
  return new Set(own.map(({ id }) => id).filter((id) => activityId === undefined || id === activityId))
}

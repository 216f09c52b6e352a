import type { Activity } from '../activity/schema.ts'
import type { Context, ObservationState } from '../context.ts'
import { AppError } from '../errors.ts'
import { presentState, visibleObservation } from '../observed/state.ts'
import type { Settings } from '../settings/schema.ts'
import type { Change, Position } from './change-log.sql.ts'
import { type Batch, formatEvents, narrowed } from './live-event.ts'
import type { LiveUpdates, Watch } from './live-updates.ts'
import { pairsOf } from './schema.ts'
import { liveSource } from './source.ts'
import type { LiveSource } from './watched-repository.ts'

/** A stream of server-sent events that is ready to begin. */
export interface EventStream {
  /** The text of the first events: a snapshot, or what a client missed. */
  first: string
  /** Sends the text of later events, until `stop`. To call once. */
  listen(send: (text: string) => void): void
  /** Whether the caller still sees what this stream shows: observed work, or none. */
  isCurrent(): Promise<boolean>
  stop(): void
}

interface StreamOptions {
  updates: LiveUpdates
  /** Only this activity and its pairs. */
  activityId: string | undefined
  /** The id of the last event that the client has read. */
  lastEventId: string | undefined
  access: 'read' | 'write'
  currentSettings(): Promise<Settings>
}

/**
 * Opens a stream of a repository (docs/rules.md#events). It begins with a snapshot, or with what was missed since
 * `lastEventId` if the change log still has it. Throws `unavailable` if too many repositories are watched here.
 */
export async function openEventStream(context: Context, options: StreamOptions): Promise<EventStream> {
  const { updates, activityId, lastEventId, currentSettings } = options
  const { observed, mayRead: seesObservedWork } = await visibleObservation(context.viewer)
  const source = liveSource(context, { mayRead: seesObservedWork, currentSettings })
  const watch = await updates.watch({ repositoryId: context.repository.id, seesObservedWork }, source)
  if (!watch) {
    throw new AppError('unavailable', 'Too many repositories are watched here. Try again shortly.', {
      retryAfterSeconds: 30,
    })
  }
  const only = (batch: Batch) => (activityId === undefined ? batch : narrowed(batch, activityId))
  const snapshot = (known: ObservationState) => formatSnapshot(context, watch, { ...options, observed: known })
  // The first events cover everything up to now. The listener is added before they are made, so that nothing is lost.
  await watch.catchUp()
  const waiting: string[] = []
  let send: (text: string) => void = (text) => waiting.push(text)
  watch.listen((batch) => {
    // The state is that from the beginning of the stream.
    if (batch === 'reset') return send(snapshot(agedState(observed)))
    const own = only(batch)
    if (own.events.length > 0) send(formatEvents(own))
  })
  try {
    const missed = await missedEvents(watch, source, { now: context.now, lastEventId })
    return {
      first: missed ? formatEvents(only(missed)) : snapshot(observed),
      listen(receive) {
        for (const text of waiting.splice(0)) receive(text)
        send = receive
      },
      isCurrent: async () => (await context.viewer.mayReadPullRequests()) === seesObservedWork,
      stop: watch.stop,
    }
  } catch (error) {
    watch.stop()
    throw error
  }
}

/** The state as a later snapshot shows it: it may no longer be current. */
function agedState(state: ObservationState): ObservationState {
  return state.pull_requests === 'current' ? { ...state, pull_requests: 'stale' } : state
}

function formatSnapshot(
  { now }: Context,
  { repository }: Watch,
  { activityId, access, observed }: StreamOptions & { observed: ObservationState },
): string {
  const { epoch, txid } = repository.position()
  const { activities, notables, collisions } = repository.snapshot()
  const isOwn = ({ id }: Activity) => activityId === undefined || id === activityId
  const data = {
    now: now.toISOString(),
    activities: activities.filter(isOwn),
    notables: activityId === undefined ? notables : [],
    collisions: pairsOf(collisions.items, activityId),
    access,
    observed: presentState(observed),
  }
  return formatEvents({ id: `${epoch}.${txid}`, events: [{ event: 'snapshot', data }] })
}

/** What a client missed, and all pairs; undefined if it has to begin with a snapshot. */
async function missedEvents(
  watch: Watch,
  source: LiveSource,
  { now, lastEventId }: { now: Date; lastEventId: string | undefined },
): Promise<Batch | undefined> {
  const position = parsePosition(lastEventId)
  if (!position || !(await watch.canResume(position))) return undefined
  const { position: end, changes } = await watch.changesSince(position)
  const ids = (kind: Change['kind']) => changes.filter((change) => change.kind === kind).map(({ id }) => id)
  const found = await source.find({ activities: ids('activity'), notables: ids('notable') }, now)
  return {
    id: `${end.epoch}.${end.txid}`,
    events: [
      ...found.activities.map((data) => ({ event: 'activity' as const, data })),
      ...found.notables.map((data) => ({ event: 'notable' as const, data })),
      { event: 'collisions', data: watch.repository.snapshot().collisions },
    ],
  }
}

function parsePosition(id: string | undefined): Position | undefined {
  const [, epoch, txid] = /^([0-9a-f]{16})\.(\d{1,18})$/.exec(id ?? '') ?? []
  return epoch === undefined || txid === undefined ? undefined : { epoch, txid }
}

import type { Activity } from '../activity/schema.ts'
import type { Context, ObservationState, Viewer } from '../context.ts'
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
  repositoryId: bigint
  /** The text of the first events: a snapshot, or what a client missed. */
  first: string
  /** Sends the text of later events, until `stop`. To call once. */
  listen(send: (text: string) => void): void
  /** Whether this viewer still sees what the stream shows: observed work, or none. */
  isCurrent(viewer: Viewer): Promise<boolean>
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
  const only = ({ id, events }: Batch) => {
    const batch = { id: eventId(id, seesObservedWork), events }
    return activityId === undefined ? batch : narrowed(batch, activityId)
  }
  const snapshot = (known: ObservationState) =>
    formatSnapshot(context, watch, { ...options, observed: known, seesObservedWork })
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
    const missed = await missedEvents(watch, source, { now: context.now, lastEventId, seesObservedWork })
    return {
      repositoryId: context.repository.id,
      first: missed ? formatEvents(only(missed)) : snapshot(observed),
      listen(receive) {
        for (const text of waiting.splice(0)) receive(text)
        send = receive
      },
      isCurrent: async (viewer) => (await viewer.mayReadPullRequests()) === seesObservedWork,
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
  {
    activityId,
    access,
    observed,
    seesObservedWork,
  }: StreamOptions & { observed: ObservationState; seesObservedWork: boolean },
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
  return formatEvents({ id: eventId(`${epoch}.${txid}`, seesObservedWork), events: [{ event: 'snapshot', data }] })
}

/** What a client missed, and all pairs; undefined if it has to begin with a snapshot. */
async function missedEvents(
  watch: Watch,
  source: LiveSource,
  { now, lastEventId, seesObservedWork }: { now: Date; lastEventId: string | undefined; seesObservedWork: boolean },
): Promise<Batch | undefined> {
  const position = parsePosition(lastEventId, seesObservedWork)
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

/** The id of an event. A stream that shows no observed work can't go on from one that does. */
function eventId(position: string, seesObservedWork: boolean): string {
  return seesObservedWork ? position : `${position}.recorded`
}

function parsePosition(id: string | undefined, seesObservedWork: boolean): Position | undefined {
  const [, epoch, txid, kind] = /^([0-9a-f]{16})\.(\d{1,18})(\.recorded)?$/.exec(id ?? '') ?? []
  if (epoch === undefined || txid === undefined || (kind === undefined) !== seesObservedWork) return undefined
  return { epoch, txid }
}

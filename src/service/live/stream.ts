import { AppError } from '../../core/errors.ts'
import { secondsToRetry } from '../../core/lib/retry-after.ts'
import { mostSent } from '../../core/schemas/live.ts'
import { type ObservationState, presentState } from '../../core/schemas/observation.ts'
import type { Context, Viewer } from '../context.ts'
import { visibleObservation } from '../observed/visible-observation.ts'
import type { Settings } from '../records/settings/schema.ts'
import { type Change, type Position, readChangeLog } from './change-log.sql.ts'
import { type Batch, collectEvents, createBatch, type EventText } from './event-batch.ts'
import { eventId, positionOf } from './event-id.ts'
import { type LiveSource, liveSource } from './live-source.ts'
import type { LiveUpdates, Watch, WatchKey } from './live-updates.ts'
import { findUnsavedExpiries } from './unsaved-expiries.sql.ts'

/** A stream of server-sent events that is ready to begin. */
export interface EventStream {
  repositoryId: bigint
  /** The text of the first events: a snapshot, or what a client missed. */
  first: EventText
  /** Sends the text of later events, until `stop`. To call once. */
  listen(send: (text: EventText) => void): void
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
  /** How long the client wants to wait for comparisons, in ms, where it says so. */
  waitMs: number | undefined
  access: 'read' | 'write'
  currentSettings(): Promise<Settings>
}

/** How long a stream waits for comparisons before it begins, in ms: by default, and if the client wants to wait. */
const [compareMs, mostCompareMs] = [200, 1_000]

/**
 * Opens a stream of a repository (docs/rules.md#events). It begins with a snapshot, or with what was missed since
 * `lastEventId` if the change log still has it. Throws `unavailable` if too many repositories are watched here.
 */
export async function openEventStream(context: Context, options: StreamOptions): Promise<EventStream> {
  const { updates, activityId, lastEventId, waitMs = compareMs, currentSettings } = options
  const { observed, mayRead: seesObservedWork } = await visibleObservation(context.viewer)
  const source = liveSource(context, { mayRead: seesObservedWork, currentSettings })
  const key = { repositoryId: context.repository.id, seesObservedWork }
  const watch = await updates.watch(key, source)
  if (!watch) throw tooManyWatched()

  const snapshot = (state: ObservationState): EventText => {
    const id = eventId(watch.position(), key)
    const own = { now: updates.now(), access: options.access, observed: presentState(state) }
    // The members that all streams share follow those of this one.
    const head = `event: snapshot\nid: ${id}\ndata: ${JSON.stringify(own).slice(0, -1)},`
    const parts = [Buffer.from(head), watch.snapshotBody(activityId), eventEnd]
    return { parts, names: ['snapshot'], isSnapshot: true }
  }

  try {
    // The first events cover everything up to now. The listener is added before they are made, so that nothing is lost.
    await watch.catchUp(Math.min(waitMs, mostCompareMs))
    const waiting: EventText[] = []
    let send: (text: EventText) => void = (text) => waiting.push(text)
    watch.listen((batch) => {
      // The state is that from the beginning of the stream.
      const text = batch === 'reset' ? snapshot(agedState(observed)) : batch.textFor(activityId)
      if (text) send(text)
    })
    const position = positionOf(lastEventId, key)
    const missed = position && (await missedEvents(watch, source, { context, position, key }))
    return {
      repositoryId: context.repository.id,
      first: missed?.textFor(activityId) ?? snapshot(observed),
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

function tooManyWatched(): AppError {
  const message = 'Too many repositories are watched here. Try again shortly.'
  return new AppError('unavailable', message, { retryAfterSeconds: secondsToRetry('too_many_streams') })
}

const eventEnd = Buffer.from('\n\n')

/** The state as a later snapshot shows it: it may no longer be current. */
function agedState(state: ObservationState): ObservationState {
  return state.pull_requests === 'current' ? { ...state, pull_requests: 'stale' } : state
}

/** What a client missed, and all pairs; undefined if that is more than a snapshot, or not known any more. */
async function missedEvents(
  watch: Watch,
  source: LiveSource,
  { context, position, key }: { context: Context; position: Position; key: WatchKey },
): Promise<Batch | undefined> {
  const { db, now } = context
  const { position: end, changes: logged } = await readChangeLog(db, [{ ...key, position }])
  if (logged[0] === undefined) return undefined
  const changes = [...logged[0], ...(await findUnsavedExpiries(db, key.repositoryId, now))]
  const ids = (kind: Change['kind']) => [
    ...new Set(changes.filter((change) => change.kind === kind).map(({ id }) => id)),
  ]
  const [activities, notables] = [ids('activity'), ids('notable')]
  if (ids('repository').length > 0 || activities.length + notables.length > mostSent) return undefined
  const missed = collectEvents()
  for await (const found of source.find({ activities, notables }, now)) {
    for (const data of found.activities) missed.add({ event: 'activity', data })
    for (const data of found.notables) missed.add({ event: 'notable', data })
    if (missed.all() === undefined) return undefined
  }
  missed.add({ event: 'collisions', data: watch.collisions() })
  const events = missed.all()
  return events && createBatch(eventId(end, key), events, (id) => watch.collisions(new Set([id])))
}

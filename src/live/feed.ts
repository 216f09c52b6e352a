import { setTimeout as sleep } from 'node:timers/promises'
import type { EmitEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { runWithContext } from '../lib/request-context.ts'
import type { Change, Position } from './change-log.sql.ts'
import { type Batch, createBatch, type LiveEvent } from './live-event.ts'
import { type Collisions, mostSent, mostSentBytes } from './schema.ts'
import type { WatchedRepository } from './watched-repository.ts'

export type Listener = (batch: Batch | 'reset') => void

/** A change, and when it was written, on a monotonic clock in ms; undefined if it will be read again. */
export interface ReadChange extends Change {
  writtenAt: number | undefined
}

export interface FeedDeps {
  repositoryId: bigint
  repository: WatchedRepository
  /** The id of the last event up to this position. */
  eventId(position: Position): string
  readPosition(): Promise<Position>
  log: Log
  now(): Date
  emit: EmitEvent
}

/**
 * What happens in one watched repository. Changes wait in a queue of its own, so that no repository waits for the
 * comparisons of another.
 */
export interface Feed {
  /** Resolves once the records are read. They are not compared by then. */
  load(): Promise<void>
  /** Up to where the log was read for it; undefined before it is loaded. */
  readUpTo(): Position | undefined
  /** Queues changes from the log. To call after each reading of the log, as time passes too. */
  take(changes: readonly ReadChange[], position: Position): void
  /** Waits until all that is queued was applied and compared, at most so long, in ms. */
  settle(ms: number): Promise<void>
  snapshotBody(activityId: string | undefined): Buffer
  collisions(of?: ReadonlySet<string>): Collisions
  /** The listener is called with what is new, and with `reset` where clients need a snapshot. Returns how to stop. */
  listen(listener: Listener): () => void
  stop(): Promise<void>
}

/** How many changed records wait to be applied. Beyond that all records are read anew. */
const mostQueued = 5_000
/** How long comparisons may delay the records of the same repository, in ms. */
const compareMs = 1_000

export function createFeed(deps: FeedDeps): Feed {
  const { repositoryId, repository, eventId, readPosition, log, now, emit } = deps
  const listeners = new Set<Listener>()
  let queued = new Map<string, ReadChange>()
  let readUpTo: Position | undefined
  let isDue = false
  /** Whether changes were lost, or applied only in part. Then it is not known which events are missing. */
  let isBroken = false
  let isStopped = false
  /** Whether all clients know that all live work was compared. */
  let isToldComplete = true
  let running: Promise<void> | undefined

  async function read(): Promise<void> {
    // The position is read before the records: a change between the two is read again by the next poll.
    const position = await readPosition()
    await repository.load(position, now())
    readUpTo = position
  }

  function run(): void {
    if (isStopped) return
    running ??= runWithContext({ repositoryId }, work).finally(() => {
      running = undefined
      if (isDue) run()
    })
  }

  async function work(): Promise<void> {
    while (!isStopped && (isDue || !repository.isCompared())) {
      try {
        await step()
      } catch (error) {
        // The next poll tries again.
        return log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'changes could not be applied')
      }
    }
  }

  /** Applies what is queued, compares for a while, and sends both together. */
  async function step(): Promise<void> {
    const [changes, position, wasDue] = [[...queued.values()], readUpTo ?? repository.position(), isDue]
    queued = new Map()
    isDue = false
    if (isBroken || repository.needsLoad(now())) {
      isBroken = false
      await orBroken(read())
      return send(undefined, changes)
    }
    const applied = wasDue ? await orBroken(repository.apply(changes, position, now())) : []
    try {
      applied?.push(...(await repository.compare(now(), compareMs)))
    } finally {
      send(applied, changes)
    }
  }

  async function orBroken<T>(work: Promise<T>): Promise<T> {
    return await work.catch((error: unknown) => {
      isBroken = true
      throw error
    })
  }

  /** Undefined: too many events, or they are not known. */
  function send(news: readonly LiveEvent[] | undefined, changes: readonly ReadChange[]): void {
    if (listeners.size > 0) tell(news && withCompleteness(news))
    for (const { writtenAt } of changes)
      if (writtenAt !== undefined) emit({ kind: 'change_delivered', ms: performance.now() - writtenAt })
  }

  function tell(events: readonly LiveEvent[] | undefined): void {
    if (events?.length === 0) return
    const collisionsOf = (activityId: string) => repository.collisions(new Set([activityId]))
    const batch = events && createBatch(eventId(repository.position()), events, collisionsOf)
    for (const { event } of events ?? []) emit({ kind: 'live_event', event, streams: listeners.size })
    const isTooLarge = batch === undefined || batch.bytes > mostSentBytes
    for (const listener of listeners) listener(isTooLarge ? 'reset' : batch)
  }

  /** Adds all pairs where clients have to learn whether these are all, or where more have changed than are shown. */
  function withCompleteness(events: readonly LiveEvent[]): readonly LiveEvent[] {
    const isComplete = repository.isComplete()
    const others = events.filter(({ event }) => event !== 'collision')
    const areMany = events.length - others.length > mostSent
    if (isComplete === isToldComplete && !areMany) return events
    isToldComplete = isComplete
    return [...(areMany ? others : events), { event: 'collisions', data: repository.collisions() }]
  }

  return {
    async load() {
      await read()
      run()
    },
    readUpTo: () => readUpTo,
    take(changes, position) {
      if (position.epoch !== readUpTo?.epoch) isBroken = true
      else if (BigInt(position.txid) > BigInt(readUpTo.txid)) readUpTo = position
      for (const change of changes) queued.set(`${change.kind} ${change.id}`, change)
      if (queued.size > mostQueued) {
        queued.clear()
        isBroken = true
      }
      isDue = true
      run()
    },
    async settle(ms) {
      const timer = new AbortController()
      let isOver = false
      const over = sleep(ms, undefined, { signal: timer.signal, ref: false })
        .catch(() => {})
        .then(() => {
          isOver = true
        })
      while (running && !isOver) await Promise.race([running, over])
      timer.abort()
    },
    snapshotBody(activityId) {
      isToldComplete &&= repository.isComplete()
      return repository.snapshotBody(activityId)
    },
    collisions(of) {
      isToldComplete &&= repository.isComplete()
      return repository.collisions(of)
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async stop() {
      isStopped = true
      await running
    },
  }
}

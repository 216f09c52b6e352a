import { setTimeout as sleep } from 'node:timers/promises'
import { type Collisions, mostSent, mostSentBytes } from '../../core/schemas/live.ts'
import type { LiveEvent } from '../../core/schemas/live-event.ts'
import { type Log, messageOf } from '../lib/log.ts'
import { runWithContext } from '../lib/request-context.ts'
import type { EmitEvent } from '../lib/service-events.ts'
import { type LoggedChange, mostChanges, type Position } from './change-log.sql.ts'
import { type Batch, createBatch } from './event-batch.ts'
import type { WatchedRepository } from './watched-repository.ts'

export type Listener = (batch: Batch | 'reset') => void

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
  /**
   * Queues the changes between the two positions; undefined: they are not known. Has to be called after each reading of the
   * log, also without changes, since records expire meanwhile.
   */
  take(from: Position, changes: readonly LoggedChange[] | undefined, to: Position): void
  /** Up to where changes were applied. */
  position(): Position
  /** Waits until all that is queued was applied and compared, at most so long, in ms. */
  untilCompared(ms: number): Promise<void>
  snapshotBody(activityId: string | undefined): Buffer
  collisions(of?: ReadonlySet<string>): Collisions
  /** The listener is called with what is new, and with `reset` where clients need a snapshot. Returns how to stop. */
  listen(listener: Listener): () => void
  stop(): Promise<void>
}

/** How long comparisons may delay the records of the same repository, in ms. */
const compareMs = 1_000

export function createFeed(deps: FeedDeps): Feed {
  const { repositoryId, repository, eventId, readPosition, log, now, emit } = deps
  const listeners = new Set<Listener>()
  /** The changes to apply, and when they were written, on a monotonic clock in ms. */
  let queued = new Map<string, LoggedChange & { writtenAt: number }>()
  let readUpTo: Position | undefined
  let applied: Position = { epoch: '', snapshot: '' }
  let isDue = false
  /** Whether changes were lost, or applied only in part. Then it is not known which events are missing. */
  let isBroken = false
  let isStopped = false
  /** Whether all clients know that all live work was compared. */
  let isToldComplete = true
  let running: Promise<void> | undefined

  async function read(): Promise<void> {
    // The position is read before the records: a change between the two is applied again, which changes nothing.
    const position = await readPosition()
    await repository.load(now())
    readUpTo = applied = position
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
        return log.warn({ error: messageOf(error) }, 'changes could not be applied')
      }
    }
  }

  /** Applies what is queued, compares for a while, and sends both together. */
  async function step(): Promise<void> {
    const [changes, position, wasDue] = [[...queued.values()], readUpTo ?? applied, isDue]
    queued = new Map()
    isDue = false
    let news: LiveEvent[] | undefined
    if (isBroken || repository.needsLoad(now())) {
      isBroken = false
      await orBroken(read())
    } else {
      news = wasDue ? await orBroken(repository.apply(changes, now())) : []
      applied = position
    }
    try {
      const pairs = await repository.compare(now(), compareMs)
      news?.push(...pairs)
    } finally {
      send(news, changes)
    }
  }

  async function orBroken<T>(work: Promise<T>): Promise<T> {
    return await work.catch((error: unknown) => {
      isBroken = true
      throw error
    })
  }

  /** Undefined: too many events, or they are not known. */
  function send(news: readonly LiveEvent[] | undefined, changes: readonly { writtenAt: number }[]): void {
    if (listeners.size > 0) tell(news && withCompleteness(news))
    for (const { writtenAt } of changes) emit({ kind: 'change_delivered', ms: performance.now() - writtenAt })
  }

  function tell(events: readonly LiveEvent[] | undefined): void {
    if (events?.length === 0) return
    const collisionsOf = (activityId: string) => repository.collisions(new Set([activityId]))
    const batch = events && createBatch(eventId(applied), events, collisionsOf)
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
    position: () => applied,
    take(from, changes, to) {
      // The records may have been read anew meanwhile. Then the next reading goes on from there.
      if (from === readUpTo) readUpTo = to
      const readAt = performance.now()
      for (const change of changes ?? [])
        queued.set(`${change.kind} ${change.id}`, { ...change, writtenAt: readAt - change.delayMs })
      isBroken ||= changes === undefined || queued.has('repository ') || queued.size > mostChanges
      if (isBroken) queued.clear()
      isDue = true
      run()
    },
    async untilCompared(ms) {
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

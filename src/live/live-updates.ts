import type { Database } from '../db/database.ts'
import { type EmitEvent, ignoreEvents } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { type Change, isInLog, type Position, readChangeLog, readPosition } from './change-log.sql.ts'
import type { Batch } from './live-event.ts'
import { createWatchedRepository, type LiveSource, type WatchedRepository } from './watched-repository.ts'

export type Listener = (batch: Batch | 'reset') => void

/** A repository that is watched by at least one stream. */
export interface Watch {
  repository: WatchedRepository
  /** Whether a client that has read up to here can go on, instead of beginning with a snapshot. */
  canResume(position: Position): Promise<boolean>
  /**
   * The changes from this position on, including all that the records in memory have, and the position to go on from.
   */
  changesSince(position: Position): Promise<{ position: Position; changes: Change[] }>
  /** Applies everything that is committed now. */
  catchUp(): Promise<void>
  /** The listener is called after each poll with news, and with `reset` where the client needs a snapshot. */
  listen(listener: Listener): void
  /** Ends the watch. To call once. */
  stop(): void
}

export interface LiveUpdates {
  /** Undefined if too many repositories are watched here. `key` separates viewers who see different records. */
  watch(key: WatchKey, source: LiveSource): Promise<Watch | undefined>
  watched(): number
  stop(): Promise<void>
}

export interface WatchKey {
  repositoryId: bigint
  seesObservedWork: boolean
}

export interface LiveUpdatesDeps {
  db: Database
  log: Log
  now(): Date
  emit?: EmitEvent
  pollMs?: number
  mostRepositories?: number
  /** How long a repository stays watched after its last stream or request, in ms. */
  lingerMs?: number
}

interface Entry {
  repositoryId: bigint
  repository: WatchedRepository
  listeners: Set<Listener>
  watches: number
  /** When the last watch ended, on a monotonic clock in ms. */
  idleSince: number
  loaded: Promise<void>
  isLoaded: boolean
  /** Whether changes were only partly applied. Then it is not known which events are missing. */
  isBroken: boolean
  /** The catching up that was requested and has not begun. A running one may miss changes that are committed now. */
  pending?: Promise<void> | undefined
}

/** Reads the change log once a second for all repositories that somebody watches; not at all while nobody does. */
export function createLiveUpdates({
  db,
  log,
  now,
  emit = ignoreEvents,
  pollMs = 1_000,
  mostRepositories = 200,
  lingerMs = 60_000,
}: LiveUpdatesDeps): LiveUpdates {
  const entries = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined
  let turn: Promise<void> = Promise.resolve()
  let isStopped = false

  function start(repositoryId: bigint, source: LiveSource): Entry {
    const repository = createWatchedRepository(source)
    const entry: Entry = {
      repositoryId,
      repository,
      listeners: new Set(),
      watches: 0,
      idleSince: performance.now(),
      isLoaded: false,
      isBroken: false,
      loaded: Promise.resolve(),
    }
    entry.loaded = load(entry)
    entry.loaded.catch(() => {})
    return entry
  }

  /** The position is read before the records: a change between the two is read again by the next poll. */
  async function load(entry: Entry): Promise<void> {
    const position = await readPosition(db)
    await entry.repository.load(position, now())
    entry.isLoaded = true
  }

  /** Polls begin `pollMs` apart, or one at the end of the other if that takes longer. */
  function schedule(waitMs = pollMs): void {
    if (timer !== undefined || isStopped || entries.size === 0) return
    timer = setTimeout(() => {
      const begun = performance.now()
      void inTurn(pollAll).finally(() => {
        timer = undefined
        schedule(Math.max(0, pollMs - (performance.now() - begun)))
      })
    }, waitMs)
    timer.unref()
  }

  /** Runs after what runs already: two polls at a time would apply changes out of order. */
  function inTurn(work: () => Promise<void>): Promise<void> {
    turn = turn.then(work).catch((error: unknown) => {
      log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'the change log could not be read')
    })
    return turn
  }

  /** Makes room for a repository that somebody watches. */
  function dropUnwatched(): void {
    for (const [key, { watches }] of entries) if (watches === 0) entries.delete(key)
  }

  function dropIdle(): void {
    for (const [key, { watches, idleSince }] of entries) {
      if (watches === 0 && performance.now() - idleSince >= lingerMs) entries.delete(key)
    }
  }

  async function pollAll(): Promise<void> {
    dropIdle()
    await poll([...entries.values()].filter(({ isLoaded }) => isLoaded))
  }

  /** With `visible`, applies also what the next poll will read again, as an older transaction is still open. */
  async function poll(polled: readonly Entry[], visible = false): Promise<void> {
    const [first, ...rest] = polled.map(({ repository }) => repository.position().txid)
    if (first === undefined) return
    const ids = [...new Set(polled.map(({ repositoryId }) => repositoryId))]
    const { position, changes, delaysMs } = await readChangeLog(db, rest.reduce(earlier, first), ids, { visible })
    const readAt = performance.now()
    await Promise.all(polled.map((entry) => apply(entry, changes, position)))
    const applyMs = performance.now() - readAt
    if (!visible) for (const ms of delaysMs) emit({ kind: 'change_delivered', ms: ms + applyMs })
  }

  async function apply(entry: Entry, changes: readonly Change[], position: Position): Promise<void> {
    const { repository, repositoryId, listeners } = entry
    if (entry.isBroken || repository.position().epoch !== position.epoch) {
      await load(entry)
      entry.isBroken = false
      for (const listener of listeners) listener('reset')
      return
    }
    const own = changes.filter((change) => change.repositoryId === repositoryId)
    entry.isBroken = true
    const batch = await repository.apply(own, position, now())
    entry.isBroken = false
    for (const { event } of batch.events) emit({ kind: 'live_event', event, streams: listeners.size })
    if (batch.events.length > 0) for (const listener of listeners) listener(batch)
  }

  return {
    async watch({ repositoryId, seesObservedWork }, source) {
      const key = `${repositoryId} ${seesObservedWork}`
      const known = entries.get(key)
      if (!known && entries.size >= mostRepositories) dropUnwatched()
      if (!known && entries.size >= mostRepositories) return undefined
      const entry = known ?? start(repositoryId, source)
      entries.set(key, entry)
      entry.watches++
      const listeners: Listener[] = []
      const stop = () => {
        for (const listener of listeners) entry.listeners.delete(listener)
        entry.watches--
        entry.idleSince = performance.now()
      }
      try {
        await entry.loaded
      } catch (error) {
        if (entries.get(key) === entry) entries.delete(key)
        throw error
      }
      schedule()
      return {
        repository: entry.repository,
        canResume: (position) => isInLog(db, position),
        changesSince: ({ txid }) => readChangeLog(db, txid, [repositoryId], { visible: true }),
        catchUp: () => {
          entry.pending ??= inTurn(() => {
            entry.pending = undefined
            return poll([entry], true)
          })
          return entry.pending
        },
        listen(listener) {
          listeners.push(listener)
          entry.listeners.add(listener)
        },
        stop,
      }
    },
    watched: () => entries.size,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await turn
    },
  }
}

function earlier(a: string, b: string): string {
  return BigInt(a) < BigInt(b) ? a : b
}

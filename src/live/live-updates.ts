import type { Database } from '../db/database.ts'
import type { Log } from '../lib/log.ts'
import { type Change, isInLog, type Position, readChanges, readPosition } from './change-log.sql.ts'
import type { Batch } from './live-event.ts'
import { createWatchedRepository, type LiveSource, type WatchedRepository } from './watched-repository.ts'

export type Listener = (batch: Batch | 'reset') => void

/** A repository that is watched by at least one stream. */
export interface Watch {
  repository: WatchedRepository
  /** Whether a client that has read up to here can go on, instead of beginning with a snapshot. */
  canResume(position: Position): Promise<boolean>
  /** What changed from this position on, at least everything that the records in memory have, and where to go on. */
  changesSince(position: Position): Promise<{ position: Position; changes: Change[] }>
  /** The listener is called after each poll with news, and with `reset` where the client needs a snapshot. */
  listen(listener: Listener): void
  /** Ends the watch. To call once. */
  stop(): void
}

export interface LiveUpdates {
  /** Undefined if too many repositories are watched here. `key` tells apart the viewers who see different things. */
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
  pollMs?: number
  mostRepositories?: number
}

interface Entry {
  repositoryId: bigint
  repository: WatchedRepository
  listeners: Set<Listener>
  watches: number
  loaded: Promise<void>
  isLoaded: boolean
}

/** Reads the change log once a second for all repositories that somebody watches; not at all while nobody does. */
export function createLiveUpdates({
  db,
  log,
  now,
  pollMs = 1_000,
  mostRepositories = 200,
}: LiveUpdatesDeps): LiveUpdates {
  const entries = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined
  let polling: Promise<void> = Promise.resolve()
  let isStopped = false

  function start(repositoryId: bigint, source: LiveSource): Entry {
    const repository = createWatchedRepository(source)
    const entry: Entry = {
      repositoryId,
      repository,
      listeners: new Set(),
      watches: 0,
      isLoaded: false,
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

  function schedule(): void {
    if (timer !== undefined || isStopped || entries.size === 0) return
    timer = setTimeout(() => {
      polling = poll()
        .catch((error: unknown) =>
          log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'the change log could not be read'),
        )
        .finally(() => {
          timer = undefined
          schedule()
        })
    }, pollMs)
    timer.unref()
  }

  async function poll(): Promise<void> {
    const loaded = [...entries.values()].filter(({ isLoaded }) => isLoaded)
    const [first, ...rest] = loaded
    if (!first) return
    const from = rest.reduce(
      (least, entry) => earlier(least, entry.repository.position().txid),
      first.repository.position().txid,
    )
    const { position, changes } = await readChanges(db, from, [
      ...new Set(loaded.map(({ repositoryId }) => repositoryId)),
    ])
    for (const entry of loaded) {
      if (entry.repository.position().epoch !== position.epoch) {
        await load(entry)
        for (const listener of entry.listeners) listener('reset')
        continue
      }
      const own = changes.filter(({ repositoryId }) => repositoryId === entry.repositoryId)
      const batch = await entry.repository.apply(own, position, now())
      if (batch.events.length > 0) for (const listener of entry.listeners) listener(batch)
    }
  }

  return {
    async watch({ repositoryId, seesObservedWork }, source) {
      const key = `${repositoryId} ${seesObservedWork}`
      const known = entries.get(key)
      if (!known && entries.size >= mostRepositories) return undefined
      const entry = known ?? start(repositoryId, source)
      entries.set(key, entry)
      entry.watches++
      const listeners: Listener[] = []
      const stop = () => {
        for (const listener of listeners) entry.listeners.delete(listener)
        entry.watches--
        if (entry.watches === 0 && entries.get(key) === entry) entries.delete(key)
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
        changesSince: ({ txid }) => readChanges(db, txid, [repositoryId], { visible: true }),
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
      await polling
    },
  }
}

function earlier(a: string, b: string): string {
  return BigInt(a) < BigInt(b) ? a : b
}

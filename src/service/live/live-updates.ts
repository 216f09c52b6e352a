import type { Collisions } from '../../core/schemas/live.ts'
import type { Database } from '../db/database.ts'
import { type Log, messageOf } from '../lib/log.ts'
import { runWithContext } from '../lib/request-context.ts'
import { type EmitEvent, ignoreEvents } from '../lib/service-events.ts'
import { type Position, readChangeLog } from './change-log.sql.ts'
import { eventId } from './event-id.ts'
import { createFeed, type Feed, type Listener } from './feed.ts'
import type { LiveSource } from './live-source.ts'
import { createWatchedRepository } from './watched-repository.ts'

/** A repository that is watched by at least one stream or request. */
export interface Watch {
  position(): Position
  snapshotBody(activityId: string | undefined): Buffer
  collisions(of?: ReadonlySet<string>): Collisions
  /** Applies everything that is committed now, and compares it. Waits at most `ms` for comparisons. */
  catchUp(ms: number): Promise<void>
  /** The listener is called after each poll with news, and with `reset` where the client needs a snapshot. */
  listen(listener: Listener): void
  /** Ends the watch. To call once. */
  stop(): void
}

export interface LiveUpdates {
  /** Undefined if too many repositories are watched here. `key` separates viewers who see different records. */
  watch(key: WatchKey, source: LiveSource): Promise<Watch | undefined>
  watched(): number
  /** What all watched repositories hold, in bytes. */
  bytes(): number
  now(): Date
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
  /** What all watched repositories hold together, in bytes. */
  mostBytes?: number
  /** How long a repository stays watched after its last stream or request, in ms. */
  lingerMs?: number
}

/** What one repository may hold at most and in any case, in bytes. Between the two, all have an equal share. */
const [mostOfOne, leastOfOne] = [16 * 1024 * 1024, 1024 * 1024]

interface Entry {
  repositoryId: bigint
  repository: ReturnType<typeof createWatchedRepository>
  feed: Feed
  watches: number
  /** When the last watch ended, on a monotonic clock in ms. */
  idleSince: number
  loaded: Promise<void>
}

/** Reads the change log once a second for all repositories that somebody watches; not at all while nobody does. */
export function createLiveUpdates({
  db,
  log,
  now,
  emit = ignoreEvents,
  pollMs = 1_000,
  mostRepositories = 200,
  mostBytes = 256 * 1024 * 1024,
  lingerMs = 60_000,
}: LiveUpdatesDeps): LiveUpdates {
  const entries = new Map<string, Entry>()
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  let reading = Promise.resolve()
  /** The reading that has not begun, and for whom it is. A running one may miss changes that are committed now. */
  let next: { entries: Set<Entry>; done: Promise<void> } | undefined

  const shareOfBytes = () => Math.min(mostOfOne, Math.max(leastOfOne, mostBytes / Math.max(entries.size, 1)))

  function start(key: WatchKey, source: LiveSource): Entry {
    const { repositoryId } = key
    const repository = createWatchedRepository(source, shareOfBytes)
    const idOf = (position: Position) => eventId(position, key)
    const readPosition = async () => (await readChangeLog(db, [])).position
    const own = { repositoryId, repository, eventId: idOf, readPosition }
    const feed = createFeed({ ...own, log, now, emit })
    const loaded = feed.load()
    loaded.catch(() => {})
    return { repositoryId, repository, feed, loaded, watches: 0, idleSince: performance.now() }
  }

  /** Polls begin `pollMs` apart, or one at the end of the other if that takes longer. */
  function schedule(waitMs = pollMs): void {
    if (timer !== undefined || isStopped || entries.size === 0) return
    timer = setTimeout(() => {
      const begun = performance.now()
      dropUnwatched(lingerMs)
      void read(entries.values()).then(() => {
        timer = undefined
        schedule(Math.max(0, pollMs - (performance.now() - begun)))
      })
    }, waitMs)
    timer.unref()
  }

  /** Ends the watch of repositories that nobody watches, for so long, in ms. */
  function dropUnwatched(ms: number): void {
    for (const [key, { watches, idleSince, feed }] of entries) {
      if (watches > 0 || performance.now() - idleSince < ms) continue
      entries.delete(key)
      void feed.stop()
    }
  }

  /** Reads the log once the reading that runs has ended, once for all who wait for that. */
  function read(readers: Iterable<Entry>): Promise<void> {
    next ??= { entries: new Set(), done: reading.then(begin) }
    for (const entry of readers) next.entries.add(entry)
    return next.done
  }

  function begin(): Promise<void> {
    const readers = next?.entries ?? []
    next = undefined
    // It reads for several repositories, and so is the work of none.
    reading = runWithContext({}, () => readFor([...readers])).catch((error: unknown) => {
      log.warn({ error: messageOf(error) }, 'the change log could not be read')
    })
    return reading
  }

  async function readFor(readers: readonly Entry[]): Promise<void> {
    const loaded = readers.flatMap(({ repositoryId, feed }) => {
      const position = feed.readUpTo()
      return position ? { repositoryId, feed, position } : []
    })
    if (loaded.length === 0) return
    const { position: end, changes } = await readChangeLog(db, loaded)
    for (const [index, { feed, position }] of loaded.entries()) feed.take(position, changes[index], end)
  }

  return {
    async watch(watchKey, source) {
      const { repositoryId, seesObservedWork } = watchKey
      const key = `${repositoryId} ${seesObservedWork}`
      const known = entries.get(key)
      if (!known && entries.size >= mostRepositories) dropUnwatched(0)
      if (!known && entries.size >= mostRepositories) return undefined
      const entry = known ?? start(watchKey, source)
      const { feed } = entry
      entries.set(key, entry)
      entry.watches++
      const listening: (() => void)[] = []
      const stop = () => {
        for (const stopListening of listening) stopListening()
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
        position: feed.position,
        snapshotBody: feed.snapshotBody,
        collisions: feed.collisions,
        async catchUp(ms) {
          await read([entry])
          await feed.untilCompared(ms)
        },
        listen: (listener) => void listening.push(feed.listen(listener)),
        stop,
      }
    },
    watched: () => entries.size,
    bytes: () => [...entries.values()].reduce((sum, { repository }) => sum + repository.bytes(), 0),
    now,
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await read([])
      await Promise.all([...entries.values()].map(({ feed }) => feed.stop()))
    },
  }
}

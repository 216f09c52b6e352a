import type { Database } from '../db/database.ts'
import { type EmitEvent, ignoreEvents } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import { runWithContext } from '../lib/request-context.ts'
import { type Change, isInLog, type Position, readChangeLog, readPosition } from './change-log.sql.ts'
import { createFeed, type Feed, type Listener } from './feed.ts'
import type { Collisions } from './schema.ts'
import type { LiveSource } from './source.ts'
import { createWatchedRepository } from './watched-repository.ts'

/** A repository that is watched by at least one stream or request. */
export interface Watch {
  position(): Position
  snapshotBody(activityId: string | undefined): Buffer
  collisions(of?: ReadonlySet<string>): Collisions
  /** Whether a client that has read up to here can go on, instead of beginning with a snapshot. */
  canResume(position: Position): Promise<boolean>
  /**
   * The changes from this position on, including all that the records in memory have, and the position to go on from; up
   * to `most` of them.
   */
  changesSince(position: Position, most: number): Promise<{ position: Position; changes: Change[] }>
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
  /** The reading of the log for requests. */
  turn: Promise<void>
  /** The reading that was requested and has not begun. A running one may miss changes that are committed now. */
  pending?: Promise<void> | undefined
}

/** The id of an event. A stream that shows no observed work can't go on from one that does. */
export function eventId({ epoch, txid }: Position, { seesObservedWork }: Pick<WatchKey, 'seesObservedWork'>): string {
  return `${epoch}.${txid}${seesObservedWork ? '' : '.recorded'}`
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
  let polling: Promise<void> | undefined
  let isStopped = false

  const shareOfBytes = () => Math.min(mostOfOne, Math.max(leastOfOne, mostBytes / Math.max(entries.size, 1)))

  function start(key: WatchKey, source: LiveSource): Entry {
    const { repositoryId } = key
    const repository = createWatchedRepository(source, shareOfBytes)
    const idOf = (position: Position) => eventId(position, key)
    const own = { repositoryId, repository, eventId: idOf, readPosition: () => readPosition(db) }
    const feed = createFeed({ ...own, log, now, emit })
    const loaded = feed.load()
    loaded.catch(() => {})
    return { repositoryId, repository, feed, loaded, watches: 0, idleSince: performance.now(), turn: Promise.resolve() }
  }

  /** Polls begin `pollMs` apart, or one at the end of the other if that takes longer. */
  function schedule(waitMs = pollMs): void {
    if (timer !== undefined || isStopped || entries.size === 0) return
    timer = setTimeout(() => {
      const begun = performance.now()
      // It reads for all repositories, and so is the work of none.
      polling = runWithContext({}, pollAll).finally(() => {
        timer = undefined
        schedule(Math.max(0, pollMs - (performance.now() - begun)))
      })
    }, waitMs)
    timer.unref()
  }

  function warn(error: unknown): void {
    log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'the change log could not be read')
  }

  /** Ends the watch of repositories that nobody watches, for so long, in ms. */
  function dropUnwatched(ms: number): void {
    for (const [key, { watches, idleSince, feed }] of entries) {
      if (watches > 0 || performance.now() - idleSince < ms) continue
      entries.delete(key)
      void feed.stop()
    }
  }

  async function pollAll(): Promise<void> {
    dropUnwatched(lingerMs)
    await poll([...entries.values()]).catch(warn)
  }

  /** With `visible`, applies also what the next poll will read again, as an older transaction is still open. */
  async function poll(polled: readonly Entry[], visible = false): Promise<void> {
    const loaded = polled.flatMap((entry) => {
      const from = entry.feed.readUpTo()
      return from ? { ...entry, from } : []
    })
    const [first, ...rest] = loaded.map(({ from }) => from.txid)
    if (first === undefined) return
    const ids = [...new Set(loaded.map(({ repositoryId }) => repositoryId))]
    const { position, changes } = await readChangeLog(db, rest.reduce(earlier, first), ids, { visible })
    const readAt = performance.now()
    const read = changes.map(({ delayMs, ...change }) => ({
      ...change,
      writtenAt: visible ? undefined : readAt - delayMs,
    }))
    for (const { feed, repositoryId } of loaded)
      feed.take(
        read.filter((change) => change.repositoryId === repositoryId),
        position,
      )
  }

  /** Reads the log for a request, after the readings for requests that came before. */
  function readFor(entry: Entry): Promise<void> {
    entry.pending ??= entry.turn.then(() => {
      entry.pending = undefined
      entry.turn = poll([entry], true).catch(warn)
      return entry.turn
    })
    return entry.pending
  }

  return {
    async watch(watchKey, source) {
      const { repositoryId, seesObservedWork } = watchKey
      const key = `${repositoryId} ${seesObservedWork}`
      const known = entries.get(key)
      if (!known && entries.size >= mostRepositories) dropUnwatched(0)
      if (!known && entries.size >= mostRepositories) return undefined
      const entry = known ?? start(watchKey, source)
      const { repository, feed } = entry
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
        position: repository.position,
        snapshotBody: feed.snapshotBody,
        collisions: feed.collisions,
        canResume: (position) => isInLog(db, position),
        changesSince: ({ txid }, most) => readChangeLog(db, txid, [repositoryId], { visible: true, most }),
        async catchUp(ms) {
          await readFor(entry)
          await feed.settle(ms)
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
      await polling
      await Promise.all([...entries.values()].flatMap(({ turn, feed }) => [turn, feed.stop()]))
    },
  }
}

function earlier(a: string, b: string): string {
  return BigInt(a) < BigInt(b) ? a : b
}

import { findRepositoriesToList } from '../../observed/repositories-store.ts'
import { add } from '../../observed/save-list.ts'
import { nothingSaved, type SavedCounts } from '../../observed/save-pull-request.ts'
import { findRepository } from '../../repository/store.ts'
import { type DiscoverDeps, discoverRepositories } from './discover-repositories.ts'
import { type ReadListDeps, readList } from './read-list.ts'

export interface ListCounts extends SavedCounts {
  /** Repositories whose pull requests were listed. */
  repositories: number
  failed: number
  /** Repositories left for later because a rate limit is almost spent. */
  paused: number
  /** Repositories that the App is not installed on any more. */
  not_installed: number
  /** 1 if the run ended early. */
  stopped: number
}

export interface ListQueueDeps extends ReadListDeps, DiscoverDeps {
  app: ReadListDeps['app'] & DiscoverDeps['app']
  reconcileIntervalMs: number
  /** Runs after pull requests were saved whose files are to be read. */
  onUnread(): void
}

export interface ListQueue {
  /** Lists the pull requests of the repositories that are due. At the start, and once a day, finds those repositories first. */
  run(): Promise<ListCounts>
  /** Starts a run for repositories that may have to be listed. `discover`: it looks for new ones first. */
  wake(options?: { discover: boolean }): void
  onWake(start: () => void): void
}

/** How many repositories are listed at a time. */
const atOnce = 4
const day = 86_400_000
/** When to list again after a failure, and how old a list is that another instance has just read, in ms. */
const retryMs = 300_000
const justListedMs = 60_000

/** Lists the pull requests of the repositories that the App is installed on (docs/rules.md#reading-with-the-app). */
export function createListQueue(deps: ListQueueDeps): ListQueue {
  const { db, now, signal, reconcileIntervalMs } = deps
  const listeners: (() => void)[] = []
  let discoverAt = Number.NEGATIVE_INFINITY
  let isFirst = true

  /** Returns whether nothing is left to find for now. */
  async function discover(): Promise<boolean> {
    const at = now().getTime()
    if (at < discoverAt) return true
    discoverAt = at + retryMs
    try {
      if (!(await discoverRepositories(deps))) return false
    } catch (error) {
      const reason = error instanceof Error ? error.message : 'unknown'
      deps.log.warn({ reason }, 'the installations of the App can not be listed now')
      return false
    }
    discoverAt = at + day
    return true
  }

  async function findDue(): Promise<bigint[]> {
    const before = (ms: number) => new Date(now().getTime() - ms)
    // What changed while no instance ran is read at the start.
    const listedUntil = before(isFirst ? Math.min(justListedMs, reconcileIntervalMs) : reconcileIntervalMs)
    isFirst = false
    return findRepositoriesToList(db, { listedUntil, failedUntil: before(Math.min(retryMs, reconcileIntervalMs)) })
  }

  async function listAll(due: bigint[], counts: ListCounts): Promise<void> {
    for (let id = due.shift(); id !== undefined && !signal?.aborted; id = due.shift()) {
      const repository = await findRepository(db.prisma, id)
      if (repository === undefined) continue
      const outcome = await readList(deps, repository)
      if (typeof outcome === 'object') {
        counts.repositories++
        add(counts, outcome)
        if (outcome.unread > 0) deps.onUnread()
      } else if (outcome === 'stopped') counts.stopped = 1
      else if (outcome !== 'busy') counts[outcome]++
    }
  }

  return {
    onWake: (start) => void listeners.push(start),
    wake(options) {
      if (options?.discover) discoverAt = Number.NEGATIVE_INFINITY
      for (const listener of listeners) listener()
    },
    async run() {
      const counts = { ...nothingSaved, repositories: 0, failed: 0, paused: 0, not_installed: 0, stopped: 0 }
      if (!(await discover())) counts.stopped = 1
      const due = await findDue()
      await Promise.all(Array.from({ length: atOnce }, () => listAll(due, counts)))
      return counts
    },
  }
}

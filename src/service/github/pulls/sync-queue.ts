import { LRUCache } from 'lru-cache'
import { messageOf } from '../../lib/log.ts'
import { findRepositoriesToSync } from '../../observed/observed-repositories-store.ts'
import { addCounts } from '../../observed/pull-requests/save-list.ts'
import { nothingSaved, type SavedCounts } from '../../observed/pull-requests/save-pull-request.ts'
import { findRepository } from '../../records/repository/repository-store.ts'
import { type DiscoverDeps, discoverRepositories } from './discover-repositories.ts'
import { type KnownAnswers, type SyncDeps, syncRepository } from './sync-repository.ts'

/** The names are those of the log. */
export interface SyncCounts extends SavedCounts {
  /** Repositories that were compared with GitHub. */
  repositories: number
  /** Activities whose branch was deleted. */
  branch_deleted: number
  failed: number
  /** Repositories left for later because a rate limit is almost spent. */
  paused: number
  /** Repositories that the App can not see. */
  not_visible: number
  /** Repositories that the App is not installed on any more. */
  not_installed: number
  /** 1 if the run ended early. */
  stopped: number
}

export interface SyncQueueDeps extends Omit<SyncDeps, 'answersOf'>, DiscoverDeps {
  app: SyncDeps['app'] & DiscoverDeps['app']
  reconcileIntervalMs: number
  /** Runs after pull requests were saved whose files are to be read. */
  onUnread(): void
}

export interface SyncQueue {
  /** Compares the repositories that are due with GitHub. At the start, and once a day, finds those repositories first. */
  run(): Promise<SyncCounts>
  /** Starts a run for repositories that may be due. `discover`: it looks for new ones first. */
  wake(options?: { discover: boolean }): void
  onWake(start: () => void): void
}

/** How many repositories are compared at a time. */
const atOnce = 4
const day = 86_400_000
/** When to try again after a failure, and how old a list is that another instance has just read, in ms. */
const retryMs = 300_000
const justListedMs = 60_000

/** Of how many repositories the last answers are kept in memory. */
const mostAnswers = 10_000

/** Compares the repositories that the App is installed on with GitHub (docs/rules.md#reconciliation). */
export function createSyncQueue(deps: SyncQueueDeps): SyncQueue {
  const { db, now, signal, reconcileIntervalMs } = deps
  const listeners: (() => void)[] = []
  let discoverAt = Number.NEGATIVE_INFINITY
  let isFirst = true
  const answers = new LRUCache<bigint, KnownAnswers>({ max: mostAnswers })
  const answersOf = (id: bigint) => answers.get(id) ?? remember(id)
  function remember(id: bigint): KnownAnswers {
    const known: KnownAnswers = {}
    answers.set(id, known)
    return known
  }

  /** Returns whether nothing is left to find for now. */
  async function discover(): Promise<boolean> {
    const at = now().getTime()
    if (at < discoverAt) return true
    discoverAt = at + retryMs
    try {
      if (!(await discoverRepositories(deps))) return false
    } catch (error) {
      const reason = messageOf(error)
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
    return findRepositoriesToSync(db, { listedUntil, failedUntil: before(Math.min(retryMs, reconcileIntervalMs)) })
  }

  async function compareAll(due: bigint[], counts: SyncCounts): Promise<void> {
    for (let id = due.shift(); id !== undefined && !signal?.aborted; id = due.shift()) {
      const repository = await findRepository(db.prisma, id)
      if (repository === undefined) continue
      const outcome = await syncRepository({ ...deps, answersOf }, repository)
      if (typeof outcome === 'object') {
        counts.repositories++
        addCounts(counts, outcome)
        counts.branch_deleted += outcome.branch_deleted
        counts.failed += outcome.failed
        counts.not_visible += outcome.not_visible
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
      const counts: SyncCounts = {
        ...{ ...nothingSaved, branch_deleted: 0, repositories: 0 },
        ...{ failed: 0, paused: 0, not_visible: 0, not_installed: 0, stopped: 0 },
      }
      if (!(await discover())) counts.stopped = 1
      const due = await findDue()
      await Promise.all(Array.from({ length: atOnce }, () => compareAll(due, counts)))
      // GitHub may reject the App's key.
      if (counts.failed > 0 && counts.repositories === 0) counts.stopped = 1
      return counts
    },
  }
}

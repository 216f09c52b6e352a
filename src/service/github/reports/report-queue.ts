import { createFairLimit } from '../../lib/fair-limit.ts'
import type { Repository } from '../../records/repository/repository.ts'
import { findAutomaticSuites } from '../../report/grants.sql.ts'
import { findQueuedRepositories } from '../../report/report-queue.sql.ts'
import { nothingReported, type ReportCounts, type ReportDeps } from './report-deps.ts'
import { reportOwner } from './report-owner.ts'

export interface ReportQueue {
  /** Updates queued reports, one turn of each owner. Wakes itself if more is left. */
  run(): Promise<ReportCounts>
  wake(): void
  onWake(start: () => void): void
}

/** How many owners' reports are computed and written at a time. Those that pause between two writes do not count. */
const atOnce = 4
const waitMs = 600_000
const askAgainMs = 300_000

/** Writes check runs on pull requests (docs/rules.md#reports). */
export function createReportQueue(deps: ReportDeps): ReportQueue {
  const listeners: (() => void)[] = []
  /** When to ask again for the end of automatic suites, in ms, after a failure. */
  const askAgainAt = new Map<bigint, number>()
  const refusal = () => new Error('too many owners wait for their check runs')
  const slots = createFairLimit({ slots: atOnce, waiting: 100_000, waitMs, refusal })

  async function dueOwners() {
    const { db, now, shadow } = deps
    const owners = new Map<string, { owner: string; queued: Repository[]; withSuites: Repository[] }>()
    const add = (kind: 'queued' | 'withSuites', repository: Repository) => {
      const { owner } = repository
      const known = owners.get(owner.toLowerCase()) ?? { owner, queued: [], withSuites: [] }
      known[kind].push(repository)
      owners.set(owner.toLowerCase(), known)
    }
    for (const repository of await findQueuedRepositories(db, now())) add('queued', repository)
    if (shadow) return [...owners.values()]
    for (const repository of await findAutomaticSuites(db)) {
      if ((askAgainAt.get(repository.id) ?? 0) <= now().getTime()) add('withSuites', repository)
    }
    return [...owners.values()]
  }

  /** Returns whether more is left for another turn. */
  async function takeTurn(next: Awaited<ReturnType<typeof dueOwners>>[0], counts: ReportCounts): Promise<boolean> {
    const { owner } = next
    let release = await slots.acquire(owner)
    // An owner that goes on comes before those that begin: it holds its lease.
    const pause = async (ms: number) => {
      release()
      await deps.pause(ms)
      release = await slots.acquire(owner, { waitMs: waitMs / 2 })
    }
    try {
      if (deps.signal?.aborted) return false
      const postponed: bigint[] = []
      const turn = await reportOwner({ ...deps, pause }, owner, { ...next, postponed })
      for (const id of postponed) askAgainAt.set(id, deps.now().getTime() + askAgainMs)
      for (const what of Object.keys(counts) as (keyof ReportCounts)[]) counts[what] += turn?.counts[what] ?? 0
      return turn?.hasMore ?? false
    } finally {
      release()
    }
  }

  function wake(): void {
    for (const listener of listeners) listener()
  }

  return {
    wake,
    onWake: (start) => void listeners.push(start),
    async run() {
      const counts = { ...nothingReported }
      const due = await dueOwners()
      const turns = await Promise.allSettled(due.map((next) => takeTurn(next, counts)))
      if (turns.some((turn) => turn.status === 'fulfilled' && turn.value)) wake()
      for (const turn of turns) if (turn.status === 'rejected') throw turn.reason
      return counts
    },
  }
}

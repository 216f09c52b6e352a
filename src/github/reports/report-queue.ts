import type { Repository } from '../../context.ts'
import { findUnsetSuites } from '../../report/grants.sql.ts'
import { findMarkedRepositories } from '../../report/marks.sql.ts'
import { nothingReported, type ReportCounts, type ReportDeps } from './report-deps.ts'
import { reportOwner } from './report-owner.ts'

export interface ReportQueue {
  /** Looks at all marked reports, and writes those that have to be. */
  run(): Promise<ReportCounts>
  wake(): void
  onWake(start: () => void): void
}

/** How many owners' reports are written at a time. */
const atOnce = 4
const askAgainMs = 300_000

/** Writes check runs on pull requests (docs/rules.md#reports). */
export function createReportQueue(deps: ReportDeps): ReportQueue {
  const listeners: (() => void)[] = []
  /** When to ask again for the end of automatic suites, in ms, after a failure. */
  const askAgainAt = new Map<bigint, number>()

  async function dueOwners() {
    const { db, now, shadow } = deps
    const owners = new Map<string, { owner: string; marked: Repository[]; unset: Repository[] }>()
    const add = (kind: 'marked' | 'unset', repository: Repository) => {
      const { owner } = repository
      const known = owners.get(owner.toLowerCase()) ?? { owner, marked: [], unset: [] }
      known[kind].push(repository)
      owners.set(owner.toLowerCase(), known)
    }
    for (const repository of await findMarkedRepositories(db, now())) add('marked', repository)
    if (shadow) return [...owners.values()]
    for (const repository of await findUnsetSuites(db)) {
      if ((askAgainAt.get(repository.id) ?? 0) <= now().getTime()) add('unset', repository)
    }
    return [...owners.values()]
  }

  async function work(due: Awaited<ReturnType<typeof dueOwners>>, counts: ReportCounts): Promise<void> {
    for (let next = due.shift(); next !== undefined && !deps.signal?.aborted; next = due.shift()) {
      const postponed: bigint[] = []
      const more = await reportOwner(deps, next.owner, { ...next, postponed })
      for (const id of postponed) askAgainAt.set(id, deps.now().getTime() + askAgainMs)
      for (const what of Object.keys(counts) as (keyof ReportCounts)[]) counts[what] += more?.[what] ?? 0
    }
  }

  return {
    wake() {
      for (const listener of listeners) listener()
    },
    onWake: (start) => void listeners.push(start),
    async run() {
      const counts = { ...nothingReported }
      const due = await dueOwners()
      await Promise.all(Array.from({ length: atOnce }, () => work(due, counts)))
      return counts
    },
  }
}

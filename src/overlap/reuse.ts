import type { Context } from '../context.ts'
import { compareInSteps, type ParsedScope, type ScopeMeeting } from '../scope/compare.ts'
import type { Scope } from '../scope/schema.ts'
import { inTurns, type TurnWork } from '../scope/turns.ts'
import type { Probes } from './probes.ts'
import { excerpt } from './quote.ts'
import type { ReuseOpportunity } from './schema.ts'
import { type MergedActivity, mergedCandidates } from './store.ts'

/** At most this many reuse opportunities (decisions §5). */
const most = 5
/** How many candidates are looked at in one go. */
const pageSize = 50

interface Comparison {
  proposed: ParsedScope
  probes: Probes
  parse(scope: Scope): ParsedScope
  work: TurnWork
}

/** Merged work whose scope overlaps the proposal: at most five, newest first (decisions §5). */
export async function reuseOpportunities(
  { db, now, repository, retentionMs }: Context,
  { proposed, probes, parse, work }: Comparison,
): Promise<ReuseOpportunity[]> {
  const endedAfter = new Date(now.getTime() - retentionMs)
  const found: ReuseOpportunity[] = []
  for (let after: MergedActivity | undefined; ; ) {
    const page = await mergedCandidates(db, probes, { repositoryId: repository.id, endedAfter, after, count: pageSize })
    for (const row of page) {
      const meeting = await inTurns(
        compareInSteps(proposed, parse({ areas: row.areas, paths: row.paths.filter(probes.near) }), work),
        work,
      )
      if (meeting === 'undecided') return found
      if (meeting) found.push(opportunity(row, meeting))
      if (found.length === most) return found
    }
    if (page.length < pageSize) return found
    after = page.at(-1)
  }
}

function opportunity(row: MergedActivity, { paths, areas }: ScopeMeeting): ReuseOpportunity {
  const common = paths ? `files such as ${excerpt(paths.witness)}` : `the area ${excerpt(areas[0] ?? '')}`
  return {
    activity_id: row.id,
    title: row.title,
    branch: row.branch,
    pr_url: row.pr_url,
    ended_at: row.ended_at.toISOString(),
    reason: `${excerpt(row.actor)} merged work on ${common}: see whether it already does part of this.`,
  }
}

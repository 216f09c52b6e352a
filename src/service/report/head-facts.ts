import type { PullRequest } from '../db/generated/client.ts'
import { type CollidingPull, isSameLines } from './colliding-pulls.ts'
import { compareHead, notablesOfRepository, type ReportContext } from './compare-head.ts'
import { type NotCompared, nothingLeftOut, type ReportFacts } from './report-facts.ts'
import { countLeftOut, findMergedPulls, type WrittenReport } from './reports-store.ts'

const day = 86_400_000
/** How long a report mentions the merge of the other side. */
const mergedTellMs = 7 * day
/** After so many failed readings a pull request counts as not compared. */
const mostAttempts = 3

export interface HeadFacts {
  facts: ReportFacts
  /** The pull requests that it names, worst first, and those for the same epic: without this one it may be none. */
  named: number[]
  sameLines: number[]
  /** When the facts change without an event. */
  changesAt: Date | null
}

/**
 * The facts for the report of a head. `waiting`: its files are not read yet. Null: it has no report, since it was put
 * aside, for example. After a re-run a report says that too, since GitHub waits for a result.
 */
export async function factsOfHead(
  context: ReportContext,
  pulls: readonly [PullRequest, ...PullRequest[]],
  { written, pageUrl, isRerun }: { written: WrittenReport | null; pageUrl: string | null; isRerun: boolean },
): Promise<HeadFacts | 'waiting' | null> {
  const { db, now, repository } = context
  const [first] = pulls
  const known = { base: first.base_ref, merged: [], ...nothingLeftOut, pageUrl }
  const kept = pulls.filter((pull) => !isPutAside(pull))
  const without = async (reason: NotCompared) => {
    const notables = await notablesOfRepository(context)
    return notCompared({ ...known, notables, notCompared: reason, colliding: [], nearbyCount: 0 })
  }
  if (kept.length === 0) return isRerun ? without('put aside') : null
  const read = kept.filter(({ files_head_sha, head_sha }) => files_head_sha === head_sha)
  if (read.length === 0) {
    if (kept.every(({ read_attempts }) => read_attempts < mostAttempts)) return 'waiting'
    return without('no files')
  }
  const compared = await compareHead(context, read)
  if (compared === null) return null
  const since = new Date(now.getTime() - mergedTellMs)
  const merged = await findMergedPulls(db, repository.id, written?.same_lines ?? [], since)
  const leftOut = await countLeftOut(
    db,
    repository.id,
    pulls.map(({ number }) => number),
  )
  const isPartlyListed = read.some(({ partly_listed }) => partly_listed)
  const { colliding, nearbyByIssue = [] } = compared
  const last = merged.at(-1)
  return {
    facts: { ...known, ...compared, merged, ...leftOut, isPartlyListed, notCompared: null },
    named: [...colliding.map(({ number }) => number), ...nearbyByIssue],
    sameLines: [...colliding.filter(touchesLines).map(({ number }) => number), ...merged.map(({ number }) => number)],
    changesAt: last ? new Date(last.mergedAt.getTime() + mergedTellMs) : null,
  }
}

function touchesLines({ closeness, files }: CollidingPull): boolean {
  return closeness === 'same lines' || (closeness === 'same change' && files.some(isSameLines))
}

/** The facts of a head that conflicts with its base: it is not compared with others. */
export function dirtyFacts({ facts }: HeadFacts): HeadFacts {
  return notCompared({ ...facts, notCompared: 'dirty', colliding: [], nearbyCount: 0 })
}

/** Until its next push or its reopening it has no record, and its files are not read. */
function isPutAside({ activity_id, put_aside_head_sha, head_sha }: PullRequest): boolean {
  return activity_id === null && put_aside_head_sha === head_sha
}

function notCompared(facts: ReportFacts): HeadFacts {
  return { facts, named: [], sameLines: [], changesAt: null }
}

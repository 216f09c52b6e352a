import { findActivity } from '../activity/activities.sql.ts'
import { loadChanges } from '../activity/details/changes.sql.ts'
import type { Context, Viewer } from '../context.ts'
import type { PullRequest } from '../db/generated/client.ts'
import { observationOff } from '../observed/freshness.ts'
import { type CheckContext, prepareCheck } from '../overlap/check.ts'
import type { Proposal } from '../overlap/proposal.ts'
import { relationshipByPull } from '../overlap/relationship/pull-relationship.ts'
import { relationshipTo } from '../overlap/relationship/relationship.ts'
import { isStranger } from '../overlap/texts/author.ts'
import { runInSlices } from '../scope/match/work-budget.ts'
import { type FoundPulls, findInSlices, joinFoundPulls } from './colliding-pulls.ts'

/** The context in which a pull request is compared. */
export type ReportContext = Pick<Context, 'db' | 'now' | 'repository' | 'retentionMs' | 'settings' | 'readGlob'>

export interface ComparedHead extends FoundPulls {
  /** How many of its changed files are never compared. */
  ignoredFiles: number
  /** Whether it is of a stranger. */
  isByStranger: boolean
}

/** Compares the open pull requests of one head with all others. Null if none of them has a record that is live and read. */
export async function compareHead(context: ReportContext, pulls: readonly PullRequest[]): Promise<ComparedHead | null> {
  const found: ComparedHead[] = []
  for (const pull of pulls) {
    const compared = await comparePull(context, pull)
    if (compared) found.push(compared)
  }
  const [first, ...rest] = found
  if (!first) return null
  const own = new Set(pulls.map(({ number }) => number))
  const joined = rest.reduce(joinedHeads, first)
  return { ...joined, colliding: joined.colliding.filter(({ number }) => !own.has(number)) }
}

function joinedHeads(a: ComparedHead, b: ComparedHead): ComparedHead {
  return {
    ...joinFoundPulls(a, b),
    ignoredFiles: Math.max(a.ignoredFiles, b.ignoredFiles),
    isByStranger: a.isByStranger && b.isByStranger,
  }
}

async function comparePull(context: ReportContext, pull: PullRequest): Promise<ComparedHead | null> {
  const { db, now, repository } = context
  const activity = pull.activity_id === null ? undefined : await findActivity(db, repository.id, pull.activity_id)
  if (!activity || activity.ended_at !== null || activity.expires_at <= now) return null
  const changes = await loadChanges(db.prisma, repository.id, [activity.id])
  const known = changes.find(({ by }) => by === 'github')
  const proposal: Proposal = {
    branch: activity.branch,
    base_branch: pull.base_ref,
    scope: { areas: [], paths: [] },
    tags: [],
    author: pull.author_login,
    self: activity.id,
    pullNumber: pull.number,
    changes: {
      files: known?.files ?? [],
      headSha: pull.head_sha,
      filesTotal: known?.files_total ?? 0,
      commits: new Set(pull.commits),
    },
  }
  const checked: CheckContext = { ...context, viewer: viewerFor(pull) }
  const { candidates, comparison } = await prepareCheck(checked, proposal)
  const ours = comparison.changed
  if (ours === null) return null
  const byBranch = relationshipTo(proposal, candidates.stack, candidates.defaultBranch)
  const works = candidates.candidates.filter(
    (work) => byBranch(work) === undefined && relationshipByPull(comparison.identity, work) === undefined,
  )
  const { quieting, staleAfterMs, isPublic, work } = comparison
  const head = { is_fork: pull.head_repository_id !== repository.id, association: pull.author_association }
  const ourSide = { ours, authorId: pull.author_id, quieting, isPublic, now, staleAfterMs }
  const found = await runInSlices(findInSlices(works, ourSide, work), work)
  // The budget may have ended before.
  const others: FoundPulls = found === 'undecided' ? { colliding: [], nearbyCount: 0, isCut: true } : found
  return {
    ...others,
    isByStranger: isStranger({ source: 'pull_request', pull: head }, isPublic),
    ignoredFiles: [...ours.byPath.keys()].filter(quieting.isIgnored).length,
  }
}

/** The author, who sees all pull requests. */
function viewerFor({ author_id, author_login }: PullRequest): Viewer {
  const account = author_id === null || author_login === null ? null : { id: author_id, login: author_login }
  return {
    account: () => account,
    mayReadPullRequests: async () => true,
    observationState: async () => observationOff,
  }
}

import { findActivity } from '../activity/activities.sql.ts'
import { loadChanges } from '../activity/details/changes.sql.ts'
import type { PullRequest } from '../db/generated/client.ts'
import { compareAll } from '../overlap/compare-all.ts'
import { type CheckContext, type LoadedProposal, loadProposals } from '../overlap/load-proposals.ts'
import { hasScope, metNotables } from '../overlap/met-notables.ts'
import type { Proposal } from '../overlap/proposal.ts'
import { relationshipByPull } from '../overlap/relationship/pull-relationship.ts'
import { relationshipTo } from '../overlap/relationship/relationship.ts'
import { namedIssues, noIssues } from '../overlap/same-issue-rules.ts'
import { hidesWords, isStranger } from '../overlap/texts/author.ts'
import { runInSlices } from '../scope/match/work-budget.ts'
import { type FoundPulls, findInSlices, joinFoundPulls } from './colliding-pulls.ts'
import { joinNotables, type ReportNotable, reportNotables } from './report-notables.ts'

/** The context in which a pull request is compared. */
export type ReportContext = CheckContext

export interface ComparedHead extends FoundPulls {
  /** How many of its changed files are never compared. */
  ignoredFiles: number
  /** Whether it is of a stranger. */
  isByStranger: boolean
  /** The notables that it meets. */
  notables: readonly ReportNotable[]
}

/** Compares the open pull requests of one head with all others. Null if none of them has a record that is live and read. */
export async function compareHead(context: ReportContext, pulls: readonly PullRequest[]): Promise<ComparedHead | null> {
  const known = await Promise.all(pulls.map(async (pull) => ({ pull, proposal: await proposalOf(context, pull) })))
  const live = known.flatMap(({ pull, proposal }) => (proposal ? [{ pull, proposal }] : []))
  const loaded = await loadProposals(
    context,
    live.map(({ proposal }) => proposal),
    extentOf(context),
  )
  const found: ComparedHead[] = []
  for (const [nth, one] of loaded.entries()) {
    const compared = live[nth] && (await comparePull(context, live[nth].pull, one))
    if (compared) found.push(compared)
  }
  const [first, ...rest] = found
  if (!first) return null
  const own = new Set(pulls.map(({ number }) => number))
  const joined = rest.reduce(joinedHeads, first)
  return { ...joined, colliding: joined.colliding.filter(({ number }) => !own.has(number)) }
}

/** The notables about the whole repository, which every pull request meets. */
export async function notablesOfRepository(context: ReportContext): Promise<readonly ReportNotable[]> {
  const nothing = {
    branch: null,
    base_branch: null,
    scope: { areas: [], paths: [] },
    tags: [],
    issues: noIssues,
    author: null,
  }
  const [loaded] = await loadProposals(context, [{ ...nothing, account: null, self: undefined }], extentOf(context))
  return loaded ? reportNotables(metNotables(loaded.notables, new Map()), isPublic(context)) : []
}

function extentOf({ settings }: ReportContext) {
  const notables = settings.pull_request_report_notables
  return { seesObserved: true, notables, merged: undefined, described: false }
}

/** A repository of which it is not known counts as public. */
function isPublic({ repository }: ReportContext): boolean {
  return repository.isPublic ?? true
}

function joinedHeads(a: ComparedHead, b: ComparedHead): ComparedHead {
  return {
    ...joinFoundPulls(a, b),
    ignoredFiles: Math.max(a.ignoredFiles, b.ignoredFiles),
    isByStranger: a.isByStranger && b.isByStranger,
    notables: joinNotables(a.notables, b.notables),
  }
}

/** The pull request as a proposal; null if it has no live record. Its author sees all pull requests. */
async function proposalOf(context: ReportContext, pull: PullRequest): Promise<Proposal | null> {
  const { db, now, repository } = context
  const activity = pull.activity_id === null ? undefined : await findActivity(db, repository.id, pull.activity_id)
  if (!activity || activity.ended_at !== null || activity.expires_at <= now) return null
  const changes = await loadChanges(db.prisma, repository.id, [activity.id])
  const known = changes.find(({ by }) => by === 'github')
  const { author_id, author_login } = pull
  const head = { is_fork: pull.head_repository_id !== repository.id, association: pull.author_association }
  const work = { source: 'pull_request', pull: head }
  return {
    branch: activity.branch,
    base_branch: pull.base_ref,
    scope: { areas: [], paths: [] },
    tags: [],
    issues: namedIssues(activity),
    author: author_login,
    account: author_id === null || author_login === null ? null : { id: author_id, login: author_login },
    self: activity.id,
    pullNumber: pull.number,
    byStranger: isStranger(work, isPublic(context)),
    hidesWords: hidesWords(work),
    changes: {
      files: known?.files ?? [],
      headSha: pull.head_sha,
      filesTotal: known?.files_total ?? 0,
      commits: new Set(pull.commits),
    },
  }
}

async function comparePull(
  context: ReportContext,
  pull: PullRequest,
  { proposal, ...loaded }: LoadedProposal,
): Promise<ComparedHead | null> {
  const comparison = await loaded.comparison()
  const ours = comparison.changed
  if (ours === null) return null
  const byBranch = relationshipTo(proposal, loaded.stack, loaded.defaultBranch)
  const works = loaded.candidates.filter(
    (work) => byBranch(work) === undefined && relationshipByPull(comparison.identity, work) === undefined,
  )
  // Most are compared by a few globs, and a freeze counts more than one pull request more.
  const overlaps = await compareAll([], loaded.notables.filter(hasScope), comparison)
  const { quieting, staleAfterMs, work } = comparison
  const { now } = context
  const ourSide = { ours, authorId: pull.author_id, quieting, isPublic: isPublic(context), now, staleAfterMs }
  const found = await runInSlices(findInSlices(works, ourSide, work), work)
  // The budget may have ended before.
  const others: FoundPulls = found === 'undecided' ? { colliding: [], nearbyCount: 0, isCut: true } : found
  return {
    ...others,
    isByStranger: proposal.byStranger ?? false,
    notables: reportNotables(metNotables(loaded.notables, overlaps), isPublic(context)),
    ignoredFiles: [...ours.byPath.keys()].filter(quieting.isIgnored).length,
  }
}

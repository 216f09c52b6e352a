import { countsAsPublic, hidesWords, isStranger } from '../../core/rules/author.ts'
import type { ComparedActivity, PullRequestInfo } from '../../core/rules/candidates/rows.ts'
import { type Comparison, compareAll } from '../../core/rules/compare-all.ts'
import { issuesInCommon } from '../../core/rules/duplicates/issues-in-common.ts'
import { type NamedIssues, namedIssues, noIssues, sharedIssues } from '../../core/rules/duplicates/same-issue-rules.ts'
import { isAboutPlaces, matchNotables } from '../../core/rules/matching-notables.ts'
import type { Proposal } from '../../core/rules/proposal.ts'
import { relationshipByPull } from '../../core/rules/relationship/pull-relationship.ts'
import { relationshipTo } from '../../core/rules/relationship/relationship.ts'
import { isStalePush } from '../../core/rules/stale-rules.ts'
import { runInSlices } from '../../core/scope/match/work-budget.ts'
import type { Activity, PullRequest } from '../db/generated/client.ts'
import { type CheckContext, type LoadedProposal, loadProposals } from '../overlap/load-proposals.ts'
import { emptyScope } from '../overlap/own-proposals.ts'
import { findActivity } from '../records/activity/activities.sql.ts'
import { loadChanges } from '../records/activity/details/changes.sql.ts'
import { coveringActivity } from '../records/activity/pull-request/covered.sql.ts'
import { type FoundPulls, findCollidingPulls, joinFoundPulls } from './colliding-pulls.ts'
import { findCoveringIssues } from './covering-issues.sql.ts'
import { joinNotables, type ReportNotable, reportNotables } from './report-notables.ts'
import { findOpenPulls } from './reports-store.ts'

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
    loadOptions(context),
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
    scope: emptyScope,
    tags: [],
    issues: noIssues,
    author: null,
  }
  const [loaded] = await loadProposals(context, [{ ...nothing, account: null, self: undefined }], loadOptions(context))
  return loaded ? reportNotables(matchNotables(loaded.notables, new Map()), countsAsPublic(context.repository)) : []
}

function loadOptions({ settings }: ReportContext) {
  const notables = settings.pull_request_report_notables
  return { seesObserved: true, notables, merged: undefined, described: false }
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
  const { db, now, repository, settings } = context
  const activity = pull.activity_id === null ? undefined : await findActivity(db, repository.id, pull.activity_id)
  if (!activity || activity.ended_at !== null || activity.expires_at <= now) return null
  const changes = await loadChanges(db.prisma, repository.id, [activity.id])
  const known = changes.find(({ by }) => by === 'github')
  const { author_id, author_login } = pull
  const work = { source: 'pull_request', pull: pullInfo(pull) }
  return {
    branch: activity.branch,
    base_branch: pull.base_ref,
    scope: emptyScope,
    tags: [],
    issues: await issuesOf(context, pull, activity),
    author: author_login,
    account: author_id === null || author_login === null ? null : { id: author_id, login: author_login },
    self: activity.id,
    pullNumber: pull.number,
    byStranger: isStranger(work, countsAsPublic(context.repository)),
    hidesWords: hidesWords(work),
    isStale: isStalePush(pull.pushed_at, now, settings.pull_request_ttl_ms),
    changes: {
      files: known?.files ?? [],
      headSha: pull.head_sha,
      filesTotal: known?.files_total ?? 0,
      commits: new Set(pull.commits),
    },
  }
}

function pullInfo(pull: PullRequest): PullRequestInfo {
  const { number, repository_id, head_repository_id, head_ref, head_sha, author_association: association } = pull
  return { number, is_fork: head_repository_id !== repository_id, head_ref, head_sha, association }
}

/** The issues of the pull request, and those of the recorded work that covers it. */
async function issuesOf(
  { db, now, repository }: ReportContext,
  { number }: PullRequest,
  activity: Pick<Activity, 'issues'>,
): Promise<NamedIssues> {
  const covering = await findCoveringIssues(db, repository.id, number, now)
  return namedIssues(covering ?? { issues: [], issues_from: null }, activity.issues)
}

async function comparePull(
  context: ReportContext,
  pull: PullRequest,
  { proposal, ...loaded }: LoadedProposal,
): Promise<ComparedHead | null> {
  const comparison = await loaded.comparison()
  const { changed: ours, counting, isPublic, work } = comparison
  if (ours === null) return null
  const byBranch = relationshipTo(proposal, loaded.stack, loaded.defaultBranch)
  const candidates = loaded.candidates.filter(
    (work) => byBranch(work) === undefined && relationshipByPull(comparison.identity, work) === undefined,
  )
  const works = await withCoveredPulls(context, candidates, comparison)
  // Notables come first in the budget: most have a few globs, and to miss a freeze is worse than to miss one pull request.
  const overlaps = await compareAll([], loaded.notables.filter(isAboutPlaces), comparison)
  const ourSide = { ...comparison, ours, issues: issuesInCommon(works, comparison), authorId: pull.author_id }
  const found = await runInSlices(findCollidingPulls(works, ourSide, work), work)
  // The budget may have ended before.
  const others: FoundPulls = found === 'undecided' ? { colliding: [], nearbyCount: 0, isCut: true } : found
  return {
    ...others,
    isByStranger: proposal.byStranger ?? false,
    notables: reportNotables(matchNotables(loaded.notables, overlaps), isPublic),
    ignoredFiles: [...ours.byPath.keys()].filter(counting.isIgnored).length,
  }
}

/**
 * The same works. Recorded work for an issue of ours gets the open pull request that it covers: the look-up by issues finds that
 * pull request only if its own text names the issue too.
 */
async function withCoveredPulls(
  { db, repository: { id: repository_id } }: ReportContext,
  works: readonly ComparedActivity[],
  { issues }: Comparison,
): Promise<readonly ComparedActivity[]> {
  const known = new Set(works.flatMap(({ pull }) => pull?.number ?? []))
  const recorded = works
    .filter((work) => work.source === 'recorded' && work.pull === null && sharedIssues(issues, work.issues) !== null)
    .map((work) => ({ ...work, repository_id, pr_repository_id: work.pr_number === null ? null : repository_id }))
  if (recorded.length === 0) return works
  const open = await findOpenPulls(db, repository_id, {
    numbers: recorded.flatMap(({ pr_number }) => pr_number ?? []),
    branches: recorded.flatMap(({ branch }) => branch ?? []),
  })
  const pullOf = new Map<string | undefined, PullRequestInfo>()
  for (const pull of open) if (!known.has(pull.number)) pullOf.set(coveringActivity(pull, recorded)?.id, pullInfo(pull))
  return works.map((work) => {
    const pull = pullOf.get(work.id)
    return pull ? { ...work, pull } : work
  })
}

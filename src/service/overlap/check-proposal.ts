import { AppError, invalidField, withinField } from '../../core/errors.ts'
import { repositoryNameKey } from '../../core/repository-names.ts'
import { namedIssues } from '../../core/rules/duplicates/same-issue-rules.ts'
import type { Proposal } from '../../core/rules/proposal.ts'
import type { Activity } from '../../core/schemas/activity.ts'
import type { BatchCheck, BatchOverlap, Overlap, OverlapCheck } from '../../core/schemas/overlap.ts'
import type { Context } from '../context.ts'
import type { ActivityRow } from '../records/activity/activities.sql.ts'
import { toDetails } from '../records/activity/details/details.ts'
import { requireActivity } from '../records/activity/get.ts'
import { presentActivity } from '../records/activity/present.ts'
import { parsePullRequestUrl } from '../records/activity/pull-request/pull-request-link.ts'
import { checkOverlap, checkOverlapOfTasks } from './check.ts'
import { emptyScope, loadOwnDetails, proposalOf, proposedChanges, sentChanges } from './own-proposals.ts'

/**
 * Checks what a proposal collides with. With an `activity_id`, that activity is left out, and supplies the scope, the branches
 * and the changes that the body leaves out (docs/rules.md#checking-for-overlap). Throws `validation_failed` for an invalid id or
 * `pr_url`.
 */
export async function checkProposal(context: Context, body: OverlapCheck): Promise<Overlap> {
  return checkOverlap(context, await readProposal(context, body), Boolean(body.changes))
}

/**
 * Checks several proposals with live work and with one another (docs/rules.md#many-tasks). Throws `validation_failed` as
 * `checkProposal` does, and where two name the same activity.
 */
export async function checkTasks(context: Context, { proposals: bodies }: BatchCheck): Promise<BatchOverlap> {
  const seen = new Set<string>()
  const proposals: Proposal[] = []
  for (const [index, body] of bodies.entries()) {
    const { activity_id: id } = body
    if (id !== undefined && seen.has(id))
      throw invalidField(`proposals[${index}].activity_id`, 'duplicate', 'is the activity of an earlier proposal')
    if (id !== undefined) seen.add(id)
    proposals.push(await withinField(`proposals[${index}]`, () => readProposal(context, body)))
  }
  return checkOverlapOfTasks(context, proposals)
}

async function readProposal(context: Context, body: OverlapCheck): Promise<Proposal> {
  const pullNumber = body.pr_url ? numberHere(context, body.pr_url) : undefined
  const own = body.activity_id === undefined ? undefined : await ownActivity(context, body.activity_id)
  const fromOwn = own && proposalOf(context, own, await loadOwnDetails(context, [own]), body)
  const weight = { risk: body.risk ?? 'low', blocking: body.blocking ?? false }
  return {
    branch: body.branch === undefined ? (fromOwn?.branch ?? null) : body.branch,
    base_branch: body.base_branch === undefined ? (fromOwn?.base_branch ?? null) : body.base_branch,
    scope: body.scope ?? fromOwn?.scope ?? emptyScope,
    tags: body.tags ?? [],
    issues: fromOwn ? fromOwn.issues : namedIssues({ issues: body.issues ?? [], issues_from: body.issues_from }),
    author: fromOwn ? fromOwn.author : (context.viewer.account()?.login ?? null),
    account: context.viewer.account(),
    self: fromOwn?.self,
    ended: fromOwn?.ended,
    own: fromOwn?.own,
    pullNumber: pullNumber ?? fromOwn?.pullNumber,
    byStranger: fromOwn?.byStranger,
    hidesWords: fromOwn?.hidesWords,
    isStale: fromOwn?.isStale,
    weight: fromOwn ? fromOwn.weight : weight,
    changes: fromOwn ? fromOwn.changes : proposedChanges(sentChanges(context, body.changes)),
  }
}

/**
 * Presents a stored activity, and checks what it collides with. It was saved before: so of two that collide the later one sees the
 * earlier. Its details are read once for both.
 */
export async function presentAndCheck(
  context: Context,
  row: ActivityRow,
  sendsChanges: boolean,
): Promise<{ activity: Activity; overlap: Overlap }> {
  const details = await loadOwnDetails(context, [row])
  return {
    activity: presentActivity(row, context.now, toDetails(details.rows.get(row.id) ?? [])),
    overlap: await checkOverlap(context, proposalOf(context, row, details), sendsChanges),
  }
}

async function ownActivity(context: Context, id: string): Promise<ActivityRow> {
  try {
    return await requireActivity(context, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw invalidField('activity_id', 'invalid_value', 'is not an activity of this repository')
  }
}

/** The number of a pull request of this repository; undefined for one of another. */
function numberHere({ repository, githubServerUrl }: Context, url: string): number | undefined {
  const { owner, repo, number } = parsePullRequestUrl(url, githubServerUrl)
  const isHere = repositoryNameKey(owner, repo) === repositoryNameKey(repository.owner, repository.name)
  return isHere ? number : undefined
}

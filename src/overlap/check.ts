import type { ActivityRow } from '../activity/activities.sql.ts'
import { requireActivity } from '../activity/get.ts'
import { statusOf, withExpiryApplied } from '../activity/present.ts'
import { parsePullRequestUrl } from '../activity/pull-request-link.ts'
import { isLive } from '../activity/status.ts'
import type { Context } from '../context.ts'
import { AppError, invalidField } from '../errors.ts'
import { workBudget } from '../scope/match/work-budget.ts'
import { parseScope, readGlobs, scopeOf } from '../scope/parse-scope.ts'
import type { Scope } from '../scope/schema.ts'
import { indexLookups } from './candidates/index-lookups.ts'
import { intersectingAreas } from './candidates/intersecting-areas.ts'
import { loadCandidates, loadMerged } from './candidates/load-candidates.sql.ts'
import type { MergedActivity } from './candidates/rows.ts'
import { evaluate } from './evaluate.ts'
import type { EndedActivity } from './findings.ts'
import type { BranchInfo } from './relationship.ts'
import { mergedPageSize } from './reuse.ts'
import type { Overlap, OverlapCheck } from './schema.ts'

/** The work that the caller is about to do. */
export interface Proposal extends BranchInfo {
  scope: Scope
  /** Labels that count as areas of the proposal. */
  tags: string[]
  /** The caller's own activity, which is left out of the comparison. */
  self: string | undefined
  /** The caller's own activity, if it has ended. */
  ended?: EndedActivity | undefined
}

/** The budget of a check: some two seconds of work, in slices. Only globs made to be costly come near it. */
const STEPS_OF_A_CHECK = 100_000_000
/** The budget for finding the areas of the settings that intersect the proposal. */
const STEPS_FOR_AREAS = STEPS_OF_A_CHECK / 4

const emptyScope: Scope = { areas: [], paths: [] }

/**
 * Checks what a proposal collides with. With an `activity_id`, that activity is left out, and supplies the scope and the
 * branches that the body leaves out (docs/rules.md#checking-for-overlap). Throws `validation_failed` for an invalid id or `pr_url`.
 */
export async function checkProposal(context: Context, body: OverlapCheck): Promise<Overlap> {
  if (body.pr_url) parsePullRequestUrl(body.pr_url, context.githubServerUrl)
  const own = body.activity_id === undefined ? undefined : await ownActivity(context, body.activity_id)
  return checkOverlap(context, {
    branch: body.branch === undefined ? (own?.branch ?? null) : body.branch,
    base_branch: body.base_branch === undefined ? (own?.base_branch ?? null) : body.base_branch,
    scope: body.scope ?? (own ? { areas: own.areas, paths: own.paths } : emptyScope),
    tags: body.tags ?? [],
    self: own?.id,
    ended: own && endedOf(own, context.now),
  })
}

async function ownActivity(context: Context, id: string) {
  try {
    return await requireActivity(context, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw invalidField('activity_id', 'invalid_value', 'is not an activity of this repository')
  }
}

function endedOf(own: ActivityRow, now: Date): EndedActivity | undefined {
  const row = withExpiryApplied(own, now)
  return isLive(statusOf(row)) ? undefined : row
}

/** Compares a proposal with the live work (docs/rules.md#overlap): loads candidates by index, and evaluates them. */
export async function checkOverlap(context: Context, proposal: Proposal): Promise<Overlap> {
  const { db, now, readGlob, repository, retentionMs, settings } = context
  const { defaultBranch } = repository
  const filter = { repositoryId: repository.id, now, self: proposal.self }
  const parseProposal = (scope: Scope) => parseScope(scope, settings.areas, readGlob)
  const parse = ({ areas, paths }: Scope) => scopeOf(areas, readGlobs(paths, readGlob), settings.areas, readGlob)
  const proposed = parseProposal({ areas: [...proposal.scope.areas, ...proposal.tags], paths: proposal.scope.paths })
  const areas = await intersectingAreas(proposed, Object.keys(settings.areas), parse, STEPS_FOR_AREAS)
  const lookups = indexLookups(proposed, areas)
  const page = { endedAfter: new Date(now.getTime() - retentionMs), count: mergedPageSize }
  const candidates = {
    ...(await loadCandidates(db, filter, { ...proposal, defaultBranch }, lookups, page)),
    self: proposal.self,
    ended: proposal.ended,
    defaultBranch,
    loadMerged: (after: MergedActivity) => loadMerged(db, repository.id, lookups, { ...page, after }),
  }
  return evaluate(proposal, candidates, { proposed, parse, work: workBudget(STEPS_OF_A_CHECK) })
}

import type { ActivityRow } from '../activity/activities.sql.ts'
import { requireActivity } from '../activity/get.ts'
import { statusOf, withExpiryApplied } from '../activity/present.ts'
import { parsePullRequestUrl } from '../activity/pull-request-link.ts'
import { isLive } from '../activity/status.ts'
import type { Context } from '../context.ts'
import { AppError, invalidField } from '../errors.ts'
import { areaKey } from '../scope/columns.ts'
import { compareInSlices, type ParsedScope, type ProposedScope, parseScope, scopeOf } from '../scope/compare.ts'
import { runInSlices, type WorkBudget, workBudget } from '../scope/match/work-budget.ts'
import { readGlobs } from '../scope/parse-scope.ts'
import type { Scope } from '../scope/schema.ts'
import { loadCandidates, type MergedActivity, moreMerged } from './candidates-store.ts'
import { compareCandidates } from './compare-candidates.ts'
import type { EndedActivity } from './compute.ts'
import { indexLookups } from './index-lookups.ts'
import type { BranchInfo } from './relationship.ts'
import { mergedAtOnce } from './reuse.ts'
import type { Overlap, OverlapCheck } from './schema.ts'

/** What somebody is about to do. */
export interface Proposal extends BranchInfo {
  scope: Scope
  /** Labels that count as areas of the proposal. */
  tags: string[]
  /** The caller's own record, left out of the comparison. */
  self: string | undefined
  /** That record, where it has ended. */
  ended?: EndedActivity | undefined
}

/** What one check may cost: some two seconds of work, in turns. Only scopes made to be costly come near it. */
const stepsOfACheck = 100_000_000
/** And what finding the areas of the settings that it meets. */
const stepsForAreas = stepsOfACheck / 4

const emptyScope: Scope = { areas: [], paths: [] }

/**
 * Answers a check: what does this collide with? With an `activity_id`, that record is left out, and stands in for what
 * was not sent (docs/rules.md#checking-for-overlap). Throws `validation_failed` for an invalid id or `pr_url`.
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

/**
 * Compares a proposal with what is live now (docs/rules.md#overlap): candidates come from the database by index, and are
 * compared exactly afterwards.
 */
export async function checkOverlap(context: Context, proposal: Proposal): Promise<Overlap> {
  const { db, now, readGlob, repository, retentionMs, settings } = context
  const of = { repositoryId: repository.id, now, self: proposal.self }
  const parse = (scope: Scope) => parseScope(scope, settings.areas, readGlob)
  const proposed = parse({ areas: [...proposal.scope.areas, ...proposal.tags], paths: proposal.scope.paths })
  const probes = indexLookups(proposed, await meetingAreas(proposed, Object.keys(settings.areas), parse))
  const { defaultBranch } = repository
  const page = { endedAfter: new Date(now.getTime() - retentionMs), count: mergedAtOnce }
  const world = {
    ...(await loadCandidates(db, of, { ...proposal, defaultBranch }, probes, page)),
    self: proposal.self,
    ended: proposal.ended,
    defaultBranch,
    moreMerged: (after: MergedActivity) => moreMerged(db, repository.id, probes, { ...page, after }),
  }
  const read = ({ areas, paths }: Scope) => scopeOf(areas, readGlobs(paths, readGlob), settings.areas, readGlob)
  return compareCandidates(proposal, world, { proposed, read, work: workBudget(stepsOfACheck) })
}

type Parse = (scope: Scope) => ParsedScope

/**
 * The areas of the settings whose globs meet the proposal's: work that names such an area may overlap it. All of them where
 * that is too costly to tell, since more than what could overlap does no harm.
 */
async function meetingAreas(proposed: ProposedScope, labels: string[], parse: Parse): Promise<string[]> {
  const work = workBudget(stepsForAreas)
  const found = await runInSlices(findAreas(proposed, labels, parse, work), work)
  return found === 'undecided' ? labels.map(areaKey) : found
}

function* findAreas(
  proposed: ProposedScope,
  labels: string[],
  parse: Parse,
  work: WorkBudget,
): Generator<void, string[]> {
  const found: string[] = []
  for (const label of labels) {
    const key = areaKey(label)
    // What the proposal names itself is looked up as it is.
    if (proposed.areaKeys.has(key)) continue
    const area = parse({ areas: [label], paths: [] })
    if (yield* compareInSlices(proposed, area, work)) found.push(key)
  }
  return found
}

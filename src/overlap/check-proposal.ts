import type { ActivityRow } from '../activity/activities.sql.ts'
import { clientChanges } from '../activity/details/client-changes.ts'
import { loadDetailRows } from '../activity/details/details.sql.ts'
import { type DetailRow, toDetails } from '../activity/details/details.ts'
import { requireActivity } from '../activity/get.ts'
import { statusOf, withExpiryApplied } from '../activity/present.ts'
import { parsePullRequestUrl } from '../activity/pull-request/pull-request-link.ts'
import { isDeclared, isObserved } from '../activity/source.ts'
import { isLive } from '../activity/status.ts'
import { changesWithin } from '../changes/changes-within.ts'
import type { ChangesInput } from '../changes/schema.ts'
import { type KnownChanges, unionOf } from '../changes/union.ts'
import type { Context } from '../context.ts'
import { AppError, invalidField } from '../errors.ts'
import { parseScope } from '../scope/parse-scope.ts'
import type { Scope } from '../scope/schema.ts'
import { loadCommits } from './candidates/observed.sql.ts'
import { checkOverlap } from './check.ts'
import type { EndedActivity } from './findings.ts'
import type { Proposal, ProposedChanges } from './proposal.ts'
import type { Overlap, OverlapCheck } from './schema.ts'

const emptyScope: Scope = { areas: [], paths: [] }

/**
 * Checks what a proposal collides with. With an `activity_id`, that activity is left out, and supplies the scope, the branches
 * and the changes that the body leaves out (docs/rules.md#checking-for-overlap). Throws `validation_failed` for an invalid id or
 * `pr_url`.
 */
export async function checkProposal(context: Context, body: OverlapCheck): Promise<Overlap> {
  const pullNumber = body.pr_url ? numberHere(context, body.pr_url) : undefined
  const own = body.activity_id === undefined ? undefined : await ownActivity(context, body.activity_id)
  const lent = own && (await proposalOf(context, own, body))
  return checkOverlap(context, {
    branch: body.branch === undefined ? (lent?.branch ?? null) : body.branch,
    base_branch: body.base_branch === undefined ? (lent?.base_branch ?? null) : body.base_branch,
    scope: body.scope ?? lent?.scope ?? emptyScope,
    tags: body.tags ?? [],
    author: lent ? lent.author : (context.viewer.account()?.login ?? null),
    self: lent?.self,
    ended: lent?.ended,
    own: lent?.own,
    pullNumber: pullNumber ?? lent?.pullNumber,
    changes: lent ? lent.changes : proposedChanges(sentChanges(context, body.changes)),
  })
}

/** Checks what a stored activity collides with. It was saved before: so of two that collide the later one sees the earlier. */
export async function checkActivity(context: Context, row: ActivityRow): Promise<Overlap> {
  return checkOverlap(context, await proposalOf(context, row))
}

async function ownActivity(context: Context, id: string): Promise<ActivityRow> {
  try {
    return await requireActivity(context, id)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw invalidField('activity_id', 'invalid_value', 'is not an activity of this repository')
  }
}

/** Reads what is known of the changes of a caller's own activity. */
export interface OwnReader {
  /** With `observed`, also what GitHub shows. */
  details(own: ActivityRow, observed: boolean): Promise<readonly DetailRow[]>
  commits(own: ActivityRow): Promise<readonly string[]>
}

/** What a caller sends in addition to the id of its activity. */
type Sent = Pick<OverlapCheck, 'scope' | 'changes'>

/**
 * The caller's own activity as a proposal. Changes that the caller sends replace those that a client has sent before;
 * those by GitHub are its own, and those of the pull request that it covers. With a scope that names a place, only what
 * the activity changes there is taken (docs/rules.md#checking-for-overlap).
 */
export async function proposalOf(
  context: Context,
  own: ActivityRow,
  sent: Sent = {},
  reader: OwnReader = readerOfOne(context),
): Promise<Proposal> {
  const { now } = context
  const ended = withExpiryApplied(own, now)
  return {
    branch: own.branch,
    base_branch: own.base_branch,
    scope: isDeclared(own) ? { areas: own.areas, paths: own.paths } : emptyScope,
    tags: [],
    author: own.author_login,
    self: own.id,
    ended: isLive(statusOf(ended)) ? undefined : (ended satisfies EndedActivity),
    own: { id: own.id, began_at: own.opened_at ?? own.created_at },
    pullNumber: pullNumberOf(own),
    changes: await ownChanges(context, own, sent, reader),
  }
}

function readerOfOne({ db, now }: Context): OwnReader {
  return {
    details: (own, observed) => loadDetailRows(db, [own], { now, files: true, observed }),
    commits: (own) => loadCommits(db, own.repository_id, { pullNumber: pullNumberOf(own), branch: own.branch }),
  }
}

/** The number of its pull request, if that is of this repository. */
export function pullNumberOf({ repository_id, pr_repository_id, pr_number }: ActivityRow): number | null {
  return pr_repository_id === repository_id ? pr_number : null
}

/** Whether GitHub may show changes of this activity. */
export function mayBeObserved(own: ActivityRow): boolean {
  const mayCover = own.ended_at === null && (own.branch !== null || pullNumberOf(own) !== null)
  return isObserved(own) || mayCover
}

async function ownChanges(
  context: Context,
  own: ActivityRow,
  { scope, changes: sent }: Sent,
  reader: OwnReader,
): Promise<ProposedChanges | null> {
  const observed = mayBeObserved(own) && (await context.viewer.mayReadPullRequests())
  const rows = own.has_changes || observed ? await reader.details(own, observed) : []
  const isVisible = (by: string | null) => (by === 'github' ? observed : sent === undefined)
  const saved = changesIn(context, scope, toDetails(rows.filter(({ by }) => isVisible(by))).changes)
  const known = unionOf(saved, sentChanges(context, sent))
  if (!known || !observed || saved === null || saved.by === 'client') return proposedChanges(known)
  return proposedChanges(known, new Set(await reader.commits(own)))
}

/** The changes of the files in a scope; all of them where it names nothing. */
function changesIn(
  { settings, readGlob }: Context,
  scope: Scope | undefined,
  known: KnownChanges | null,
): KnownChanges | null {
  if (known === null || !scope || scope.paths.length + scope.areas.length === 0) return known
  const { globs, areaGlobs } = parseScope(scope, settings.areas, readGlob)
  const files = changesWithin(known.files, [...globs, ...areaGlobs.map(({ glob }) => glob)])
  return { ...known, files, files_total: known.files_total - (known.files.length - files.length) }
}

function sentChanges({ now }: Context, sent: ChangesInput | null | undefined): KnownChanges | null {
  if (!sent) return null
  const { headSha, files, filesTotal } = clientChanges(sent, now)
  return { by: 'client', head_sha: headSha, files, files_total: filesTotal, read_at: now }
}

function proposedChanges(known: KnownChanges | null, commits?: ReadonlySet<string>): ProposedChanges | null {
  return known && { files: known.files, headSha: known.head_sha, filesTotal: known.files_total, commits }
}

/** The number of a pull request of this repository; undefined for one of another. */
function numberHere({ repository, githubServerUrl }: Context, url: string): number | undefined {
  const { owner, repo, number } = parsePullRequestUrl(url, githubServerUrl)
  const isHere = `${owner}/${repo}`.toLowerCase() === `${repository.owner}/${repository.name}`.toLowerCase()
  return isHere ? number : undefined
}

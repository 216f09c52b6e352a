import { changesWithin } from '../../core/changes/changes-within.ts'
import type { ChangesInput } from '../../core/changes/schema.ts'
import { type KnownChanges, unionOf } from '../../core/changes/union.ts'
import { countsAsPublic, hidesWords, isStranger, type PullAuthor } from '../../core/rules/author.ts'
import { type NamedIssues, namedIssues } from '../../core/rules/duplicates/same-issue-rules.ts'
import type { EndedActivity } from '../../core/rules/findings.ts'
import type { Proposal, ProposedChanges } from '../../core/rules/proposal.ts'
import { isStalePush } from '../../core/rules/stale-rules.ts'
import type { OverlapCheck } from '../../core/schemas/overlap.ts'
import { parseScope } from '../../core/scope/parse-scope.ts'
import type { Scope } from '../../core/scope/schema.ts'
import type { Context } from '../context.ts'
import type { ActivityRow } from '../records/activity/activities.sql.ts'
import { clientChanges } from '../records/activity/details/client-changes.ts'
import { type DetailRow, toDetails } from '../records/activity/details/details.ts'
import { loadDetailRowsOf } from '../records/activity/details/load-details.ts'
import { statusOf, withExpiryApplied } from '../records/activity/present.ts'
import { isDeclared } from '../records/activity/source.ts'
import { isLive } from '../records/activity/status.ts'
import { findPullAuthors } from './candidates/load-observed.sql.ts'

export const emptyScope: Scope = { areas: [], paths: [] }

/** What a caller sends in addition to the id of its activity. */
type Sent = Pick<OverlapCheck, 'scope' | 'changes' | 'issues' | 'issues_from'>

/** What is known of stored activities, by their ids. */
interface OwnDetails {
  /** Of their changes. */
  rows: ReadonlyMap<string, readonly DetailRow[]>
  /** Of the authors of those that are pull requests. */
  pulls: ReadonlyMap<string, PullAuthor & { pushed_at: Date }>
}

export async function loadOwnDetails(context: Context, rows: readonly ActivityRow[]): Promise<OwnDetails> {
  const mayRead = await context.viewer.mayReadPullRequests()
  return {
    rows: await loadDetailRowsOf(context, rows, { changes: 'files and commits', mayRead }),
    pulls: await findPullAuthors(context.db, context.repository.id, rows),
  }
}

/**
 * A stored activity as a proposal. Changes that the caller sends replace those that a client has sent before; those by GitHub are
 * its own, and those of the pull request that it covers. With a scope that names a place, only what the activity changes there
 * is taken (docs/rules.md#checking-for-overlap).
 */
export function proposalOf(context: Context, own: ActivityRow, details: OwnDetails, sent: Sent = {}): Proposal {
  const ended = withExpiryApplied(own, context.now)
  const pull = details.pulls.get(own.id) ?? null
  const work = { source: own.source, pull }
  return {
    branch: own.branch,
    base_branch: own.base_branch,
    scope: isDeclared(own) ? { areas: own.areas, paths: own.paths } : emptyScope,
    tags: [],
    issues: ownIssues(own, details.rows.get(own.id) ?? [], sent),
    author: own.author_login,
    account: context.viewer.account(),
    self: own.id,
    ended: isLive(statusOf(ended)) ? undefined : (ended satisfies EndedActivity),
    own: { id: own.id, began_at: own.opened_at ?? own.created_at },
    pullNumber: own.pr_repository_id === own.repository_id ? own.pr_number : null,
    byStranger: isStranger(work, countsAsPublic(context.repository)),
    hidesWords: hidesWords(work),
    isStale: pull !== null && isStalePush(pull.pushed_at, context.now, context.settings.pull_request_ttl_ms),
    weight: { risk: own.risk, blocking: own.blocking },
    changes: ownChanges(context, details.rows.get(own.id) ?? [], sent),
  }
}

/** What is sent replaces what was sent before. The issues of the pull request that the activity covers stay. */
function ownIssues(own: ActivityRow, details: readonly DetailRow[], { issues, issues_from }: Sent): NamedIssues {
  return namedIssues(issues ? { issues, issues_from } : own, toDetails(details).issues)
}

function ownChanges(
  context: Context,
  details: readonly DetailRow[],
  { scope, changes: sent }: Sent,
): ProposedChanges | null {
  const kept = details.filter(({ by }) => by === 'github' || sent === undefined)
  const saved = changesIn(context, scope, toDetails(kept).changes)
  const commits = new Set(kept.flatMap((row) => row.commits ?? []))
  return proposedChanges(unionOf(saved, sentChanges(context, sent)), commits)
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

export function sentChanges({ now }: Pick<Context, 'now'>, sent: ChangesInput | null | undefined): KnownChanges | null {
  if (!sent) return null
  const { headSha, files, filesTotal } = clientChanges(sent, now)
  return { by: 'client', head_sha: headSha, files, files_total: filesTotal, read_at: now }
}

export function proposedChanges(known: KnownChanges | null, commits?: ReadonlySet<string>): ProposedChanges | null {
  return known && { files: known.files, headSha: known.head_sha, filesTotal: known.files_total, commits }
}

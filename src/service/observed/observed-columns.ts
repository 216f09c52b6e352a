import { collapsePaths } from '../../core/changes/collapse-paths.ts'
import type { FileChange } from '../../core/changes/file-change.ts'
import { changedValues } from '../lib/changed-values.ts'
import type { ActivityRow } from '../records/activity/activities.sql.ts'
import { codingAgent } from './coding-agents.ts'
import type { ObservedRepositoryRef, PullRequestFacts } from './pull-requests/pull-request.ts'

type Columns = Partial<ActivityRow>

/** In characters (Unicode code points). */
const longestTitle = 200

/** GitHub's own account for accounts that were deleted. */
const deletedAccount = 'ghost'

/**
 * The columns of an activity that follow what GitHub says about its open pull request (docs/rules.md#observed-work). `issues` are
 * those of the facts without pull requests.
 */
export function factColumns(repository: ObservedRepositoryRef, facts: PullRequestFacts, issues: number[]) {
  const { number, author, draft } = facts
  return {
    title: titleOf(facts),
    ...accountColumns(author?.login ?? null, author?.id ?? null),
    status: draft ? 'draft-pr-open' : 'ready-for-review',
    draft_pr: draft,
    branch: branchOf(repository, facts),
    base_branch: facts.baseRef,
    pr_url: `https://${new URL(repository.serverUrl).host}/${repository.owner}/${repository.name}/pull/${number}`,
    pr_repository_id: repository.id,
    pr_number: number,
    opened_at: facts.openedAt,
    issues,
  } satisfies Columns
}

/** The columns of the account whose work it is. The login is null for a deleted account. */
export function accountColumns(login: string | null, id: bigint | null) {
  return {
    actor: login ?? deletedAccount,
    agent: login === null ? null : codingAgent(login),
    author_login: login,
    author_id: id,
  } satisfies Columns
}

/** The columns that follow the files of a pull request. Before they are read, `filesTotal` is null. */
export function fileColumns(number: number, files: readonly FileChange[], filesTotal: number | null) {
  const count = filesTotal === null ? '' : `: ${filesTotal.toLocaleString('en')} ${filesTotal === 1 ? 'file' : 'files'}`
  return {
    summary: `Pull request #${number}${count}`,
    paths: collapsePaths(files.map(({ path }) => path)),
  } satisfies Columns
}

/** The field of the API that a column belongs to, where it has another name. */
const fieldOf: Readonly<Record<string, string>> = { paths: 'scope', areas: 'scope', area_keys: 'scope' }

/** The columns that change: those that differ, without the fields that a caller has set. */
export function changedColumns(activity: Pick<ActivityRow, 'edited_fields'> & Columns, columns: Columns): Columns {
  const isUnedited = (column: string) => !activity.edited_fields.includes(fieldOf[column] ?? column)
  const changed = Object.entries(changedValues(activity, columns))
  return Object.fromEntries(changed.filter(([column]) => isUnedited(column)))
}

/**
 * The heartbeat after the time of the last push is known. A later heartbeat that a caller has sent since the former
 * push stays.
 */
export function heartbeatAfterPush(heartbeatAt: Date | null, formerPush: Date, push: Date): Date {
  if (heartbeatAt === null || heartbeatAt.getTime() === formerPush.getTime()) return push
  return heartbeatAt > push ? heartbeatAt : push
}

/** The head branch; `owner:branch` if it is in a fork. */
function branchOf(
  repository: ObservedRepositoryRef,
  { headRef, headRepositoryId, headOwner }: PullRequestFacts,
): string {
  return headRepositoryId === repository.id ? headRef : `${headOwner ?? 'unknown'}:${headRef}`
}

function titleOf({ title, number }: PullRequestFacts): string {
  const line = title.toWellFormed().replace(/\p{Cc}+/gu, ' ')
  return cutTitle(line.trim()) || `Pull request #${number}`
}

export function cutTitle(title: string): string {
  return Array.from(title).slice(0, longestTitle).join('').trim()
}

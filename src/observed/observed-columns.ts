import { collapsePaths } from '../changes/collapse-paths.ts'
import type { FileChange } from '../changes/file-change.ts'
import type { Activity } from '../db/generated/client.ts'
import { codingAgent } from './coding-agents.ts'
import type { ObservedRepositoryRef, PullRequestFacts } from './pull-request.ts'

type Columns = Partial<Omit<Activity, 'expires_hour' | 'changed_by'>>

/** In characters (Unicode code points). */
const longestTitle = 200

/** GitHub's own account for authors that were deleted. */
const deletedAuthor = 'ghost'

/** The columns of an activity that follow what GitHub says about its open pull request (docs/rules.md#observed-work). */
export function factColumns(repository: ObservedRepositoryRef, facts: PullRequestFacts) {
  const { number, author, draft } = facts
  return {
    title: titleOf(facts),
    actor: author?.login ?? deletedAuthor,
    agent: author === null ? null : codingAgent(author.login),
    status: draft ? 'draft-pr-open' : 'ready-for-review',
    draft_pr: draft,
    branch: branchOf(repository, facts),
    base_branch: facts.baseRef,
    pr_url: `https://${new URL(repository.serverUrl).host}/${repository.owner}/${repository.name}/pull/${number}`,
    pr_repository_id: repository.id,
    pr_number: number,
    author_login: author?.login ?? null,
    author_id: author?.id ?? null,
    opened_at: facts.openedAt,
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
export function changedColumns(activity: Pick<Activity, 'edited_fields'> & Columns, columns: Columns): Columns {
  const current = new Map<string, unknown>(Object.entries(activity))
  const isChanged = ([column, value]: [string, unknown]) =>
    !activity.edited_fields.includes(fieldOf[column] ?? column) && comparable(value) !== comparable(current.get(column))
  return Object.fromEntries(Object.entries(columns).filter(isChanged))
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
  const line = title
    .toWellFormed()
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
  return Array.from(line).slice(0, longestTitle).join('').trimEnd() || `Pull request #${number}`
}

function comparable(value: unknown): string {
  return JSON.stringify(typeof value === 'bigint' ? String(value) : value)
}

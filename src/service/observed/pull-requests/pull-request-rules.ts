import type { PullRequestEventFacts, PullRequestFacts, PullRequestRow } from './pull-request.ts'

/** Whether the row is newer than these facts: events and lists arrive late and out of order (docs/rules.md#late-events). */
export function isOutdated(
  row: Pick<PullRequestRow, 'state' | 'github_updated_at'>,
  facts: Pick<PullRequestFacts, 'state' | 'updatedAt'>,
  event?: PullRequestEventFacts,
): boolean {
  const age = facts.updatedAt.getTime() - row.github_updated_at.getTime()
  if (age !== 0) return age < 0
  // GitHub's times are whole seconds. Of an end and an open state in the same second, the end is mostly the later one.
  return row.state !== 'open' && facts.state === 'open' && !event?.reopened
}

/** The columns of `pull_requests` that are facts. */
export function rowFacts(facts: PullRequestFacts) {
  return {
    state: facts.state,
    title: facts.title,
    draft: facts.draft,
    head_sha: facts.headSha,
    head_ref: facts.headRef,
    head_repository_id: facts.headRepositoryId,
    head_owner: facts.headOwner,
    base_ref: facts.baseRef,
    author_login: facts.author?.login ?? null,
    author_id: facts.author?.id ?? null,
    author_association: facts.authorAssociation,
    opened_at: facts.openedAt,
    github_updated_at: facts.updatedAt,
    issues: facts.issues,
  }
}

/** Whether a pull request that was put aside stays so: until its next push or its reopening (docs/rules.md#observed-work). */
export function staysAside(
  row: Pick<PullRequestRow, 'state' | 'put_aside_head_sha'>,
  { headSha }: Pick<PullRequestFacts, 'headSha'>,
): boolean {
  return row.state === 'open' && row.put_aside_head_sha === headSha
}

/**
 * The columns for the time of the push of the head, if a webhook gives it. Without one, `pushed_at` is the time of the
 * opening, and after a reading that of the last commit.
 */
export function pushColumns(
  facts: Pick<PullRequestFacts, 'headSha'>,
  event: PullRequestEventFacts | undefined,
): Partial<Pick<PullRequestRow, 'pushed_at' | 'push_reported_sha'>> {
  return event?.pushedAt ? { pushed_at: event.pushedAt, push_reported_sha: facts.headSha } : {}
}

/** When the head was pushed, after its commits were read: the last commit, but never later than the last change. */
export function pushedAtAfterRead(
  row: Pick<PullRequestRow, 'head_sha' | 'pushed_at' | 'push_reported_sha' | 'github_updated_at'>,
  committedAt: Date | null,
): Date {
  if (committedAt === null || row.push_reported_sha === row.head_sha) return row.pushed_at
  return committedAt < row.github_updated_at ? committedAt : row.github_updated_at
}

/** The columns that say that the files of a head are to be read. */
export function unreadColumns(
  row: Pick<PullRequestRow, 'unread_since' | 'marked_by_webhook'>,
  byWebhook: boolean,
  now: Date,
) {
  return {
    read_attempts: 0,
    read_after: now,
    unread_since: row.unread_since ?? now,
    marked_by_webhook: byWebhook || row.marked_by_webhook,
  }
}

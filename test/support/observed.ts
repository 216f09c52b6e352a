import { collapsePaths } from '../../src/core/changes/collapse-paths.ts'
import type { FileChange } from '../../src/core/changes/file-change.ts'
import type { Database } from '../../src/service/db/database.ts'
import type { PullRequestRow } from '../../src/service/observed/pull-requests/pull-request.ts'
import type { ActivityRow } from '../../src/service/records/activity/activities.sql.ts'
import { insertActivity } from '../../src/service/records/activity/activities.sql.ts'
import { saveChanges } from '../../src/service/records/activity/details/changes.sql.ts'
import { activityRow } from './activity-row.ts'

export interface ObservedPullRequest {
  repositoryId: bigint
  number: number
  /** Its observed activity. */
  id: string
}

/** A modified file with these lines changed. */
export function changedFile(path: string, change: Partial<FileChange> = {}): FileChange {
  return { path, previous_path: null, status: 'modified', lines: [[1, 5]], ...change }
}

/** Inserts an open pull request with its observed activity and changed files, as a reading would. */
export async function insertPullRequest(
  db: Database,
  repository: { id: bigint; owner: string; name: string },
  now: Date,
  { pull = {}, activity = {}, files = [] }: InsertedParts = {},
): Promise<ObservedPullRequest> {
  const { id: repository_id, owner, name } = repository
  const number = pull.number ?? 12
  const row = activityRow(now, {
    repository_id,
    title: 'Rework sessions',
    summary: `Pull request #${number}: ${files.length} files`,
    actor: 'alice',
    status: 'ready-for-review',
    branch: pull.head_ref ?? 'sessions',
    base_branch: 'main',
    paths: collapsePaths(files.map(({ path }) => path)),
    pr_url: `https://github.com/${owner}/${name}/pull/${number}`,
    pr_repository_id: repository_id,
    pr_number: number,
    heartbeat_at: now,
    source: 'pull_request',
    author_login: 'alice',
    author_id: 7n,
    opened_at: new Date(now.getTime() - 3_600_000),
    ...activity,
  })
  await insertActivity(db.prisma, row)
  await db.prisma.pullRequest.create({
    data: {
      ...{ repository_id, number, state: 'open', title: row.title, draft: false, head_sha: 'a1', head_ref: 'sessions' },
      ...{ head_repository_id: repository_id, head_owner: owner, base_ref: 'main', author_association: 'MEMBER' },
      ...{
        author_login: 'alice',
        author_id: 7n,
        opened_at: now,
        pushed_at: now,
        github_updated_at: now,
        read_after: now,
      },
      ...{ activity_id: row.id, files_head_sha: 'a1' },
      ...pull,
    },
  })
  const headSha = pull.head_sha ?? 'a1'
  const changes = { by: 'github', headSha, files, filesTotal: files.length, readAt: now } as const
  if (files.length > 0) await db.transaction((tx) => saveChanges(tx, row, changes))
  return { repositoryId: repository_id, number, id: row.id }
}

interface InsertedParts {
  pull?: Partial<Omit<PullRequestRow, 'repository_id'>>
  activity?: Partial<ActivityRow>
  files?: FileChange[]
}

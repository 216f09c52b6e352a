import { scopeColumns } from '../../src/core/scope/columns.ts'
import { newId } from '../../src/service/lib/ids.ts'
import type { ActivityRow } from '../../src/service/records/activity/activities.sql.ts'

/** A live recorded activity on a branch of its own, which lives for a year. */
export function activityRow(createdAt: Date, columns: Partial<ActivityRow> = {}): ActivityRow {
  const id = newId('act')
  return {
    repository_id: 1n,
    id,
    title: 'Login',
    summary: 'Rework it.',
    actor: 'Alice',
    agent: null,
    status: 'active',
    risk: 'low',
    branch: id,
    base_branch: null,
    ...scopeColumns({ areas: [], paths: [] }),
    ...{ pr_url: null, pr_repository_id: null, pr_number: null, pr_event_at: null },
    draft_pr: false,
    blocking: false,
    heartbeat_at: null,
    expires_at: new Date(createdAt.getTime() + 365 * 86_400_000),
    created_at: createdAt,
    updated_at: createdAt,
    archived_at: null,
    archived_reason: null,
    ended_at: null,
    source: 'recorded',
    author_login: null,
    author_id: null,
    opened_at: null,
    edited_fields: [],
    issues: [],
    issues_from: null,
    has_changes: false,
    work_changed_at: null,
    ...columns,
  }
}

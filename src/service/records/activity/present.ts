import type { FileChange } from '../../../core/changes/file-change.ts'
import { changesLimits } from '../../../core/changes/limits.ts'
import type { ChangedFile, Changes, ChangesWithFiles } from '../../../core/changes/schema.ts'
import { insertionsIn, spansOfLines } from '../../../core/changes/spans.ts'
import {
  type ActivityStatus,
  activitySources,
  activityStatuses,
  archivedReasons,
  enumValue,
  risks,
} from '../../../core/enums.ts'
import { sortedNumbers } from '../../../core/lib/sorted-numbers.ts'
import type { Activity, RetrievedActivity } from '../../../core/schemas/activity.ts'
import { isPurged, type Retention } from '../../lib/retention.ts'
import type { Settings } from '../settings/schema.ts'
import type { ActivityRow } from './activities.sql.ts'
import type { ActivityDetails, ShownChanges } from './details/details.ts'
import { isObserved } from './source.ts'
import { isLive } from './status.ts'

export function statusOf(row: ActivityRow): ActivityStatus {
  return enumValue(activityStatuses, row.status)
}

/** Applies the expiry at `now`: a live activity is archived from its `expires_at` on (docs/rules.md#expiry). */
export function withExpiryApplied(row: ActivityRow, now: Date): ActivityRow {
  if (row.ended_at !== null || row.expires_at > now) return row
  const at = row.expires_at
  return { ...row, status: 'archived', archived_at: at, ended_at: at, updated_at: at, archived_reason: 'expired' }
}

/** Whether the retention of an activity that has ended is over. */
export function isActivityPurged(row: ActivityRow, retention: Retention): boolean {
  return isPurged(withExpiryApplied(row, retention.now).ended_at, retention)
}

/** The activity as responses show it, with its expiry applied at `now`. */
export function presentActivity(stored: ActivityRow, now: Date, details: ActivityDetails): Activity {
  const row = withExpiryApplied(stored, now)
  return {
    id: row.id,
    type: 'activity',
    title: row.title,
    summary: row.summary,
    actor: row.actor,
    agent: row.agent,
    status: statusOf(row),
    risk: enumValue(risks, row.risk),
    branch: row.branch,
    base_branch: row.base_branch,
    scope: { areas: row.areas, paths: row.paths },
    ...presentIssues(row, details),
    scope_changed: [...(details.changes?.directories ?? [])],
    pr_url: row.pr_url,
    draft_pr: row.draft_pr,
    blocking: row.blocking,
    heartbeat_at: row.heartbeat_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    archived_at: row.archived_at?.toISOString() ?? null,
    archived_reason: row.archived_reason === null ? null : enumValue(archivedReasons, row.archived_reason),
    source: enumValue(activitySources, row.source),
    author_login: row.author_login,
    began_at: (row.opened_at ?? row.created_at).toISOString(),
    covered_by: details.covered_by,
    changes: details.changes && presentChanges(details.changes),
  }
}

/** The issues of recorded work and of the pull request that it covers. */
function presentIssues({ issues, issues_from }: ActivityRow, { issues: covered }: ActivityDetails) {
  const isFromBranch = issues_from === 'branch' && issues.length > 0 && covered.length === 0
  return { issues: sortedNumbers(issues, covered), issues_from: isFromBranch ? ('branch' as const) : null }
}

function presentChanges({ by, head_sha, files_total, files_known, read_at }: ShownChanges): Changes {
  return { by, head_sha, files_total, files_compared: files_known, read_at: read_at.toISOString() }
}

function presentChangesWithFiles(changes: ShownChanges): ChangesWithFiles {
  const files = changes.files.slice(0, changesLimits.files)
  return { ...presentChanges(changes), files: files.map(presentFile) }
}

function presentFile(change: FileChange): ChangedFile {
  const { path, previous_path, status, lines } = change
  return {
    path,
    previous_path,
    status,
    lines: lines === null ? null : lines.map(([first, last]) => [first, last]),
    inserts: insertionsIn(spansOfLines(change)),
  }
}

interface ReminderRule {
  now: Date
  settings: Pick<Settings, 'pr_reminder_after_ms'>
  defaultBranch: string
}

/** The activity of a single retrieve, with `pr_reminder_due` (docs/rules.md#pull-request-reminders). */
export function presentRetrieved(
  row: ActivityRow,
  details: ActivityDetails,
  { now, settings, defaultBranch }: ReminderRule,
): RetrievedActivity {
  const activity = presentActivity(row, now, details)
  const expectsPullRequest = isLive(activity.status) && activity.status !== 'planned' && activity.status !== 'blocked'
  const ownBranch = activity.branch !== null && activity.branch !== defaultBranch
  const overdue = now.getTime() >= row.created_at.getTime() + settings.pr_reminder_after_ms
  const isDue = !isObserved(row) && expectsPullRequest && ownBranch && activity.pr_url === null && overdue
  return { ...activity, changes: details.changes && presentChangesWithFiles(details.changes), pr_reminder_due: isDue }
}

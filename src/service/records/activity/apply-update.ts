import { AppError } from '../../../core/errors.ts'
import type { ActivityUpdate } from '../../../core/schemas/activity.ts'
import { scopeColumns } from '../../../core/scope/columns.ts'
import { changedValues } from '../../lib/changed-values.ts'
import type { Settings } from '../settings/schema.ts'
import type { ActivityColumns, ActivityRow } from './activities.sql.ts'
import { extendedExpiry } from './lifetime.ts'
import { statusOf } from './present.ts'
import { assertObservedUpdate, editedFields } from './pull-request/observed-update.ts'
import type { LinkColumns } from './pull-request/pull-request-link.ts'
import { isObserved } from './source.ts'
import { allowedMoves, isLive, mayMove } from './status.ts'

interface UpdateRule {
  now: Date
  settings: Pick<Settings, 'activity_ttl_ms' | 'max_activity_ttl_ms'>
  /** The columns of the new pull request link; undefined if the link does not change. */
  link: LinkColumns | undefined
}

/**
 * Returns the columns that a PATCH changes, or none. The row has its expiry applied already. The status changes first,
 * then the heartbeat (docs/rules.md#heartbeats). A heartbeat alone does not change `updated_at`. Throws
 * `invalid_transition` or `observed`; then nothing of the PATCH is applied.
 */
export function applyUpdate(
  row: ActivityRow,
  update: ActivityUpdate,
  { now, settings, link }: UpdateRule,
): ActivityColumns {
  const { scope, status, heartbeat, pr_url: _link, changes: _changes, ...fields } = update
  if (isObserved(row)) assertObservedUpdate(row, update)
  const requested = {
    ...fields,
    ...(scope ? scopeColumns(scope) : {}),
    ...(update.issues ? { issues_from: update.issues_from ?? null } : {}),
    ...(isObserved(row) ? { edited_fields: editedFields(row, update) } : {}),
    ...link,
    ...(status === undefined ? {} : move(row, status, now)),
  }
  const changes: ActivityColumns = changedValues(row, requested)
  if (Object.keys(changes).length > 0) changes.updated_at = now
  if (!heartbeat) return changes
  return { ...changes, heartbeat_at: now, expires_at: extendedExpiry(row, now, settings) }
}

function move(row: ActivityRow, to: NonNullable<ActivityUpdate['status']>, now: Date): ActivityColumns {
  const from = statusOf(row)
  if (!mayMove(from, to)) {
    throw new AppError('invalid_transition', `An activity that is ${from} can't become ${to}.`, {
      allowed: allowedMoves(from),
    })
  }
  if (from === to) return {}
  if (isLive(to)) return { status: to }
  if (to !== 'archived') return { status: to, ended_at: now }
  return { status: to, ended_at: now, archived_at: now, archived_reason: from === 'merged' ? 'merged' : 'caller' }
}

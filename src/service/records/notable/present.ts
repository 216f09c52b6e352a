import { categories, enumValue, importances, notableStatuses } from '../../../core/enums.ts'
import type { Notable } from '../../../core/schemas/notable.ts'
import { isPurged, type Retention } from '../../lib/retention.ts'
import type { NotableRow } from './notables.sql.ts'

/** Applies the expiry at `now`: an active notable is expired from its `expires_at` on (docs/rules.md#expiry). */
export function withNotableExpiryApplied(row: NotableRow, now: Date): NotableRow {
  if (row.ended_at !== null || row.expires_at > now) return row
  return { ...row, status: 'expired', ended_at: row.expires_at, updated_at: row.expires_at }
}

/** Whether the retention of a notable that has ended is over. */
export function isNotablePurged(row: NotableRow, retention: Retention): boolean {
  return isPurged(withNotableExpiryApplied(row, retention.now).ended_at, retention)
}

/** The record as responses show it, with its status at `now`. */
export function presentNotable(stored: NotableRow, now: Date): Notable {
  const row = withNotableExpiryApplied(stored, now)
  return {
    id: row.id,
    type: 'notable',
    title: row.title,
    summary: row.summary,
    category: enumValue(categories, row.category),
    importance: enumValue(importances, row.importance),
    status: enumValue(notableStatuses, row.status),
    decision_url: row.decision_url,
    supersedes: row.supersedes,
    applies_until: row.applies_until?.toISOString() ?? null,
    scope: { areas: row.areas, paths: row.paths },
    blocking: row.blocking,
    author_login: row.author_login,
    expires_at: row.expires_at.toISOString(),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    archived_at: row.archived_at?.toISOString() ?? null,
  }
}

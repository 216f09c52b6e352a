import { notFound } from '../../../core/errors.ts'
import type { Heartbeat } from '../../../core/schemas/activity.ts'
import type { Context } from '../../context.ts'
import { isId } from '../../lib/ids.ts'
import { endedAfter } from '../../lib/retention.ts'
import { expireIfDue, heartbeatRow } from './activities.sql.ts'
import { requireActivity } from './get.ts'

/**
 * Sets `heartbeat_at` to now and extends `expires_at` by the lifetime, up to the cap. Does not revive an ended activity
 * (docs/rules.md#heartbeats). Throws `not_found`.
 */
export async function heartbeatActivity(context: Context, id: string): Promise<Heartbeat> {
  if (!isId('act', id)) throw notFound()
  const { db, now, repository, settings } = context
  const heartbeat = {
    repositoryId: repository.id,
    id,
    now,
    ttlMs: settings.activity_ttl_ms,
    maxTtlMs: settings.max_activity_ttl_ms,
    endedAfter: endedAfter(context),
  }
  // The right to see observed work is looked up only for observed work.
  const current = await heartbeatRow(db, { ...heartbeat, observed: false })
  if (current) return present(current, now)
  await requireActivity(context, id)
  await expireIfDue(db, repository.id, id, now)
  const other = await heartbeatRow(db, { ...heartbeat, observed: true })
  if (!other) throw notFound()
  return present(other, now)
}

function present(row: { id: string; heartbeat_at: Date | null; expires_at: Date }, now: Date): Heartbeat {
  return {
    id: row.id,
    heartbeat_at: (row.heartbeat_at ?? now).toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

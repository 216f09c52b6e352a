import type { Context } from '../context.ts'
import { notFound } from '../errors.ts'
import { isId } from '../lib/ids.ts'
import { requireActivity } from './get.ts'
import type { Heartbeat } from './schema.ts'
import { expireIfDue, heartbeatRow } from './store.ts'

/**
 * Says that the work goes on: `heartbeat_at` is now, and `expires_at` moves out by the lifetime, within its cap. Never
 * revives an ended record (decisions §4). Throws `not_found`.
 */
export async function heartbeatActivity(context: Context, id: string): Promise<Heartbeat> {
  if (!isId('act', id)) throw notFound()
  const { db, now, repository, settings } = context
  const signal = {
    repositoryId: repository.id,
    id,
    now,
    ttlMs: settings.activity_ttl_ms,
    maxTtlMs: settings.max_activity_ttl_ms,
    endedAfter: new Date(now.getTime() - context.retentionMs),
  }
  const current = await heartbeatRow(db, signal)
  if (current) return present(current, now)
  await requireActivity(context, id)
  await expireIfDue(db, repository.id, id, now)
  const ended = await heartbeatRow(db, signal)
  if (!ended) throw notFound()
  return present(ended, now)
}

function present(row: { id: string; heartbeat_at: Date | null; expires_at: Date }, now: Date): Heartbeat {
  return {
    id: row.id,
    heartbeat_at: (row.heartbeat_at ?? now).toISOString(),
    expires_at: row.expires_at.toISOString(),
  }
}

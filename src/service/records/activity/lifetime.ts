import type { Settings } from '../settings/schema.ts'

type Lifetimes = Pick<Settings, 'activity_ttl_ms' | 'max_activity_ttl_ms'>

const uncapped = Number.POSITIVE_INFINITY

/** When a new activity expires: after its lifetime or the cap, whichever is shorter (docs/rules.md#expiry). */
export function firstExpiry(createdAt: Date, { activity_ttl_ms, max_activity_ttl_ms }: Lifetimes): Date {
  return new Date(createdAt.getTime() + Math.min(activity_ttl_ms, max_activity_ttl_ms ?? uncapped))
}

/**
 * When an activity expires after a heartbeat at `now`: never earlier than before, never after the cap
 * (docs/rules.md#heartbeats).
 */
export function extendedExpiry(
  activity: { created_at: Date; expires_at: Date },
  now: Date,
  { activity_ttl_ms, max_activity_ttl_ms }: Lifetimes,
): Date {
  const cap = activity.created_at.getTime() + (max_activity_ttl_ms ?? uncapped)
  const extended = Math.min(now.getTime() + activity_ttl_ms, cap)
  return new Date(Math.max(activity.expires_at.getTime(), extended))
}

/**
 * `extendedExpiry` in SQL: heartbeats are most of the writes, and do not read the row first. `activity` is the row, and
 * `heartbeat` has the columns `at`, `ttl_ms` and `max_ttl_ms`. Null is no cap: `least` ignores it.
 */
export const extendedExpirySql = `greatest(activity.expires_at, least(
  heartbeat.at + heartbeat.ttl_ms * interval '1 millisecond',
  activity.created_at + heartbeat.max_ttl_ms * interval '1 millisecond'))`

import type { Activity } from '../../../src/core/schemas/activity.ts'
import type { CollidingPair } from '../../../src/core/schemas/live.ts'
import type { Notable } from '../../../src/core/schemas/notable.ts'
import type { LiveCheck, PrepareChecks } from '../../../src/service/live/pair-table.ts'

export const start = new Date('2026-11-20T09:30:00Z')
export const later = (ms: number) => new Date(start.getTime() + ms)

export function activity(id: string, changes: Partial<Activity> = {}): Activity {
  return {
    id,
    type: 'activity',
    title: id,
    summary: 'x',
    actor: 'alice',
    agent: null,
    status: 'active',
    risk: 'low',
    branch: id,
    base_branch: null,
    scope: { areas: [], paths: [] },
    issues: [],
    issues_from: null,
    scope_changed: [],
    pr_url: null,
    draft_pr: false,
    blocking: false,
    heartbeat_at: null,
    expires_at: later(3_600_000).toISOString(),
    created_at: start.toISOString(),
    updated_at: start.toISOString(),
    archived_at: null,
    archived_reason: null,
    source: 'recorded',
    author_login: null,
    began_at: start.toISOString(),
    covered_by: null,
    changes: null,
    ...changes,
  }
}

export function notable(id: string): Notable {
  return {
    id,
    type: 'notable',
    title: id,
    summary: 'x',
    category: 'warning',
    importance: 'low',
    author_login: null,
    status: 'active',
    decision_url: null,
    supersedes: [],
    applies_until: null,
    scope: { areas: [], paths: [] },
    blocking: false,
    expires_at: later(3_600_000).toISOString(),
    created_at: start.toISOString(),
    updated_at: start.toISOString(),
    archived_at: null,
  }
}

export function pair(a: string, b: string, changes: Partial<CollidingPair> = {}): CollidingPair {
  return {
    activity_ids: [a, b],
    severity: 'medium',
    areas: [],
    issues: [],
    example_path: 'src/a.ts',
    lines: null,
    reason: '',
    since: start.toISOString(),
    ...changes,
  }
}

/** Compares each activity by itself. */
export function eachBy(checkOf: (id: string) => LiveCheck): PrepareChecks {
  return async (ids) => new Map(ids.map((id) => [id, async () => checkOf(id)]))
}

/** One page, or none. */
export async function* pageOf<Item>(...items: Item[]): AsyncIterable<Item[]> {
  if (items.length > 0) yield items
}

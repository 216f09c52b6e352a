import type { Activity } from '../../../src/core/schemas/activity.ts'
import type { CollidingPair } from '../../../src/core/schemas/live.ts'
import type { Notable } from '../../../src/core/schemas/notable.ts'

const at = '2026-11-22T12:00:00.000Z'

export function activity(facts: Partial<Activity> = {}): Activity {
  return {
    id: 'act_1',
    type: 'activity',
    title: 'Rework the login',
    summary: 'New form.',
    actor: 'Ana',
    agent: null,
    status: 'active',
    risk: 'low',
    branch: 'feat/login',
    base_branch: 'main',
    scope: { areas: [], paths: ['src/auth/**'] },
    issues: [],
    issues_from: null,
    scope_changed: [],
    pr_url: null,
    draft_pr: false,
    blocking: false,
    heartbeat_at: at,
    expires_at: '2026-11-23T12:00:00.000Z',
    created_at: at,
    updated_at: at,
    archived_at: null,
    archived_reason: null,
    source: 'recorded',
    author_login: null,
    began_at: at,
    covered_by: null,
    changes: null,
    ...facts,
  }
}

export function pair(facts: Partial<CollidingPair> = {}): CollidingPair {
  return {
    activity_ids: ['act_2', 'act_1'],
    severity: 'high',
    areas: [],
    issues: [],
    example_path: 'src/auth/login.ts',
    lines: null,
    reason: 'They touch.',
    since: at,
    ...facts,
  }
}

export function notable(facts: Partial<Notable> = {}): Notable {
  return {
    id: 'ntb_1',
    type: 'notable',
    title: 'The tool changes',
    summary: 'Wait.',
    category: 'migration',
    importance: 'low',
    status: 'active',
    decision_url: null,
    supersedes: [],
    applies_until: null,
    scope: { areas: [], paths: [] },
    blocking: false,
    author_login: null,
    expires_at: '2026-11-29T12:00:00.000Z',
    created_at: at,
    updated_at: at,
    archived_at: null,
    ...facts,
  }
}

import { describe, expect, it } from 'vitest'
import type { Activity } from '../../src/service/db/generated/client.ts'
import { afterDelete, afterMerge, afterPull, type Merge } from '../../src/service/records/event-rules.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const [second, hour, day] = [1_000, 3_600_000, 86_400_000]

/** Live work on the branch `login`, a day old. */
function work(changed: Partial<Activity> = {}): Activity {
  const times = { created_at: ago(day), updated_at: ago(day), expires_at: ago(-hour) }
  const ended = { ended_at: null, archived_at: null, archived_reason: null }
  const link = { pr_url: null, pr_number: null, draft_pr: false }
  return { status: 'active', branch: 'login', base_branch: null, ...link, ...times, ...ended, ...changed } as Activity
}

const linked = { pr_url: 'https://github.com/acme/shop/pull/7', pr_number: 7 }
const elsewhere = { pr_url: 'https://github.com/acme/other/pull/7', pr_number: null }
const ended = (archived_reason: Activity['archived_reason'], ms: number) =>
  ({ status: 'archived', archived_reason, archived_at: ago(ms), ended_at: ago(ms) }) as const

const merge: Merge = { number: 7, head: 'login', base: 'main', mergedAt: now }
const archivedNow = { status: 'archived', archived_reason: 'merged', archived_at: now, ended_at: now, draft_pr: false }
const wasMerged = { archived_reason: 'merged' }

describe('§10 a merge', () => {
  it.each<[string, Partial<Activity>, Partial<Merge>, object | null]>([
    ['of its branch', {}, {}, archivedNow],
    ['of its number, on another branch', { ...linked, branch: 'other' }, {}, archivedNow],
    ['of its number, from a fork', { ...linked, branch: 'other' }, { head: null }, archivedNow],
    ['of its number, created later', { ...linked, created_at: now }, { mergedAt: ago(hour) }, archivedNow],
    ['of its branch from a fork, or the default one', {}, { head: null }, null],
    ['of another branch', { branch: 'other' }, {}, null],
    ['of its branch, with another number', { ...linked, pr_number: 8 }, {}, null],
    ['of its branch, with a link into another repository', elsewhere, {}, null],
    ['into its base', { base_branch: 'main' }, {}, archivedNow],
    ['into another base', { base_branch: 'develop' }, {}, null],
    ['created 30 s later', { created_at: ago(hour - 30 * second) }, { mergedAt: ago(hour) }, archivedNow],
    ['created over 30 s later', { created_at: ago(hour - 30 * second - 1) }, { mergedAt: ago(hour) }, null],
    ['created later, of a merge without a time', { created_at: now }, { mergedAt: null }, archivedNow],
    ['created later, of a merge 8 days ago', { created_at: now }, { mergedAt: ago(8 * day + 1) }, archivedNow],
    ['whose branch was deleted', ended('branch_deleted', second), {}, wasMerged],
    ['whose branch was deleted long before', ended('branch_deleted', hour), {}, wasMerged],
    ['that has expired', ended('expired', hour), {}, wasMerged],
    ['that a caller archived', { ...linked, ...ended('caller', hour) }, {}, null],
    ['that was merged before: told twice', { ...linked, ...ended('merged', hour) }, {}, null],
    [
      'that a caller abandoned',
      { ...linked, status: 'abandoned', ended_at: ago(hour), archived_reason: 'caller' },
      {},
      null,
    ],
  ])('of work %s', (_name, changed, event, change) => {
    expect(afterMerge(work(changed), { ...merge, ...event }, now)).toEqual(change)
  })

  it('archives work whose expiry nobody has written down at that instant', () => {
    const expired = { ...archivedNow, archived_at: ago(hour), ended_at: ago(hour) }
    expect(afterMerge(work({ expires_at: ago(hour) }), merge, now)).toEqual(expired)
  })

  it('and the deletion of its branch end as merged in either order', () => {
    const deleted = { branch: 'login', pushedAt: now }
    const first = { ...work(linked), ...afterDelete(work(linked), deleted, now) }
    expect({ ...first, ...afterMerge(first, merge, now) }).toMatchObject(archivedNow)
    const merged = { ...work(linked), ...afterMerge(work(linked), merge, now) }
    expect(afterDelete(merged, deleted, now)).toBeNull()
  })
})

describe('§10 the deletion of a branch', () => {
  const gone = { status: 'archived', archived_reason: 'branch_deleted', archived_at: now, ended_at: now }

  it.each<[string, Partial<Activity>, Date | null, object | null]>([
    ['on it', {}, now, gone],
    ['on it, with a pull request', linked, now, gone],
    ['on another branch', { branch: 'other' }, now, null],
    ['created 30 s after the last push', { created_at: ago(hour - 30 * second) }, ago(hour), gone],
    ['created over 30 s after it: on a new branch', { created_at: ago(hour - 30 * second - 1) }, ago(hour), null],
    ['created later, where no time is told', { created_at: now }, null, gone],
    ['created later, where the time is over 8 days old', { created_at: now }, ago(8 * day + 1), gone],
    ['that has ended', ended('caller', hour), now, null],
    ['that will merge into it', { branch: 'other', base_branch: 'login' }, now, { base_branch: null }],
    ['that will merge into a newer one', { branch: 'other', base_branch: 'login', created_at: now }, ago(hour), null],
    [
      'that ended and would have merged into it',
      { branch: 'o', base_branch: 'login', ...ended('caller', 1) },
      now,
      null,
    ],
  ])('and work %s', (_name, changed, pushedAt, change) => {
    expect(afterDelete(work(changed), { branch: 'login', pushedAt }, now)).toEqual(change)
  })

  it('leaves work whose time was over expired', () => {
    const expired = { status: 'archived', archived_reason: 'expired', archived_at: ago(hour), ended_at: ago(hour) }
    expect(afterDelete(work({ expires_at: ago(hour) }), { branch: 'login', pushedAt: now }, now)).toEqual(expired)
  })
})

it.each([
  ['active', true, true, 'draft-pr-open'],
  ['active', false, true, 'ready-for-review'],
  ['active', true, false, 'active'],
  ['draft-pr-open', false, false, 'ready-for-review'],
  ['ready-for-review', true, false, 'draft-pr-open'],
  ['planned', true, true, 'planned'],
  ['paused', false, true, 'paused'],
  ['blocked', false, true, 'blocked'],
])('§10 work that is %s, draft %s, just opened %s, becomes %s', (status, isDraft, isOpened, becomes) => {
  const change = afterPull(work({ ...linked, status, draft_pr: !isDraft }), { number: 7, isDraft, isOpened }, now)
  expect(change).toEqual({ status: becomes, draft_pr: isDraft })
})

it('§10 ended work, and work with another number, does not follow a pull request', () => {
  const pull = { number: 7, isDraft: true, isOpened: true }
  expect(afterPull(work({ ...linked, ...ended('merged', hour) }), pull, now)).toBeNull()
  expect(afterPull(work({ ...linked, expires_at: now }), pull, now)).toBeNull()
  expect(afterPull(work({ ...linked, pr_number: 8 }), pull, now)).toBeNull()
})

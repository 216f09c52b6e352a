import { TypeID } from 'typeid-js'
import { expect, it } from 'vitest'
import { activityStatuses, liveStatuses } from '../../src/core/enums.ts'
import type { Activity } from '../../src/service/db/generated/client.ts'
import { newId } from '../../src/service/records/ids.ts'
import {
  allowedStatuses,
  asOf,
  firstExpiry,
  isReminderDue,
  touched,
  transition,
} from '../../src/service/records/lifecycle.ts'

const now = new Date('2026-11-20T12:00:00Z')
const ago = (ms: number) => new Date(now.getTime() - ms)
const hour = 3_600_000
const act = { now, login: 'bob' }

function activity(changed: Partial<Activity> = {}): Activity {
  const times = { created_at: ago(hour), updated_at: ago(hour), expires_at: ago(-hour) }
  const ended = { ended_at: null, archived_at: null, archived_reason: null, archived_by: null }
  return { status: 'active', branch: 'login', pr_url: null, ...times, ...ended, ...changed } as Activity
}

it('§1 an id is a TypeID of a UUIDv7, which begins with its time', () => {
  const uuid = TypeID.fromString(newId('act', now)).toUUID()
  expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(Number.parseInt(uuid.replace('-', '').slice(0, 12), 16)).toBe(now.getTime())
})

it('§4 a live status leads to every other live one and to merged, abandoned and archived; an ended one to archived alone', () => {
  for (const from of liveStatuses) {
    const others = liveStatuses.filter((one) => one !== from)
    expect([...allowedStatuses(from)].sort()).toEqual([...others, 'merged', 'abandoned', 'archived'].sort())
  }
  expect(['merged', 'abandoned', 'archived'].map(allowedStatuses)).toEqual([['archived'], ['archived'], []])
})

it('§4 every move is legal, changes nothing, or is refused with what is allowed', () => {
  for (const from of activityStatuses) {
    for (const to of activityStatuses) {
      const row = activity({ status: from })
      if (from === to) expect(transition(to, row, act)).toEqual({})
      else if (allowedStatuses(from).includes(to)) expect(transition(to, row, act)).toMatchObject({ status: to })
      else expect(() => transition(to, row, act)).toThrow(expect.objectContaining({ code: 'invalid_transition' }))
    }
  }
  expect(() => transition('expired', activity(), act)).toThrow()
})

it('§4 merged and abandoned say when work ended and by whom, and are not archived', () => {
  const merged = transition('merged', activity(), act)
  expect(merged).toEqual({ status: 'merged', ended_at: now, archived_reason: 'merged', archived_by: 'bob' })
  expect(transition('abandoned', activity(), act)).toMatchObject({ archived_reason: 'caller' })
})

it('§4 archiving keeps when work ended, why and by whom', () => {
  const merged = activity({ status: 'merged', ended_at: ago(hour), archived_reason: 'merged', archived_by: 'alice' })
  expect(transition('archived', merged, act)).toMatchObject({
    ...{ status: 'archived', archived_at: now, ended_at: ago(hour), archived_reason: 'merged', archived_by: 'alice' },
  })
  expect(transition('archived', activity(), act)).toMatchObject({ archived_reason: 'caller', archived_by: 'bob' })
})

it('§4 work whose expiry has passed is archived at that instant, and not one millisecond before', () => {
  const row = activity({ expires_at: now })
  const archived = { status: 'archived', archived_reason: 'expired', archived_at: now, ended_at: now, updated_at: now }
  expect(asOf(row, now)).toMatchObject(archived)
  expect(asOf(row, ago(1))).toBe(row)
  expect(asOf(activity({ expires_at: null }), now).status).toBe('active')
})

it('§4 a create expires after the smaller of both lifetimes', () => {
  const expiry = (max_activity_ttl_ms: number | null) =>
    firstExpiry(now, { activity_ttl_ms: hour, max_activity_ttl_ms })
  expect([null, 2 * hour, 1_000].map(expiry)).toEqual([ago(-hour), ago(-hour), ago(-1_000)])
})

it('§4 each write moves updated_at by a millisecond at least', () => {
  expect(touched({ updated_at: ago(5) }, now)).toEqual(now)
  expect(touched({ updated_at: now }, now)).toEqual(ago(-1))
  expect(touched({ updated_at: ago(-hour) }, now)).toEqual(ago(-hour - 1))
})

it.each<[string, Partial<Activity>, boolean]>([
  ['live work on a branch, 4 hours old', {}, true],
  ['younger work', { created_at: ago(4 * hour - 1) }, false],
  ['work on the default branch', { branch: 'main' }, false],
  ['work without a branch', { branch: null }, false],
  ['work with a pull request', { pr_url: 'https://github.com/acme/shop/pull/1' }, false],
  ['planned work', { status: 'planned' }, false],
  ['blocked work', { status: 'blocked' }, false],
  ['paused work', { status: 'paused' }, true],
  ['archived work', { status: 'archived' }, false],
])('§4 pr_reminder_due of %s', (_name, changed, isDue) => {
  expect(isReminderDue(activity({ created_at: ago(4 * hour), ...changed }), 'main', now)).toBe(isDue)
})

import { describe, expect, it } from 'vitest'
import { check, type History } from './check.ts'
import type { CreateResult } from './missed-overlaps.ts'
import type { Snapshot } from './snapshot.ts'

function validRun(): { history: History; snapshot: Snapshot } {
  return {
    history: {
      records: [{ id: 'act_1', kind: 'activity', start: { status: 'active' }, steps: [] }],
      creations: [
        { title: 'one', ids: ['act_1', 'act_1'] },
        { title: 'unanswered', ids: [] },
        { title: 'old', ids: ['ntb_1'] },
        { title: 'new', ids: ['ntb_2'] },
      ],
      deliveries: [
        { guid: 'acknowledged', outcomes: ['handled', 'duplicate'] },
        { guid: 'lost', outcomes: [] },
      ],
      creates: [],
      gone: [],
    },
    snapshot: {
      activities: [
        { id: 'act_1', title: 'one', source: 'recorded', status: 'active', archivedAt: null, paths: ['src/a.ts'] },
      ],
      notables: [
        { id: 'ntb_1', title: 'old', status: 'archived', archivedAt: '11:00', supersedes: [] },
        { id: 'ntb_2', title: 'new', status: 'active', archivedAt: null, supersedes: ['ntb_1'] },
      ],
      scopeKeys: [{ activityId: 'act_1' }],
      notableScopeKeys: [{ notableId: 'ntb_2' }],
      idempotencyKeys: [{ recordId: 'act_1' }],
      deliveries: [{ guid: 'acknowledged' }],
    },
  }
}

const sight: CreateResult = { id: 'act_1', path: 'a', from: 0, until: 1, endedFrom: Infinity, named: [] }

function first<Value>(values: readonly Value[]): Value {
  const [value] = values
  if (value === undefined) throw new Error('the list is empty')
  return value
}

/** The violations after a change of the valid history. */
function violationsAfter(change: (whole: ReturnType<typeof validRun>) => void): string[] {
  const whole = validRun()
  change(whole)
  return check(whole.history, whole.snapshot)
}

it('finds no violation in a valid history', () => {
  expect(violationsAfter(() => {})).toEqual([])
})

describe('detects', () => {
  it('a lost record of an acknowledged create', () => {
    expect(violationsAfter(({ snapshot }) => snapshot.activities.splice(0))).toContain('one: act_1 is lost')
  })

  it('a duplicate record', () => {
    const twice = violationsAfter(({ snapshot }) =>
      snapshot.activities.push(...snapshot.activities.map((one) => ({ ...one, id: 'act_2' }))),
    )
    expect(twice).toContain('one: exists 2 times')
  })

  it('a retry with another record in its response', () => {
    expect(violationsAfter(({ history }) => history.creations[0]?.ids.push('act_9'))).toContain(
      'one: was answered with 2 ids',
    )
  })

  it('a record that nobody created', () => {
    expect(violationsAfter(({ history }) => history.creations.shift())).toEqual(['one: nobody created it'])
  })

  it('an acknowledged write that is lost', () => {
    const steps = [
      { by: 'c', from: 0, until: 1, effect: { does: 'archive' }, outcome: { is: 'ok', seen: {} } },
      { by: 'c', from: 2, until: 3, effect: { does: 'read' }, outcome: { is: 'ok', seen: { status: 'active' } } },
    ] as const
    const lost = violationsAfter(({ history }) => history.records[0]?.steps.push(...steps))
    expect(lost).toEqual([
      expect.stringMatching(/^act_1: no order explains its history \(\d+ tried\); after .*"does":"read"/),
    ])
  })

  it('an acknowledged delivery that is not recorded, and one that was handled twice', () => {
    expect(violationsAfter(({ snapshot }) => snapshot.deliveries.splice(0))).toEqual([
      'delivery acknowledged: was answered, and is recorded 0 times',
    ])
    expect(violationsAfter(({ history }) => history.deliveries[0]?.outcomes.push('handled'))).toEqual([
      'delivery acknowledged: was handled 2 times',
    ])
  })

  it('an archived record without archived_at, and a live one with it', () => {
    expect(violationsAfter(({ snapshot }) => (first(snapshot.notables).archivedAt = null))).toEqual([
      'ntb_1: is archived, archived_at null',
    ])
    expect(violationsAfter(({ snapshot }) => (first(snapshot.activities).archivedAt = '11:00'))).toEqual([
      'act_1: is active, archived_at 11:00',
    ])
  })

  it('an activity that is stored as expired', () => {
    expect(violationsAfter(({ snapshot }) => (first(snapshot.activities).status = 'expired'))).toHaveLength(1)
  })

  it('a superseded notable that is still active', () => {
    const alive = violationsAfter(({ snapshot }) => {
      Object.assign(first(snapshot.notables), { status: 'active', archivedAt: null })
      snapshot.notableScopeKeys.push({ notableId: 'ntb_1' })
    })
    expect(alive).toEqual(['ntb_1: is superseded by ntb_2, and still active'])
  })

  it('rows of missing records', () => {
    expect(violationsAfter(({ snapshot }) => snapshot.scopeKeys.push({ activityId: 'act_9' }))).toEqual([
      'scope_keys: of act_9, which does not exist',
    ])
    expect(violationsAfter(({ snapshot }) => snapshot.notableScopeKeys.push({ notableId: 'ntb_9' }))).toEqual([
      'notable_scope_keys: of ntb_9, which does not exist',
    ])
    expect(violationsAfter(({ snapshot }) => snapshot.idempotencyKeys.push({ recordId: 'act_9' }))).toEqual([
      'idempotency_keys: of act_9, which does not exist',
    ])
  })

  it('a scope that is not in its index', () => {
    expect(violationsAfter(({ snapshot }) => snapshot.scopeKeys.splice(0))).toEqual([
      'act_1: has paths, and no scope_keys',
    ])
    expect(violationsAfter(({ snapshot }) => snapshot.notableScopeKeys.splice(0))).toEqual([
      'ntb_2: is active, and has no notable_scope_keys',
    ])
  })

  it('an ended notable in the index', () => {
    const snapshot = violationsAfter((whole) => whole.snapshot.notableScopeKeys.push({ notableId: 'ntb_1' }))
    expect(snapshot).toEqual(['ntb_1: is archived, and has notable_scope_keys'])
  })

  it('two colliding creates that do not name each other', () => {
    const addPair = ({ history }: ReturnType<typeof validRun>, second: Partial<CreateResult>, named: string[] = []) =>
      history.creates.push({ ...sight, named }, { ...sight, id: 'act_2', ...second })
    const expected = ['act_2 and act_1 collide on a, and no response says so']
    expect(violationsAfter((whole) => addPair(whole, {}))).toEqual(expected)
    expect(violationsAfter((whole) => addPair(whole, {}, ['act_2']))).toEqual([])
    expect(violationsAfter((whole) => addPair(whole, { named: ['act_1'] }))).toEqual([])
    // If one follows the other, the later one has to name the earlier one.
    expect(violationsAfter((whole) => addPair(whole, { from: 2, until: 3 }, ['act_2']))).toEqual(expected)
    expect(violationsAfter((whole) => addPair(whole, { path: 'b' }))).toEqual([])
    expect(violationsAfter((whole) => addPair(whole, { endedFrom: 1 }))).toEqual([])
  })
})

it('a record whose retention is over may be missing, and its idempotency key may be left', () => {
  const { history, snapshot } = validRun()
  const deleted = { ...snapshot, activities: [], scopeKeys: [] }
  expect(check(history, deleted)).not.toEqual([])
  expect(check({ ...history, gone: ['act_1'] }, deleted)).toEqual([])
})

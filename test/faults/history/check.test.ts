import { describe, expect, it } from 'vitest'
import { check, type History } from './check.ts'
import type { Sight } from './sight.ts'
import type { Snapshot } from './snapshot.ts'

function sound(): { history: History; kept: Snapshot } {
  return {
    history: {
      records: [{ id: 'act_1', kind: 'activity', start: { status: 'active' }, steps: [] }],
      creations: [
        { title: 'one', ids: ['act_1', 'act_1'] },
        { title: 'never heard of', ids: [] },
        { title: 'old', ids: ['ntb_1'] },
        { title: 'new', ids: ['ntb_2'] },
      ],
      deliveries: [
        { guid: 'told', outcomes: ['handled', 'duplicate'] },
        { guid: 'lost', outcomes: [] },
      ],
      sights: [],
    },
    kept: {
      activities: [{ id: 'act_1', title: 'one', status: 'active', archivedAt: null, paths: ['src/a.ts'] }],
      notables: [
        { id: 'ntb_1', title: 'old', status: 'archived', archivedAt: '11:00', supersedes: [] },
        { id: 'ntb_2', title: 'new', status: 'active', archivedAt: null, supersedes: ['ntb_1'] },
      ],
      scopeKeys: [{ activityId: 'act_1' }],
      notableScopeKeys: [{ notableId: 'ntb_2' }],
      sightings: [{ activityId: 'act_1' }],
      idempotencyKeys: [{ recordId: 'act_1' }],
      deliveries: [{ guid: 'told' }],
    },
  }
}

const sight: Sight = { id: 'act_1', path: 'a', from: 0, until: 1, endedFrom: Infinity, named: [] }

function first<Value>(values: readonly Value[]): Value {
  const [value] = values
  if (value === undefined) throw new Error('the sound history lacks one')
  return value
}

/** What is found once the sound history was broken. */
function found(broken: (whole: ReturnType<typeof sound>) => void): string[] {
  const whole = sound()
  broken(whole)
  return check(whole.history, whole.kept)
}

it('finds nothing against a history that is as promised', () => {
  expect(found(() => {})).toEqual([])
})

describe('finds', () => {
  it('an acknowledged create whose record is lost', () => {
    expect(found(({ kept }) => kept.activities.splice(0))).toContain('one: act_1 is lost')
  })

  it('a record that is there twice', () => {
    const twice = found(({ kept }) => kept.activities.push(...kept.activities.map((one) => ({ ...one, id: 'act_2' }))))
    expect(twice).toContain('one: is there 2 times')
  })

  it('a retry that was answered with another record', () => {
    expect(found(({ history }) => history.creations[0]?.ids.push('act_9'))).toContain('one: was answered with 2 ids')
  })

  it('a record that nobody created', () => {
    expect(found(({ history }) => history.creations.shift())).toEqual(['one: nobody created it'])
  })

  it('an acknowledged write that is lost', () => {
    const steps = [
      { by: 'c', from: 0, until: 1, effect: { does: 'archive' }, outcome: { is: 'ok', seen: {} } },
      { by: 'c', from: 2, until: 3, effect: { does: 'read' }, outcome: { is: 'ok', seen: { status: 'active' } } },
    ] as const
    const lost = found(({ history }) => history.records[0]?.steps.push(...steps))
    expect(lost).toEqual([
      expect.stringMatching(/^act_1: no order explains its history \(\d+ tried\); after .*"does":"read"/),
    ])
  })

  it('a delivery that was acknowledged and is not recorded, and one that was handled twice', () => {
    expect(found(({ kept }) => kept.deliveries.splice(0))).toEqual([
      'delivery told: was answered, and is recorded 0 times',
    ])
    expect(found(({ history }) => history.deliveries[0]?.outcomes.push('handled'))).toEqual([
      'delivery told: was handled 2 times',
    ])
  })

  it('an archived record without its time, and a time without archiving', () => {
    expect(found(({ kept }) => (first(kept.notables).archivedAt = null))).toEqual([
      'ntb_1: is archived, archived_at null',
    ])
    expect(found(({ kept }) => (first(kept.activities).archivedAt = '11:00'))).toEqual([
      'act_1: is active, archived_at 11:00',
    ])
  })

  it('an activity that is stored as expired', () => {
    expect(found(({ kept }) => (first(kept.activities).status = 'expired'))).toHaveLength(1)
  })

  it('a superseded notable that is still active', () => {
    const alive = found(({ kept }) => {
      Object.assign(first(kept.notables), { status: 'active', archivedAt: null })
      kept.notableScopeKeys.push({ notableId: 'ntb_1' })
    })
    expect(alive).toEqual(['ntb_1: is superseded by ntb_2, and still active'])
  })

  it('rows of records that are not there', () => {
    expect(found(({ kept }) => kept.scopeKeys.push({ activityId: 'act_9' }))).toEqual([
      'scope_keys: of act_9, which is not there',
    ])
    expect(found(({ kept }) => kept.notableScopeKeys.push({ notableId: 'ntb_9' }))).toEqual([
      'notable_scope_keys: of ntb_9, which is not there',
    ])
    expect(found(({ kept }) => kept.sightings.push({ activityId: 'act_9' }))).toEqual([
      'branch_sightings: of act_9, which is not there',
    ])
    expect(found(({ kept }) => kept.idempotencyKeys.push({ recordId: 'act_9' }))).toEqual([
      'idempotency_keys: of act_9, which is not there',
    ])
  })

  it('a scope that no overlap would find', () => {
    expect(found(({ kept }) => kept.scopeKeys.splice(0))).toEqual(['act_1: has paths, and no scope_keys'])
    expect(found(({ kept }) => kept.notableScopeKeys.splice(0))).toEqual([
      'ntb_2: is active, and has no notable_scope_keys',
    ])
  })

  it('a notable that has ended, and is still in the index', () => {
    const kept = found((whole) => whole.kept.notableScopeKeys.push({ notableId: 'ntb_1' }))
    expect(kept).toEqual(['ntb_1: is archived, and has notable_scope_keys'])
  })

  it('two creates that collide and do not see each other', () => {
    const blind = ({ history }: ReturnType<typeof sound>, second: Partial<Sight>, named: string[] = []) =>
      history.sights.push({ ...sight, named }, { ...sight, id: 'act_2', ...second })
    const said = ['act_2 and act_1 collide on a, and the answers do not say so']
    expect(found((whole) => blind(whole, {}))).toEqual(said)
    expect(found((whole) => blind(whole, {}, ['act_2']))).toEqual([])
    expect(found((whole) => blind(whole, { named: ['act_1'] }))).toEqual([])
    // The later of two one after another is the one that has to say it.
    expect(found((whole) => blind(whole, { from: 2, until: 3 }, ['act_2']))).toEqual(said)
    expect(found((whole) => blind(whole, { path: 'b' }))).toEqual([])
    expect(found((whole) => blind(whole, { endedFrom: 1 }))).toEqual([])
  })
})

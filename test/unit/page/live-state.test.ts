import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pairKey } from '../../../src/core/rules/order/pair-order.ts'
import { applyEvent, type LiveState, type PageEvent } from '../../../src/page/model/live-state.ts'
import { activity, notable, pair } from './records.ts'

const nothingCut = { activities: false, notables: false, collisions: false, scopes: false }
const snapshot = (facts: object = {}): PageEvent => ({
  event: 'snapshot',
  data: {
    ...{ activities: [activity()], notables: [notable()], collisions: [pair()], access: 'read' },
    ...{ collisions_complete: true, truncated: nothingCut },
    ...facts,
  },
})
const stateAfter = (...events: PageEvent[]) =>
  [snapshot(), ...events].reduce<LiveState | undefined>(applyEvent, undefined)

describe('the state of the page', () => {
  it('begins with a snapshot, which replaces the old state', () => {
    const state = stateAfter(snapshot({ activities: [], collisions: [], access: 'write' }))
    expect(state).toMatchObject({ access: 'write', isComplete: true, truncated: nothingCut })
    expect([state?.activities.size, state?.notables.size, state?.collisions.size]).toEqual([0, 1, 0])
  })

  it('ignores events before the first snapshot', () => {
    expect(applyEvent(undefined, { event: 'activity', data: activity() })).toBeUndefined()
  })

  it.each([
    ['has ended', { status: 'archived' as const }],
    ['is covered by a recorded activity', { covered_by: 'act_9' }],
  ])('drops an activity that %s', (_, facts) => {
    expect(stateAfter({ event: 'activity', data: activity(facts) })?.activities.size).toBe(0)
    expect(stateAfter(snapshot({ activities: [activity(facts)] }))?.activities.size).toBe(0)
  })

  it('takes over a changed activity, and drops a notable that is over', () => {
    const state = stateAfter(
      { event: 'activity', data: activity({ title: 'Other' }) },
      { event: 'notable', data: notable({ status: 'expired' }) },
    )
    expect(state?.activities.get('act_1')?.title).toBe('Other')
    expect(state?.notables.size).toBe(0)
  })

  it('drops a pair that no longer collides, whichever activity it names first', () => {
    const data = { ...pair({ activity_ids: ['act_1', 'act_2'] }), gone: true as const }
    expect(stateAfter({ event: 'collision', data })?.collisions.size).toBe(0)
  })

  it('replaces all pairs after a resumed connection', () => {
    const items = [pair({ activity_ids: ['act_3', 'act_1'] })]
    const state = stateAfter({ event: 'collisions', data: { items, truncated: false, collisions_complete: true } })
    expect([...(state?.collisions.keys() ?? [])]).toEqual(['act_1 act_3'])
  })

  it.each(['snapshot', 'collisions'] as const)(
    'keeps known pairs of live work while the service compares anew, as a %s says after a restart',
    (event) => {
      const activities = ['act_1', 'act_2', 'act_3'].map((id) => activity({ id }))
      const [known, ended, found] = [
        pair({ activity_ids: ['act_2', 'act_1'] }),
        pair({ activity_ids: ['act_9', 'act_1'] }),
        pair({ activity_ids: ['act_3', 'act_1'] }),
      ]
      const began = snapshot({ activities, collisions: [known, ended] })
      const pairsAfter = (collisions_complete: boolean, activitiesCut = false) => {
        const truncated = { ...nothingCut, activities: activitiesCut }
        const all = { items: [found], truncated: false, collisions_complete }
        const again = snapshot({ activities, collisions: [found], collisions_complete, truncated })
        const first = activitiesCut ? snapshot({ activities, collisions: [known, ended], truncated }) : began
        const state = stateAfter(first, event === 'snapshot' ? again : { event, data: all })
        return [...(state?.collisions.keys() ?? [])].toSorted()
      }
      expect(pairsAfter(false)).toEqual(['act_1 act_2', 'act_1 act_3'])
      expect(pairsAfter(true)).toEqual(['act_1 act_3'])
      // Beyond what is sent it may never be complete.
      expect(pairsAfter(false, true)).toEqual(['act_1 act_3'])
    },
  )

  it('knows whether all was compared from each snapshot and each event with all pairs', () => {
    const began = snapshot({ collisions: [], collisions_complete: false })
    const data = { items: [], truncated: true, collisions_complete: true }
    expect(stateAfter(began)?.isComplete).toBe(false)
    const after = stateAfter(began, { event: 'collisions', data })
    expect(after).toMatchObject({ isComplete: true, truncated: { ...nothingCut, collisions: true } })
    expect(stateAfter({ event: 'collisions', data: { ...data, collisions_complete: false } })?.isComplete).toBe(false)
  })

  it('applies heartbeats without another change, and adds no activity for a heartbeat', () => {
    const heartbeat_at = '2026-11-22T13:00:00.000Z'
    const items = ['act_1', 'act_7'].map((id) => ({ id, heartbeat_at, expires_at: heartbeat_at }))
    const state = stateAfter({ event: 'alive', data: { items } })
    expect([...(state?.activities.values() ?? [])]).toEqual([activity({ heartbeat_at, expires_at: heartbeat_at })])
  })

  it('knows that it shows only the newest work from the snapshot, and from the 501st activity on', () => {
    const activities = Array.from({ length: 500 }, (_, n) => activity({ id: `act_${n}` }))
    expect(stateAfter(snapshot({ activities }))?.truncated.activities).toBe(false)
    const one: PageEvent = { event: 'activity', data: activity({ id: 'act_500' }) }
    expect(stateAfter(snapshot({ activities }), one)?.truncated.activities).toBe(true)
    const truncated = { ...nothingCut, activities: true }
    expect(stateAfter(snapshot({ truncated }))?.truncated).toEqual(truncated)
  })

  it('ends the same after any events as a snapshot of what is live then', () => {
    const id = fc.constantFrom('act_1', 'act_2', 'act_3')
    const work = fc.record({ id, title: fc.string(), status: fc.constantFrom('active' as const, 'merged' as const) })
    const collision = fc.record({ ids: fc.tuple(id, id), gone: fc.boolean() })
    fc.assert(
      fc.property(fc.array(fc.oneof(work, collision)), (steps) => {
        const [live, pairs] = [new Map<string, string>(), new Set<string>()]
        const events = steps.map((step): PageEvent => {
          if ('ids' in step) {
            const data = pair({ activity_ids: step.ids })
            if (step.gone) pairs.delete(pairKey(data))
            else pairs.add(pairKey(data))
            return { event: 'collision', data: step.gone ? { ...data, gone: true } : data }
          }
          if (step.status === 'merged') live.delete(step.id)
          else live.set(step.id, step.title)
          return { event: 'activity', data: activity(step) }
        })
        const state = stateAfter(snapshot({ activities: [], collisions: [] }), ...events)
        expect(new Map([...(state?.activities ?? [])].map(([key, { title }]) => [key, title]))).toEqual(live)
        expect(new Set(state?.collisions.keys())).toEqual(pairs)
      }),
    )
  })
})

import { expect, it } from 'vitest'
import { createStreamView, differences, viewOfLists } from './stream-view.ts'

const one = { id: 'act_1', status: 'active', covered_by: null, heartbeat_at: '11:00' }
const two = { id: 'act_2', status: 'active', covered_by: null }
const note = { id: 'ntb_1', status: 'active' }
const pair = { activity_ids: ['act_2', 'act_1'], severity: 'high', reason: 'r', since: '11:00' }
const event = (event: string, data: object) => ({ event, data: JSON.stringify(data), id: undefined })

function begun() {
  const view = createStreamView()
  view.apply(event('snapshot', { activities: [one], notables: [], collisions: [] }))
  return view
}

it('shows what the lists show after the same changes', () => {
  const view = begun()
  view.apply(event('activity', two))
  view.apply(event('notable', note))
  view.apply(event('collision', pair))
  expect(differences(view, viewOfLists({ activities: [one, two], notables: [note], collisions: [pair] }))).toEqual([])
  view.apply(event('activity', { ...one, status: 'merged' }))
  view.apply(event('activity', { ...two, covered_by: 'act_3' }))
  view.apply(event('notable', { ...note, status: 'superseded' }))
  view.apply(event('collision', { ...pair, gone: true }))
  expect(differences(view, viewOfLists({ activities: [], notables: [], collisions: [] }))).toEqual([])
})

it('finds a missed, a changed and a surplus record and pair', () => {
  const view = begun()
  const lists = { activities: [{ ...one, status: 'paused' }, two], notables: [note], collisions: [pair] }
  expect(differences(view, viewOfLists(lists)).map((line) => line.split(':')[0])).toEqual([
    'activity act_1',
    'activity act_2',
    'notable ntb_1',
    'collision act_1 act_2',
  ])
})

it('does not compare what changes without an event', () => {
  const view = begun()
  const lists = { activities: [{ ...one, heartbeat_at: '11:05' }], notables: [], collisions: [] }
  expect(differences(view, viewOfLists(lists))).toEqual([])
})

it('finds an event that was sent twice on one connection, and not one that was missed and is sent again', () => {
  const view = begun()
  view.apply(event('activity', two))
  view.apply(event('collision', pair))
  view.reconnect()
  view.apply(event('activity', two))
  view.apply(event('collisions', { items: [pair] }))
  view.apply(event('activity', two))
  expect(view.doubled).toEqual([])
  view.apply(event('activity', { ...two, heartbeat_at: '11:05' }))
  view.apply(event('collision', { ...pair, gone: true }))
  view.apply(event('collision', pair))
  view.apply(event('collision', { ...pair, reason: 'another' }))
  expect(view.doubled).toEqual([expect.stringContaining('"id":"act_2"'), expect.stringContaining('activity_ids')])
})

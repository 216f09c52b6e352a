import { describe, expect, it } from 'vitest'
import { findOrder } from './order.ts'
import type { Effect, Outcome, Step, View } from './step.ts'

const start: View = {
  summary: 'begun',
  status: 'active',
  risk: 'low',
  archived_at: null,
  archived_reason: null,
  heartbeat_at: null,
  expires_at: '12:00',
}
const read: Effect = { does: 'read' }
const beat: Effect = { does: 'beat' }
const archive: Effect = { does: 'archive' }
const high: Effect = { does: 'patch', set: { risk: 'high' } }
const unknown: Outcome = { is: 'unknown' }
const illegal: Outcome = { is: 'illegal' }
const patchOf = (summary: string): Effect => ({ does: 'patch', set: { summary } })
const ok = (seen: View = {}): Outcome => ({ is: 'ok', seen })
const move = (status: string): Effect => ({ does: 'patch', status, set: {} })

function step(from: number, until: number, effect: Effect, outcome: Outcome): Step {
  return { by: 'c', from, until, effect, outcome }
}

function verdict(...steps: Step[]): string {
  return findOrder({ start, steps }).is
}

describe('an order exists for', () => {
  it('sequential steps with matching reads', () => {
    const steps = [
      step(0, 1, high, ok({ risk: 'high' })),
      step(2, 3, beat, ok({ heartbeat_at: '11:00', expires_at: '13:00' })),
      step(4, 5, archive, ok({ status: 'archived', archived_at: '11:01' })),
      step(6, 7, archive, ok({ archived_at: '11:01' })),
      step(8, 9, move('active'), illegal),
      step(10, 11, read, ok({ status: 'archived', risk: 'high', archived_at: '11:01', heartbeat_at: '11:00' })),
    ]
    expect(verdict(...steps)).toBe('explained')
  })

  it('an attempt with an unknown outcome: done, done much later, or never', () => {
    const lost = step(0, 1, high, unknown)
    expect(verdict(lost, step(2, 3, read, ok({ risk: 'high' })))).toBe('explained')
    expect(verdict(lost, step(2, 3, read, ok({ risk: 'low' })))).toBe('explained')
    expect(verdict(lost, step(2, 3, read, ok({ risk: 'low' })), step(4, 5, read, ok({ risk: 'high' })))).toBe(
      'explained',
    )
  })

  it('concurrent attempts in either order', () => {
    const low: Effect = { does: 'patch', set: { risk: 'low' } }
    const both = [step(0, 5, high, ok({ risk: 'high' })), step(0, 5, low, ok({ risk: 'low' }))]
    for (const risk of ['high', 'low']) expect(verdict(...both, step(6, 7, read, ok({ risk })))).toBe('explained')
  })

  it('work that was merged and then archived, or whose branch was deleted before the merge arrived', () => {
    const shown = ok({ status: 'archived', archived_reason: 'merged' })
    expect(verdict(step(0, 1, move('merged'), ok()), step(2, 3, archive, ok()), step(4, 5, read, shown))).toBe(
      'explained',
    )
    const deleted = step(0, 1, { does: 'lose-branch' }, ok())
    expect(verdict(deleted, step(2, 3, { does: 'merge' }, ok()), step(4, 5, read, shown))).toBe('explained')
  })
})

describe('no order explains', () => {
  it('a lost acknowledged write', () => {
    expect(verdict(step(0, 1, high, ok()), step(2, 3, read, ok({ risk: 'low' })))).toBe('unexplained')
    expect(verdict(step(0, 1, archive, ok()), step(2, 3, read, ok({ status: 'active' })))).toBe('unexplained')
    const beaten = step(0, 1, beat, ok({ heartbeat_at: '11:00', expires_at: '13:00' }))
    expect(verdict(beaten, step(2, 3, read, ok({ heartbeat_at: null })))).toBe('unexplained')
    expect(verdict(step(0, 1, { does: 'lose-branch' }, ok()), step(2, 3, read, ok({ status: 'active' })))).toBe(
      'unexplained',
    )
  })

  it('a write with an unknown outcome that was seen and then lost', () => {
    const seen = step(2, 3, read, ok({ risk: 'high' }))
    expect(verdict(step(0, 1, high, unknown), seen, step(4, 5, read, ok({ risk: 'low' })))).toBe('unexplained')
  })

  it('a write that nobody requested, or that shows before its request', () => {
    expect(verdict(step(0, 1, read, ok({ risk: 'high' })))).toBe('unexplained')
    expect(verdict(step(0, 1, read, ok({ risk: 'high' })), step(2, 3, high, ok()))).toBe('unexplained')
  })

  it('a second archived_at', () => {
    const first = step(0, 1, archive, ok({ archived_at: '11:01' }))
    expect(verdict(first, step(2, 3, archive, ok({ archived_at: '11:02' })))).toBe('unexplained')
    expect(verdict(first, step(2, 3, read, ok({ archived_at: '11:02' })))).toBe('unexplained')
  })

  it('an illegal transition that was applied, and a legal one that was refused', () => {
    expect(verdict(step(0, 1, archive, ok()), step(2, 3, move('active'), ok()))).toBe('unexplained')
    expect(verdict(step(0, 1, move('abandoned'), ok()), step(2, 3, move('paused'), ok()))).toBe('unexplained')
    expect(verdict(step(0, 1, move('paused'), illegal))).toBe('unexplained')
  })

  it('a lifetime that became shorter', () => {
    const beaten = step(0, 1, beat, ok({ heartbeat_at: '11:00', expires_at: '13:00' }))
    expect(verdict(beaten, step(2, 3, read, ok({ expires_at: '12:00' })))).toBe('unexplained')
  })

  it('an acknowledged merge that did not change the reason branch_deleted, however old the deletion is', () => {
    const deleted = step(0, 300, { does: 'lose-branch' }, ok())
    const merged = step(61_000, 61_100, { does: 'merge' }, ok())
    const shown = ok({ status: 'archived', archived_reason: 'branch_deleted' })
    expect(verdict(deleted, step(400, 500, read, shown), merged)).toBe('explained')
    expect(verdict(deleted, merged, step(66_000, 66_100, read, shown))).toBe('unexplained')
  })

  it('an ended record that a delivery changed', () => {
    const beaten = step(0, 1, beat, ok({ heartbeat_at: '11:00' }))
    const ended = step(2, 3, archive, ok())
    expect(
      verdict(beaten, ended, step(4, 5, { does: 'push' }, ok()), step(6, 7, read, ok({ heartbeat_at: '11:05' }))),
    ).toBe('unexplained')
  })
})

it('reports how far an order got, and which steps it could not explain', () => {
  const gone = step(2, 3, read, ok({ risk: 'low' }))
  expect(findOrder({ start, steps: [step(0, 1, high, ok()), gone] })).toMatchObject({ fits: 1, stuck: [gone] })
})

it('reports that it gave up, since there may be an order', () => {
  const many = Array.from({ length: 12 }, (_, at) => step(at, at + 1, patchOf(String(at)), unknown))
  const gone = step(20, 21, read, ok({ summary: 'gone' }))
  expect(findOrder({ start, steps: [...many, gone] }, 100)).toMatchObject({ is: 'unexplained', gaveUp: true })
  expect(findOrder({ start, steps: [gone] }, 100)).toMatchObject({ is: 'unexplained', gaveUp: false })
})

it('handles many concurrent attempts with an unknown outcome', () => {
  const many = Array.from({ length: 12 }, (_, at) => step(at, at + 1, at % 2 ? high : beat, unknown))
  const reads = Array.from({ length: 12 }, (_, at) =>
    step(20 + at, 21 + at, read, ok({ risk: at < 6 ? 'low' : 'high' })),
  )
  expect(verdict(...many, ...reads)).toBe('explained')
})

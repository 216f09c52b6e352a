import { describe, expect, it, vi } from 'vitest'
import { comparePairs } from '../../../src/core/rules/order/pair-order.ts'
import { createPairTable, type LiveCheck } from '../../../src/service/live/pair-table.ts'
import { activity, eachBy, later, pair, start } from './records.ts'

it('pairs come worst first, of one severity those whose lines are known, then newest', () => {
  const low = pair('a', 'b', { severity: 'low', since: later(9).toISOString() })
  const [older, newer] = [pair('c', 'd'), pair('e', 'f', { since: later(1).toISOString() })]
  const atLines = pair('g', 'h', { lines: [[1, 2]] })
  expect([low, older, newer, atLines].sort(comparePairs)).toEqual([atLines, newer, older, low])
})

describe('the table of pairs', () => {
  const seen = (activity_id: string, changes: Partial<LiveCheck['collisions'][number]> = {}) => ({
    ...{ activity_id, severity: 'medium' as const, areas: [], issues: [], example_path: 'src/a.ts', reason: '' },
    ...{ lines: null, their_lines: null },
    ...changes,
  })
  const check = (collisions: LiveCheck['collisions'], nearby: string[] = []): LiveCheck => ({
    isCut: false,
    byStranger: false,
    collisions,
    nearby,
    changedAt: start,
  })

  /** Two activities, `b` newer than `a`, and what a check of each says. */
  function table(checks: Map<string, LiveCheck>) {
    const live = new Map(
      [activity('a'), activity('b', { began_at: later(1).toISOString() })].map((one) => [one.id, one]),
    )
    const checksOf = eachBy((id) => checks.get(id) ?? check([]))
    const pairs = createPairTable({ live, checksOf, mostBytes })
    pairs.clear()
    const update = (...ids: string[]) => {
      pairs.note(ids)
      return pairs.compare(start, 5_000)
    }
    return { live, pairs, update }
  }
  const mostBytes = () => 1024 * 1024

  it('has a pair that only one of the two checks finds, and the worse severity of both', async () => {
    const checks = new Map([
      ['a', check([seen('b', { severity: 'high', lines: [[1, 2]], their_lines: [[3, 4]] })])],
      ['b', check([seen('a', { severity: 'low' })])],
    ])
    const { pairs, update } = table(checks)
    await update()
    expect(pairs.list().items).toMatchObject([{ activity_ids: ['b', 'a'], severity: 'high', lines: [[3, 4]] }])
    checks.set('a', check([]))
    checks.set('b', check([seen('a')]))
    await update('a')
    expect(pairs.list().items).toMatchObject([{ severity: 'medium' }])
  })

  it('looks again at work that is nearby: its own check may find a collision', async () => {
    const checks = new Map([
      ['a', check([])],
      ['b', check([])],
    ])
    const { update } = table(checks)
    await update()
    checks.set('a', check([], ['b']))
    checks.set('b', check([seen('a')]))
    expect(await update('a')).toMatchObject([{ activity_ids: ['b', 'a'] }])
  })

  it('continues in the next update where the time ran out', async () => {
    const ids = Array.from({ length: 40 }, (_, n) => `act_${String(n).padStart(2, '0')}`)
    const live = new Map(ids.map((id) => [id, activity(id)]))
    // Each collides with the next one of a pair; a comparison takes a second.
    const partner = (id: string) => ids[ids.indexOf(id) ^ 1] ?? ''
    let [time, looks] = [0, 0]
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
    const pairs = createPairTable({
      live,
      mostBytes,
      checksOf: eachBy((id) => {
        time += 1000
        looks++
        return check([seen(partner(id))])
      }),
    })
    const told: string[] = []
    for (let poll = 0; poll < 60; poll++) {
      if (poll === 0) pairs.note(ids)
      const news = await pairs.compare(start, 5_000)
      told.push(...news.map(({ activity_ids }) => activity_ids.join()))
      if (poll === 0) expect(pairs.isCompared()).toBe(false)
    }
    clock.mockRestore()
    expect(told.sort()).toEqual(ids.filter((_, n) => n % 2 === 1).map((id) => `${id},${partner(id)}`))
    expect(pairs.isCompared()).toBe(true)
    expect(looks).toBeLessThanOrEqual(80)
  })

  it('continues after loading where the time ran out', async () => {
    let time = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => time)
    // Four are compared at least, so the fifth is late.
    const live = new Map(['a', 'b', 'c', 'd', 'e'].map((id) => [id, activity(id)]))
    const pairs = createPairTable({
      live,
      mostBytes,
      checksOf: eachBy((id) => {
        time += 6000
        return check(id === 'a' ? [seen('e')] : [])
      }),
    })
    pairs.clear()
    await pairs.compare(start, 5_000)
    expect(pairs.list().items).toEqual([])
    expect(pairs.isCompared()).toBe(false)
    expect(await pairs.compare(start, 1_000)).toMatchObject([{ activity_ids: ['e', 'a'] }])
    expect(pairs.isCompared()).toBe(true)
    clock.mockRestore()
  })

  it('reports a pair once, however often the text of its reason changes', async () => {
    const checks = new Map([
      ['a', check([])],
      ['b', check([seen('a', { reason: '“x”' })])],
    ])
    const { pairs, update } = table(checks)
    await update()
    checks.set('b', check([seen('a', { reason: '“y”' })]))
    expect(await update('b')).toEqual([])
    expect(pairs.list().items).toMatchObject([{ reason: '“y”' }])
  })

  it('continues with what a failed reading left, and reports what was found before', async () => {
    let failures = 0
    const live = new Map(['a', 'b'].map((id) => [id, activity(id)]))
    const checksOf = eachBy((id) => check([seen(id === 'a' ? 'b' : 'a')]))
    const pairs = createPairTable({
      live,
      mostBytes,
      checksOf: async (ids, now) => {
        if (failures++ === 0) throw new Error('The database is busy.')
        return await checksOf(ids, now)
      },
    })
    pairs.note(['a'])
    await expect(pairs.compare(start, 1_000)).rejects.toThrow('busy')
    expect(pairs.isCompared()).toBe(false)
    expect(await pairs.compare(start, 1_000)).toMatchObject([{ activity_ids: ['b', 'a'] }])
  })

  it('lists the pairs of some activities, whatever else collides', async () => {
    const checks = new Map([['a', check([seen('b')])]])
    const { pairs, update } = table(checks)
    await update()
    expect(pairs.list(new Set(['b'])).items).toHaveLength(1)
    expect(pairs.list(new Set(['c'])).items).toHaveLength(0)
  })

  it('holds no more than its bytes, by leaving out collisions, and says whose', async () => {
    const ids = Array.from({ length: 50 }, (_, n) => `a${n}`)
    const live = new Map(ids.map((id) => [id, activity(id)]))
    const others = (id: string) => ids.filter((other) => other !== id)
    const checksOf = eachBy((id) =>
      check(id === 'a0' ? [] : others(id).map((other) => seen(other, { reason: 'x'.repeat(1_000) }))),
    )
    const pairs = createPairTable({ live, mostBytes: () => 100_000, checksOf })
    pairs.clear()
    await pairs.compare(start, 60_000)
    expect(pairs.bytes()).toBeGreaterThan(50_000)
    expect(pairs.bytes()).toBeLessThanOrEqual(100_000)
    expect(pairs.list(new Set(['a1']))).toMatchObject({ isCut: true })
    // Its own check finds nothing, but those who see it may have been left out.
    expect(pairs.list(new Set(['a0']))).toMatchObject({ isCut: true })
  })
})

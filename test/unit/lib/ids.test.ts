import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isId, newId, newRecord } from '../../../src/service/lib/ids.ts'

afterEach(() => {
  vi.useRealTimers()
})

describe('ids', () => {
  it('sort by creation, even thousands within one millisecond', () => {
    const ids = Array.from({ length: 20_000 }, () => newId('act'))
    expect(ids.toSorted()).toEqual(ids)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('keep increasing when the clock is set back by an hour', () => {
    vi.useFakeTimers({ now: Date.now() + 1000 })
    const before = newId('ntb')
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(newId('ntb') > before).toBe(true)
  })

  it('go up together with the time of the record, for readings of the clock up to 30 s apart in any order', () => {
    let repositoryId = 0n
    fc.assert(
      fc.property(fc.array(fc.nat(29_999), { minLength: 2 }), (readings) => {
        const start = Date.parse('2026-11-20T09:30:00Z')
        repositoryId++
        const records = readings.map((ms) => newRecord('act', repositoryId, new Date(start + ms)))
        const times = records.map(({ created_at }) => created_at.getTime())
        expect(times).toEqual(times.toSorted((a, b) => a - b))
        expect(times.every((time, at) => time >= start + (readings[at] ?? 0))).toBe(true)
        const ids = records.map(({ id }) => id)
        expect(ids.toSorted()).toEqual(ids)
      }),
    )
  })

  it('are recognised by their prefix and alphabet', () => {
    expect(isId('act', newId('act'))).toBe(true)
    expect(isId('act', newId('ntb'))).toBe(false)
    expect(isId('act', `${newId('act')}\n`)).toBe(false)
    expect(isId('act', 'act_../../user')).toBe(false)
    expect(isId('act', newId('act').toUpperCase())).toBe(false)
  })
})

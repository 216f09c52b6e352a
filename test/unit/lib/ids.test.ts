import { afterEach, describe, expect, it, vi } from 'vitest'
import { isId, newId } from '../../../src/lib/ids.ts'

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

  it('are recognised by their prefix and alphabet', () => {
    expect(isId('act', newId('act'))).toBe(true)
    expect(isId('act', newId('ntb'))).toBe(false)
    expect(isId('act', `${newId('act')}\n`)).toBe(false)
    expect(isId('act', 'act_../../user')).toBe(false)
    expect(isId('act', newId('act').toUpperCase())).toBe(false)
  })
})

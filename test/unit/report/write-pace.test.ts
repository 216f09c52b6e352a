import { describe, expect, it } from 'vitest'
import { mayWrite, withWrite } from '../../../src/report/write-pace.ts'

const minute = 60_000
const now = 100 * minute
const times = (count: number, ago: number) => Array.from({ length: count }, () => now - ago)

describe('check runs of one owner', () => {
  it('are at most 60 a minute', () => {
    expect(mayWrite(times(59, 10_000), now)).toBe(true)
    expect(mayWrite(times(60, 10_000), now)).toBe(false)
    expect(mayWrite(times(60, minute), now)).toBe(true)
  })
  it('are at most 400 an hour', () => {
    expect(mayWrite(times(399, 30 * minute), now)).toBe(true)
    expect(mayWrite(times(400, 30 * minute), now)).toBe(false)
    expect(mayWrite(times(400, 60 * minute), now)).toBe(true)
  })
  it('are counted for an hour', () => {
    expect(withWrite([now - 61 * minute, now - 59 * minute], now)).toEqual([now - 59 * minute, now])
  })
})

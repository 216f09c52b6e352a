import { afterEach, describe, expect, it, vi } from 'vitest'
import { startDatabaseClock } from '../../../src/service/db/database-clock.ts'
import { minute, second } from '../../support/clock.ts'
import { silentLog } from '../../support/log.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** Starts a clock on a machine that is `ahead` of the database, whose answer takes `answerMs`. */
async function startClocks(state: { ahead: number; answerMs?: number; isAway?: boolean }) {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T09:30:00.000Z') })
  const lines: object[] = []
  const note = (fields: object) => void lines.push(fields)
  async function readTime() {
    if (state.isAway) throw new Error('away')
    const time = Date.now()
    // The answer takes all of the time on its way back.
    vi.setSystemTime(time + (state.answerMs ?? 0))
    return time
  }
  const log = { ...silentLog, info: note, warn: note }
  const clock = await startDatabaseClock(readTime, { log, everyMs: minute, machineNow: () => Date.now() + state.ahead })
  const nextReading = () => vi.advanceTimersByTimeAsync(minute)
  /** By how much it is ahead of the database, in ms. */
  const error = () => clock.now().getTime() - Date.now()
  return { clock, lines, nextReading, error }
}

describe('the clock of the database', () => {
  it.each([10 * minute, -10 * minute, 2 * second])('is followed where the machine is %i ms ahead', async (ahead) => {
    const { clock, lines, error } = await startClocks({ ahead })
    expect(error()).toBe(0)
    expect(clock.aheadMs()).toBe(ahead)
    expect(lines).toEqual([{ ahead_seconds: ahead / second }])
  })

  it('is that of the machine where the two agree within a second, however slow the answer is', async () => {
    for (const state of [{ ahead: 900 }, { ahead: 900, answerMs: 4_000 }]) {
      const { clock, lines } = await startClocks(state)
      expect(clock.aheadMs()).toBe(0)
      expect(lines).toEqual([])
    }
  })

  it('is read every minute: the log says once that the machine differs, and once that it agrees again', async () => {
    const state = { ahead: 0 }
    const { lines, nextReading, error } = await startClocks(state)
    state.ahead = 10 * minute
    await nextReading()
    await nextReading()
    expect(error()).toBe(0)
    state.ahead = 0
    await nextReading()
    await nextReading()
    expect(error()).toBe(0)
    expect(lines).toEqual([{ ahead_seconds: 600 }, { ahead_seconds: 0 }])
  })

  it('is more exact after a quicker answer', async () => {
    const state = { ahead: 10 * minute, answerMs: 4_000 }
    const { lines, nextReading, error } = await startClocks(state)
    expect(Math.abs(error())).toBe(2_000)
    state.answerMs = 10
    await nextReading()
    expect(Math.abs(error())).toBeLessThanOrEqual(5)
    state.answerMs = 4_000
    await nextReading()
    expect(Math.abs(error())).toBeLessThanOrEqual(5)
    expect(lines).toHaveLength(1)
  })

  it('keeps its difference while the database is unreachable', async () => {
    const state = { ahead: 10 * minute, isAway: false }
    const { nextReading, error } = await startClocks(state)
    state.isAway = true
    await nextReading()
    expect(error()).toBe(0)
  })

  it('is that of the machine while the database was never read, and is read later', async () => {
    const state = { ahead: 10 * minute, isAway: true }
    const { clock, nextReading, error } = await startClocks(state)
    expect(clock.aheadMs()).toBe(0)
    state.isAway = false
    await nextReading()
    expect(error()).toBe(0)
  })
})

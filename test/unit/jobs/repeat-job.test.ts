import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { repeatJob } from '../../../src/service/jobs/repeat-job.ts'
import { silentLog } from '../../support/log.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A job that ends when the test says so, and what wakes it. */
function startJob() {
  let wake = () => {}
  const ends: (() => void)[] = []
  const job = {
    name: 'read',
    everyMs: 10_000,
    run: () => new Promise<object>((resolve) => ends.push(() => resolve({}))),
    onWake: (start: () => void) => {
      wake = start
    },
  }
  const stop = repeatJob(job, silentLog)
  const settled = () => vi.advanceTimersByTimeAsync(0)
  return {
    runs: () => ends.length,
    wake: () => wake(),
    async end() {
      ends.at(-1)?.()
      await settled()
    },
    settled,
    stop,
  }
}

describe('a job that can be started early', () => {
  it('runs at once, and again when its time has come', async () => {
    const job = startJob()
    await job.end()
    job.wake()
    await job.settled()
    expect(job.runs()).toBe(2)
    await job.end()
    await vi.advanceTimersByTimeAsync(9_999)
    expect(job.runs()).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(job.runs()).toBe(3)
  })

  it('runs once again right after a run during which it was requested', async () => {
    const job = startJob()
    job.wake()
    job.wake()
    expect(job.runs()).toBe(1)
    await job.end()
    expect(job.runs()).toBe(2)
    await job.end()
    expect(job.runs()).toBe(2)
  })

  it('does not run after it was stopped', async () => {
    const job = startJob()
    await job.end()
    await job.stop()
    job.wake()
    await vi.advanceTimersByTimeAsync(60_000)
    expect(job.runs()).toBe(1)
  })
})

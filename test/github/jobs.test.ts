import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Job, startJobs } from '../../src/service/jobs.ts'
import { openRows, silentLog } from '../support/pulls.ts'

let rows: Awaited<ReturnType<typeof openRows>>
const waiting = { interval: 5, timeout: 20_000 }
let ends: (() => Promise<void>)[] = []
beforeAll(async () => {
  rows = await openRows()
})
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] })
})
afterEach(async () => {
  await Promise.all(ends.map((end) => end()))
  ends = []
  vi.useRealTimers()
  await rows.prisma.job.deleteMany()
})
afterAll(() => rows.close())

/** Starts an instance with a job that lasts until its test ends it, and one that is done at each look. */
async function startInstance() {
  const begun: ((state?: object) => void)[] = []
  const states: unknown[] = []
  let looks = 0
  const long: Job = {
    name: 'long',
    everyMs: 3_600_000,
    async run(state, save) {
      states.push(state)
      const saved = await new Promise<object | undefined>((resolve) => begun.push(resolve))
      if (saved) await save({ ...saved })
    },
  }
  const looking: Job = { name: `look ${ends.length}`, everyMs: 1, run: async () => void looks++ }
  const parts = { prisma: rows.prisma, now: () => new Date(), log: silentLog }
  ends.push(await startJobs(parts, [long, looking]))
  return {
    ...{ begun, states },
    /** One look of this instance, and of all others. */
    async look() {
      const before = looks
      await vi.advanceTimersByTimeAsync(1_000)
      await vi.waitUntil(() => looks > before, waiting)
    },
  }
}

function row() {
  return rows.prisma.job.findUniqueOrThrow({ where: { name: 'long' } })
}

describe('§10 one instance does a job at a time', () => {
  it('however long the job takes', async () => {
    const first = await startInstance()
    await first.look()
    for (let seconds = 0; seconds < 80; seconds += 20) {
      const { taken_until } = await row()
      vi.advanceTimersByTime(20_000)
      await vi.waitUntil(async () => (await row()).taken_until?.getTime() !== taken_until?.getTime(), waiting)
    }
    const second = await startInstance()
    await second.look()
    expect([first.begun.length, second.begun.length]).toEqual([1, 0])
    first.begun[0]?.()
  })

  it('and again, once it is done, where an event asked for it meanwhile', async () => {
    const [first, second] = [await startInstance(), await startInstance()]
    await first.look()
    await second.look()
    await rows.prisma.job.update({ where: { name: 'long' }, data: { next_at: new Date() } })
    await first.look()
    await second.look()
    const begun = () => [...first.begun, ...second.begun]
    expect(begun()).toHaveLength(1)
    begun()[0]?.({ seen: 3 })
    await vi.waitUntil(async () => (await row()).taken_until === null, waiting)
    await first.look()
    await second.look()
    expect(begun()).toHaveLength(2)
    expect([...first.states, ...second.states]).toContainEqual({ seen: 3 })
    for (const end of begun()) end()
  })

  it('and another one does it where the instance died', async () => {
    const died = new Date(Date.now() - 1)
    await rows.prisma.job.create({ data: { name: 'long', next_at: died, taken_until: died } })
    const instance = await startInstance()
    await instance.look()
    expect(instance.begun).toHaveLength(1)
    instance.begun[0]?.()
  })
})

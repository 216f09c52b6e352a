import { describe, expect, it } from 'vitest'
import { createLiveRecords } from '../../../src/service/telemetry/live-records.ts'

const seconds = (count: number) => count * 1_000

/** Live records with a clock and counts that the test controls. */
function setUp() {
  let at = 0
  const counts: Counting[] = []
  const live = createLiveRecords(
    () =>
      new Promise((resolve, reject) => {
        counts.push({
          finish: (activities) => resolve({ activities, notables: 0, observed: 0 }),
          fail: () => reject(new Error('away')),
        })
      }),
    () => at,
  )
  return {
    counts,
    live,
    setTime: (ms: number) => {
      at = ms
    },
    async counted(activities: number) {
      const shown = live()
      counts.at(-1)?.finish(activities)
      return await shown
    },
  }
}

interface Counting {
  finish(activities: number): void
  fail(): void
}

describe('the number of live records', () => {
  it('is counted at most every 30 seconds', async () => {
    const { counted, live, counts, setTime } = setUp()
    expect(await counted(1)).toEqual({ activities: 1, notables: 0, observed: 0 })
    setTime(seconds(29))
    expect(await live()).toMatchObject({ activities: 1 })
    expect(counts).toHaveLength(1)
    setTime(seconds(30))
    expect(await counted(2)).toMatchObject({ activities: 2 })
  })

  it('is counted once for concurrent scrapes', async () => {
    const { live, counts } = setUp()
    const shown = Promise.all([live(), live(), live()])
    expect(counts).toHaveLength(1)
    counts[0]?.finish(3)
    expect((await shown).map((records) => records?.activities)).toEqual([3, 3, 3])
  })

  it('is the last count for two minutes while a new one takes too long', async () => {
    const { counted, live, counts, setTime } = setUp()
    await counted(4)
    setTime(seconds(60))
    expect(await live()).toMatchObject({ activities: 4 })
    expect(counts).toHaveLength(2)
    setTime(seconds(119))
    expect(await live()).toMatchObject({ activities: 4 })
    setTime(seconds(120))
    expect(await live()).toBeNull()
    expect(counts).toHaveLength(2)
  })

  it('is null if the count fails, and is counted again later', async () => {
    const { counted, live, counts, setTime } = setUp()
    const shown = live()
    counts[0]?.fail()
    expect(await shown).toBeNull()
    expect(await live()).toBeNull()
    expect(counts).toHaveLength(1)
    setTime(seconds(30))
    expect(await counted(5)).toMatchObject({ activities: 5 })
  })
})

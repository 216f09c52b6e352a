import { describe, expect, it } from 'vitest'
import { createLiveRecords } from '../../../src/telemetry/live-records.ts'

const seconds = (count: number) => count * 1_000

/** Counts that a test answers by hand, at a time that it sets. */
function world() {
  let at = 0
  const asked: Counting[] = []
  const live = createLiveRecords(
    () =>
      new Promise((resolve, reject) => {
        asked.push({
          answer: (activities) => resolve({ activities, notables: 0 }),
          fail: () => reject(new Error('away')),
        })
      }),
    () => at,
  )
  return {
    asked,
    live,
    goTo: (ms: number) => {
      at = ms
    },
    async counted(activities: number) {
      const shown = live()
      asked.at(-1)?.answer(activities)
      return await shown
    },
  }
}

interface Counting {
  answer(activities: number): void
  fail(): void
}

describe('the number of live records', () => {
  it('is counted at most every 30 seconds, however often it is asked for', async () => {
    const { counted, live, asked, goTo } = world()
    expect(await counted(1)).toEqual({ activities: 1, notables: 0 })
    goTo(seconds(29))
    expect(await live()).toMatchObject({ activities: 1 })
    expect(asked).toHaveLength(1)
    goTo(seconds(30))
    expect(await counted(2)).toMatchObject({ activities: 2 })
  })

  it('is counted once for all who ask at once', async () => {
    const { live, asked } = world()
    const shown = Promise.all([live(), live(), live()])
    expect(asked).toHaveLength(1)
    asked[0]?.answer(3)
    expect((await shown).map((records) => records?.activities)).toEqual([3, 3, 3])
  })

  it('keeps nobody waiting for a count that does not come: the last one is shown, for two minutes', async () => {
    const { counted, live, asked, goTo } = world()
    await counted(4)
    goTo(seconds(60))
    expect(await live()).toMatchObject({ activities: 4 })
    expect(asked).toHaveLength(2)
    goTo(seconds(119))
    expect(await live()).toMatchObject({ activities: 4 })
    goTo(seconds(120))
    expect(await live()).toBeNull()
    expect(asked).toHaveLength(2)
  })

  it('is null while it can not be counted, and asked for again later', async () => {
    const { counted, live, asked, goTo } = world()
    const shown = live()
    asked[0]?.fail()
    expect(await shown).toBeNull()
    expect(await live()).toBeNull()
    expect(asked).toHaveLength(1)
    goTo(seconds(30))
    expect(await counted(5)).toMatchObject({ activities: 5 })
  })
})

import { describe, expect, it } from 'vitest'
import { type CollidingPull, type FoundPulls, joinFoundPulls } from '../../../src/service/report/colliding-pulls.ts'
import { nothingLeftOut } from '../../../src/service/report/report-facts.ts'
import { headlineOf } from '../../../src/service/report/report-text.ts'

const other = (number: number, given: Partial<CollidingPull> = {}): CollidingPull => ({
  ...{ number, login: 'bob', branch: 'feat', pushedAt: new Date(0), severity: 'low', closeness: 'near' },
  ...{ isStale: false, isOwn: false, byStranger: false, issues: [], files: [], filesTotal: 1, isWide: false },
  ...given,
})
const found = (...colliding: CollidingPull[]): FoundPulls => ({ colliding, nearbyCount: 0 })
const same = { severity: 'high', closeness: 'same lines' } as const

describe('what two pull requests of one head collide with', () => {
  const headline = ({ colliding }: FoundPulls) =>
    headlineOf({
      ...{ base: 'main', merged: [], ...nothingLeftOut, pageUrl: null, notCompared: null, nearbyCount: 0 },
      colliding,
    })

  it('has the worst of both first', () => {
    const joined = joinFoundPulls(found(other(1)), found(other(2, same)))
    expect(joined.colliding.map(({ number }) => number)).toEqual([2, 1])
    expect(headline(joined)).toEqual({ conclusion: 'neutral', title: 'Same lines as #2 (bob)' })
  })

  it('has stale ones last', () => {
    const joined = joinFoundPulls(found(other(1, { ...same, isStale: true })), found(other(2)))
    expect(joined.colliding.map(({ number }) => number)).toEqual([2, 1])
    expect(headline(joined)).toEqual({ conclusion: 'neutral', title: 'Same lines as #1 (bob)' })
  })

  it.each([
    ['first', found(other(1, same)), found(other(1))],
    ['second', found(other(1)), found(other(1, same))],
  ])('has each pull request once, as the worse says: the %s', (_, a, b) => {
    expect(joinFoundPulls(a, b).colliding).toEqual([other(1, same)])
  })

  it('has the greater number of those that are nearby', () => {
    expect(joinFoundPulls({ colliding: [], nearbyCount: 3 }, found()).nearbyCount).toBe(3)
  })
})

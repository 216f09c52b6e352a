import { expect, it } from 'vitest'
import { workBudget } from '../../../src/core/scope/match/work-budget.ts'
import { candidatesOf, comparisonOf, evaluate, notableOf } from './candidates-of.ts'

function notables(count: number, blocking: boolean, paths: string[] = []) {
  return Array.from({ length: count }, () => notableOf({ blocking, paths }))
}

function check(paths: string[], found: ReturnType<typeof notables>, work = workBudget()) {
  const comparison = comparisonOf({ paths, work })
  return evaluate({ branch: null, base_branch: null }, candidatesOf({ notables: found }), comparison)
}

const newest100 = (found: readonly { id: string }[]) =>
  found
    .map(({ id }) => id)
    .toReversed()
    .slice(0, 100)

it('each list of ids holds the newest 100 notables about the whole repository', async () => {
  const [freezes, others] = [notables(103, true), notables(103, false)]
  const overlap = await check(['src/a.ts'], [...freezes, ...others])
  expect(overlap.related_notable_ids).toEqual(newest100(freezes))
  expect(overlap.repository_notable_ids).toEqual(newest100(others))
  expect(overlap.reason).toContain('And 98 more: 103 notables overlap in all.')
  expect(overlap.recommended_action).toContain('See the 98 more about the whole repository too.')
})

it('a freeze is described even if newer notables of high severity fill the five lines', async () => {
  const [freeze, newer] = [notables(1, true), notables(9, true, ['src/**'])]
  const { messages } = await check(['src/a.ts'], [...freeze, ...newer])
  const told = (kind: string) => messages.filter((one) => one.kind === kind).flatMap(({ ids }) => ids)
  for (const kind of ['notable', 'advice']) expect(told(kind)).toContain(freeze[0]?.id)
})

it('a freeze is found even if the globs are too costly to compare', async () => {
  const costly = (end: string) => Array.from({ length: 20 }, (_, n) => `${'*[ab]'.repeat(200 - n)}*${end}?`)
  const [freeze, other] = [notables(1, true), notables(1, true, costly('y'))]
  const { related_notable_ids, reason } = await check(costly('x'), [...freeze, ...other], workBudget(100_000))
  expect(related_notable_ids).toEqual(freeze.map(({ id }) => id))
  expect(reason).toMatch('this is not the whole answer')
})

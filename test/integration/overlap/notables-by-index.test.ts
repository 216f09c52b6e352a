import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importances } from '../../../src/core/enums.ts'
import { notableSeverity, worst } from '../../../src/core/rules/severity.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import type { Scope } from '../../../src/core/scope/schema.ts'
import { areaMap, scope } from '../../support/arbitrary/scope.ts'
import { hour } from '../../support/clock.ts'
import { compareScopes } from '../../support/compare-scopes.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ settings: { areas: areaMap } })
})
afterAll(() => service.stop())

async function raiseSome(repository: TestRepository) {
  const raised = new Map<string, { scope: Scope; importance: (typeof importances)[number] }>()
  for (const [n, made] of fc.sample(scope, { numRuns: 90, seed: 3 }).entries()) {
    // A critical notable about the whole repository follows another rule.
    const isWhole = made.areas.length === 0 && made.paths.length === 0
    const importance = isWhole ? 'low' : (importances[n % importances.length] ?? 'low')
    raised.set((await repository.raised({ scope: made, importance })).id, { scope: made, importance })
  }
  return raised
}

describe('the notables that the index finds', () => {
  it('are those that comparing with every notable finds', async () => {
    const repository = service.newRepository()
    const raised = await raiseSome(repository)
    const isWhole = ({ areas, paths }: Scope) => areas.length === 0 && paths.length === 0
    const whole = [...raised].flatMap(([id, notable]) => (isWhole(notable.scope) ? id : []))
    expect(whole.length).toBeGreaterThan(0)
    await fc.assert(
      fc.asyncProperty(scope, async (proposal) => {
        const proposed = parseScope(proposal, areaMap)
        const found = [...raised].filter(([, { scope: other }]) => compareScopes(proposed, parseScope(other, areaMap)))
        const overlap = await repository.check({ scope: proposal })
        expect(overlap.related_notable_ids.toSorted()).toEqual(found.map(([id]) => id).sort())
        expect(overlap.repository_notable_ids.toSorted()).toEqual(whole.toSorted())
        const severities = found.map(([, { importance }]) => notableSeverity({ importance, blocking: false }))
        expect(overlap.severity).toBe(worst(severities))
      }),
      { numRuns: 100 },
    )
  })

  it('are found again once their applies_until is moved to a later time', async () => {
    const repository = service.newRepository()
    const applies_until = service.clock.now().toISOString()
    const { id } = await repository.raised({ scope: { paths: ['src/**'] }, applies_until })
    const found = async () => (await repository.check({ scope: { paths: ['src/a.ts'] } })).related_notable_ids
    expect(await found()).toEqual([])
    const later = new Date(service.clock.now().getTime() + hour).toISOString()
    await repository.patch(`/notables/${id}`, { applies_until: later })
    expect(await found()).toEqual([id])
  })

  it('are those of this repository only', async () => {
    const [here, there] = [service.newRepository(), service.newRepository()]
    await there.raised({ scope: { paths: ['src/**'] } })
    await there.raised()
    const { id } = await here.raised({ scope: { paths: ['src/**'] } })
    const overlap = await here.check({ scope: { paths: ['src/a.ts'] } })
    expect(overlap).toMatchObject({ related_notable_ids: [id], repository_notable_ids: [] })
  })
})

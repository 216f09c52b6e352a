import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexLookups } from '../../../src/core/rules/candidates/index-lookups.ts'
import {
  type NamedIssues,
  namedIssues,
  numbersOf,
  sharedIssues,
} from '../../../src/core/rules/duplicates/same-issue-rules.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import { loadCandidates } from '../../../src/service/overlap/candidates/load-candidates.sql.ts'
import { mostOfIssues } from '../../../src/service/overlap/candidates/split-by-result.ts'
import { day } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const issues = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 5 })
const sent = fc.record({ issues, issues_from: fc.constantFrom('branch' as const, null) })
/** What a record names when it begins, and what a later change makes of it. */
const history = fc.record({
  first: sent,
  later: fc.option(sent),
  daysSinceMerge: fc.option(fc.integer({ min: 0, max: 13 })),
})
const announced = { title: 'T', summary: 'S', actor: 'A' }

interface Stored {
  id: string
  named: NamedIssues
  daysSinceMerge: number | null
}

async function store(
  repository: TestRepository,
  { first, later, daysSinceMerge }: typeof history extends fc.Arbitrary<infer T> ? T : never,
) {
  const { activity } = await repository.created('/activity', { ...announced, ...first })
  if (later) await repository.patch(`/activity/${activity.id}`, later)
  if (daysSinceMerge !== null)
    await service.db.query(
      `update activities set status = 'merged', ended_at = $3 where repository_id = $1 and id = $2`,
      [repository.id, activity.id, new Date(service.clock.now().getTime() - daysSinceMerge * day)],
    )
  return { id: activity.id, named: namedIssues(later ?? first), daysSinceMerge } satisfies Stored
}

describe('an issue that very many works name', () => {
  it('is compared with a thousand of them, and the answer says that it is not whole', async () => {
    const repository = service.newRepository()
    const fill = async (count: number, path: string) => {
      await service.fill(repository, count, [path])
      await service.db.query(`update activities set issues = '{42}' where repository_id = $1`, [repository.id])
    }
    await fill(mostOfIssues, 'src/**')
    const proposal = { issues: [42], scope: { paths: ['docs/a.md'] } }
    expect(await repository.check(proposal)).toMatchObject({ clear: true, nearby_count: mostOfIssues })
    await fill(500, 'src/**')
    expect(await repository.check(proposal)).toMatchObject({
      ...{ clear: false, obstacles: ['cut_off'], nearby_count: mostOfIssues, overlap_detected: false },
      reason: expect.stringContaining('Not everything was compared'),
    })
    const onPath = await repository.check({ issues: [42], scope: { paths: ['src/a.ts'] } })
    expect(onPath).toMatchObject({ overlap_detected: true, severity: 'medium', obstacles: ['collision'] })
    expect(onPath.reason).toContain('1500 live activities overlap in all.')
  })
})

describe('the look-up of work by its issues', () => {
  it('finds what the rule says, live and merged, and first what was merged in the last days', async () => {
    const repository = service.newRepository()
    const stored: Stored[] = []
    for (const one of fc.sample(history, { numRuns: 60, seed: 3 })) stored.push(await store(repository, one))
    const now = service.clock.now()
    const filter = { repositoryId: repository.id, now, seesObserved: true }
    const closedAfter = new Date(now.getTime() - 7 * day)
    const merged = { endedAfter: new Date(now.getTime() - 12 * day), closedAfter, count: 100 }
    const noBranches = {
      branch: null,
      base_branch: null,
      defaultBranch: 'main',
      hasChanges: false,
      hasUncounted: false,
    }
    await fc.assert(
      fc.asyncProperty(fc.array(sent, { minLength: 1, maxLength: 4 }), async (proposals) => {
        const looked = proposals.map((one) => ({
          ...{ ...noBranches, self: undefined },
          lookups: indexLookups(parseScope({ areas: [], paths: [] }), [], numbersOf(namedIssues(one))),
        }))
        const loaded = await loadCandidates(service.db, filter, looked, { notables: false, merged, described: false })
        for (const [nth, one] of proposals.entries()) {
          const shares = stored.filter(({ named }) => sharedIssues(namedIssues(one), named) !== null)
          const ended = shares.filter(({ daysSinceMerge }) => daysSinceMerge !== null && daysSinceMerge < 12)
          const live = shares.filter(({ daysSinceMerge }) => daysSinceMerge === null)
          expect(loaded[nth]?.candidates.map(({ id }) => id).sort()).toEqual(live.map(({ id }) => id).sort())
          expect(loaded[nth]?.matchedByIndex).toEqual([])
          expect(loaded[nth]?.merged.map(({ id }) => id)).toEqual(
            ended
              .toSorted((a, b) => (a.daysSinceMerge ?? 0) - (b.daysSinceMerge ?? 0) || (a.id < b.id ? 1 : -1))
              .map(({ id }) => id),
          )
        }
      }),
      { numRuns: 40 },
    )
  })
})

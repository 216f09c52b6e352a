import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import type { Severity } from '../../../src/core/enums.ts'
import {
  epicsAmong,
  issueOverlap,
  namedIssues,
  sharedIssues,
} from '../../../src/core/rules/duplicates/same-issue-rules.ts'
import { closest, collisionSeverity, worst } from '../../../src/core/rules/severity.ts'
import type { BatchOverlap } from '../../../src/core/schemas/overlap.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import { areaMap, scope } from '../../support/arbitrary/scope.ts'
import { compareScopes } from '../../support/compare-scopes.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ settings: { areas: { ...areaMap, web: ['web/**'] } } })
})
afterAll(() => service.stop())

async function checkTasks(repository: TestRepository, proposals: object[]): Promise<z.infer<typeof BatchOverlap>> {
  const answer = await repository.post('/activity/check/batch', { proposals })
  expect(answer, JSON.stringify(answer.body)).toMatchObject({ status: 200 })
  return answer.body as z.infer<typeof BatchOverlap>
}

const paths = (...globs: string[]) => ({ scope: { paths: globs } })
const changing = (path: string, first: number, last: number) => ({
  changes: { files: [{ path, lines: [[first, last]] }] },
})
const announced = { title: 'T', summary: 'S', actor: 'A' }

describe('a check of many tasks', () => {
  it('says of each what a check alone says, where none collides with another', async () => {
    const repository = service.newRepository()
    await repository.created('/activity', { ...announced, ...paths('src/**') })
    await repository.raised({ scope: { paths: ['docs/**'] } })
    const proposals = [paths('src/a.ts'), paths('docs/a.md'), paths('lib/a.ts'), {}]
    const { results, pairs, pairs_complete } = await checkTasks(repository, proposals)
    expect(results).toEqual(await Promise.all(proposals.map((one) => repository.check(one))))
    expect({ pairs, pairs_complete }).toEqual({ pairs: [], pairs_complete: true })
  })

  describe('finds what as many checks find, and the pairs that the rules on scopes and issues find', () => {
    const areas = { ...areaMap, web: ['web/**'] }
    const issues = fc.uniqueArray(fc.integer({ min: 1, max: 15 }), { maxLength: 2 })
    const issues_from = fc.constantFrom('branch' as const, null)
    const task = fc.record({ scope, issues, issues_from, risk: fc.constantFrom('low', 'critical') })
    let repository: TestRepository

    beforeAll(async () => {
      repository = service.newRepository()
      const live = fc.record({ scope, issues, issues_from })
      for (const made of fc.sample(live, { numRuns: 20, seed: 2 }))
        await repository.created('/activity', { ...announced, ...made })
    })

    type Task = typeof task extends fc.Arbitrary<infer Made> ? Made : never

    /** How severe the second task is for the first one. */
    function severityFor(one: Task, other: Task, all: readonly Task[]): Severity | null {
      const isGrave = other.risk === 'critical'
      const places = compareScopes(parseScope(one.scope, areas), parseScope(other.scope, areas))
      const sharedWith = (task: Task) => sharedIssues(namedIssues(one), namedIssues(task))
      const sharing = all.flatMap((task) => {
        const shared = task === one ? null : sharedWith(task)
        return shared ? { shared, byStranger: false } : []
      })
      const shared = sharedWith(other)
      const weight = { isOfIgnoredAuthor: false, isMinor: false, isGrave }
      return worst([
        places && collisionSeverity(closest(places), isGrave),
        shared && issueOverlap(shared, epicsAmong(sharing), weight).severity,
      ])
    }

    async function compareWithRules(tasks: readonly Task[]) {
      const { results, pairs, pairs_complete } = await checkTasks(repository, [...tasks])
      const expected = tasks.flatMap((one, i) =>
        tasks.slice(i + 1).flatMap((other, n) => {
          const severity = worst([severityFor(one, other, tasks), severityFor(other, one, tasks)])
          return severity ? { indexes: [i, i + 1 + n], severity } : []
        }),
      )
      const byIndexes = (a: { indexes: number[] }, b: { indexes: number[] }) =>
        (a.indexes[0] ?? 0) - (b.indexes[0] ?? 0) || (a.indexes[1] ?? 0) - (b.indexes[1] ?? 0)
      expect(pairs.map(({ indexes, severity }) => ({ indexes, severity })).sort(byIndexes)).toEqual(expected)
      expect(pairs_complete).toBe(true)
      for (const [index, { risk: _, ...proposal }] of tasks.entries()) {
        const alone = await repository.check(proposal)
        const result = results[index]
        const isPaired = pairs.some(({ indexes }) => indexes.includes(index))
        expect(result?.clear).toBe(alone.clear && !isPaired)
        expect(result).toMatchObject({
          ...{ severity: alone.severity, collisions: alone.collisions, notables: alone.notables },
          related_activity_ids: alone.related_activity_ids.slice(0, 10),
          nearby_activity_ids: alone.nearby_activity_ids.slice(0, 10),
        })
      }
    }

    it('for a few tasks', async () => {
      await fc.assert(fc.asyncProperty(fc.array(task, { minLength: 2, maxLength: 12 }), compareWithRules), {
        numRuns: 12,
      })
    })

    it('for 50 tasks, so 1,225 comparisons', async () => {
      await fc.assert(fc.asyncProperty(fc.array(task, { minLength: 50, maxLength: 50 }), compareWithRules), {
        numRuns: 1,
        endOnFailure: true,
      })
    })
  })

  it('says which collide with one another, worst first, and neither of these is clear', async () => {
    const repository = service.newRepository()
    const { results, pairs } = await checkTasks(repository, [
      paths('src/**'),
      paths('docs/**'),
      paths('src/a.ts'),
      paths('docs/a.md', 'src/a.ts'),
    ])
    expect(pairs).toEqual([
      { indexes: [2, 3], severity: 'high', example_path: 'src/a.ts', areas: [], issues: [] },
      { indexes: [0, 2], severity: 'medium', example_path: 'src/a.ts', areas: [], issues: [] },
      { indexes: [0, 3], severity: 'medium', example_path: 'src/a.ts', areas: [], issues: [] },
      { indexes: [1, 3], severity: 'medium', example_path: 'docs/a.md', areas: [], issues: [] },
    ])
    expect(results.map(({ clear, obstacles }) => ({ clear, obstacles }))).toEqual(
      results.map(() => ({ clear: false, obstacles: ['proposals'] })),
    )
    expect(results[3]?.reason).toContain(
      'It collides with proposals[0], proposals[1] and proposals[2] of the same request.',
    )
    expect(results[3]?.recommended_action).toBe('Do these proposals one after the other, or give each its own files.')
    expect(results[3]).toMatchObject({ overlap_detected: false, related_activity_ids: [] })
  })

  it('compares changed lines, areas and tags, and the risk of both sides', async () => {
    const repository = service.newRepository()
    const { pairs } = await checkTasks(repository, [
      changing('a.ts', 10, 20),
      changing('a.ts', 15, 30),
      changing('a.ts', 50, 60),
      { scope: { areas: ['Web'] } },
      { tags: ['web'], risk: 'critical' },
      paths('web/x.ts'),
    ])
    expect(pairs).toEqual([
      { indexes: [0, 1], severity: 'high', example_path: 'a.ts', areas: [], issues: [] },
      { indexes: [4, 5], severity: 'high', example_path: 'web/x.ts', areas: [], issues: [] },
      { indexes: [3, 4], severity: 'medium', example_path: null, areas: ['Web'], issues: [] },
      { indexes: [3, 5], severity: 'medium', example_path: 'web/x.ts', areas: [], issues: [] },
    ])
  })

  it.each([
    ['the same branch', { branch: 'feat/a' }, { branch: 'feat/a' }],
    ['a branch on the other', { branch: 'feat/a' }, { branch: 'feat/b', base_branch: 'feat/a' }],
  ])('has no pair of own and stacked proposals: %s', async (_, a, b) => {
    const repository = service.newRepository()
    const { pairs, results } = await checkTasks(repository, [
      { ...paths('src/a.ts'), ...a },
      { ...paths('src/a.ts'), ...b },
    ])
    expect(pairs).toEqual([])
    expect(results).toMatchObject([{ clear: true }, { clear: true }])
  })

  it('knows the stack of live branches that connects two proposals', async () => {
    const repository = service.newRepository()
    await repository.created('/activity', {
      ...{ ...announced, ...paths('middle.ts') },
      ...{ branch: 'feat/b', base_branch: 'feat/a' },
    })
    const { pairs } = await checkTasks(repository, [
      { ...paths('src/a.ts'), branch: 'feat/a' },
      { ...paths('src/a.ts'), branch: 'feat/c', base_branch: 'feat/b' },
      { ...paths('src/a.ts'), branch: 'feat/d' },
    ])
    expect(pairs.map(({ indexes }) => indexes)).toEqual([
      [0, 2],
      [1, 2],
    ])
  })

  it('takes recorded activities by their ids, which are then not compared with themselves', async () => {
    const repository = service.newRepository()
    const recorded = async (path: string) =>
      (await repository.created('/activity', { ...announced, ...paths(path) })).activity.id
    const ids = [await recorded('src/a.ts'), await recorded('docs/**'), await recorded('src/**')]
    const { results, pairs } = await checkTasks(
      repository,
      ids.map((activity_id) => ({ activity_id })),
    )
    expect(pairs).toMatchObject([{ indexes: [0, 2], severity: 'medium' }])
    expect(results.map(({ related_activity_ids }) => related_activity_ids)).toEqual([[ids[2]], [], [ids[0]]])
  })

  it('lists at most 10 ids, and no candidates of merges', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 30, ['src/**'])
    const { results } = await checkTasks(repository, [changing('src/a.ts', 1, 2), paths('docs/a.md')])
    expect(results[0]?.related_activity_ids).toHaveLength(10)
    expect(Object.keys(results[0]?.relationships ?? {})).toHaveLength(10)
    expect(results[0]).not.toHaveProperty('candidates')
    expect(results[0]?.reason).toContain('30 live activities overlap in all.')
  })

  it('says that the pairs are incomplete where comparing them is too costly, and none is clear', async () => {
    const repository = service.newRepository()
    const costly = (end: string) => Array.from({ length: 16 }, (_, n) => `${'*[ab]'.repeat(180 - n)}*${end}?`)
    const { results, pairs_complete } = await checkTasks(
      repository,
      Array.from({ length: 20 }, (_, n) => paths(...costly(String.fromCharCode(99 + n)))),
    )
    expect(pairs_complete).toBe(false)
    expect(results.some(({ clear }) => clear)).toBe(false)
  })

  it.each([
    ['one proposal', [paths('a')], 'proposals', 'invalid_value'],
    ['51 proposals', Array.from({ length: 51 }, () => paths('a')), 'proposals', 'too_many'],
    ['an unknown field', [paths('a'), { pathz: [] }], 'proposals[1].pathz', 'unknown_field'],
    ['an unknown activity', [paths('a'), { activity_id: 'act_x' }], 'proposals[1].activity_id', 'invalid_value'],
    ['a pull request of nothing', [{ pr_url: 'https://x.example/' }, {}], 'proposals[0].pr_url', 'invalid_value'],
  ])('refuses %s, and names the field', async (_, proposals, field, code) => {
    const answer = await service.newRepository().post('/activity/check/batch', { proposals })
    expect(answer).toMatchObject({ status: 400, body: { error: { details: [{ field, code }] } } })
  })

  it('refuses two proposals of the same activity', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', { ...announced, ...paths('a') })
    const proposals = [{ activity_id: activity.id }, paths('b'), { activity_id: activity.id }]
    expect(await repository.post('/activity/check/batch', { proposals })).toMatchObject({
      ...{ status: 400 },
      body: { error: { details: [{ field: 'proposals[2].activity_id', code: 'duplicate' }] } },
    })
  })

  it('takes a body of up to 1 MiB', async () => {
    const repository = service.newRepository()
    const files = Array.from({ length: 300 }, (_, n) => ({ path: `src/${'d'.repeat(200)}/f${n}.ts`, lines: [[1, 2]] }))
    const proposals = [{ changes: { files } }, ...Array.from({ length: 9 }, () => ({ changes: { files } }))]
    expect(JSON.stringify({ proposals }).length).toBeGreaterThan(500_000)
    expect((await checkTasks(repository, proposals)).pairs).toHaveLength(45)
    const tooMuch = Array.from({ length: 30 }, () => proposals[0])
    expect(await repository.post('/activity/check/batch', { proposals: tooMuch })).toMatchObject({ status: 413 })
  })

  it('is for whoever may read the repository', async () => {
    const repository = service.newRepository()
    const proposals = [paths('a'), paths('b')]
    const asked = (token: string | null) => repository.post('/activity/check/batch', { proposals }, { token })
    expect(await asked(repository.reader)).toMatchObject({ status: 200 })
    expect(await asked(null)).toMatchObject({ status: 401 })
  })
})

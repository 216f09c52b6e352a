import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { indexLookups } from '../../../src/core/rules/candidates/index-lookups.ts'
import { worstFirst } from '../../../src/core/rules/order/list-order.ts'
import { closest, collisionSeverity, worst } from '../../../src/core/rules/severity.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import { sweep } from '../../../src/service/jobs/sweep.ts'
import { loadCandidates } from '../../../src/service/overlap/candidates/load-candidates.sql.ts'
import { areaMap, scope } from '../../support/arbitrary/scope.ts'
import { day, minute } from '../../support/clock.ts'
import { compareScopes } from '../../support/compare-scopes.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ settings: { areas: areaMap } })
})
afterAll(() => service.stop())

async function record(repository: TestRepository, fields: object): Promise<string> {
  return (await repository.created('/activity', { title: 'T', summary: 'S', actor: 'A', ...fields })).activity.id
}

describe('the candidates that the index finds', () => {
  describe('give the same response as comparing with every record', () => {
    const recorded = new Map<string, { areas: string[]; paths: string[] }>()
    const grave = new Set<string>()
    let repository: TestRepository

    beforeAll(async () => {
      repository = service.newRepository()
      for (const made of fc.sample(scope, { numRuns: 90, seed: 1 })) {
        const isGrave = recorded.size % 3 === 0
        const id = await record(repository, { scope: made, risk: isGrave ? 'critical' : 'medium' })
        recorded.set(id, made)
        if (isGrave) grave.add(id)
      }
    })

    const compareWithEvery = () =>
      fc.assert(
        fc.asyncProperty(scope, async (proposal) => {
          const proposed = parseScope(proposal, areaMap)
          const { related_activity_ids, severity } = await repository.check({ scope: proposal })
          const found = [...recorded].flatMap(([id, other]) => {
            const overlap = compareScopes(proposed, parseScope(other, areaMap))
            return overlap ? { id, severity: collisionSeverity(closest(overlap), grave.has(id)) } : []
          })
          expect(related_activity_ids).toEqual(found.sort(worstFirst).map(({ id }) => id))
          expect(severity).toBe(worst(found.map((one) => one.severity)))
        }),
        { numRuns: 120 },
      )

    it('with entries as they are written', compareWithEvery)

    it('with some entries of unknown coverage', async () => {
      await service.db.query(
        `update scope_keys set extent = 0 where repository_id = $1 and activity_id ~ '[02468acegikmoqsuwy]$'`,
        [repository.id],
      )
      await compareWithEvery()
    })
  })

  it.each([
    ['brackets', 'app/[id]/page.tsx', 'app/[id]/page.tsx'],
    ['brackets that one of them escapes', 'app/\\[id]/page.tsx', 'app/[id]/page.tsx'],
    ['brackets that the other escapes', 'app/[id]/page.tsx', 'app/\\[id]/page.tsx'],
    ['a name too long for a key', `app/${'x/'.repeat(420)}page.tsx`, `app/${'x/'.repeat(420)}page.tsx`],
  ])('name the same file even if their keys show only an overlap: %s', async (_, own, other) => {
    const repository = service.newRepository()
    const id = await record(repository, { scope: { paths: ['app/**', other] } })
    // Newer activities, more than the texts describe.
    await service.fill(repository, 6, ['app/**'])
    const overlap = await repository.check({ scope: { paths: [own] } })
    expect(overlap).toMatchObject({
      severity: 'high',
      related_activity_ids: [id, ...Array(6).fill(expect.any(String))],
    })
  })

  it('do not name a file that only the settings give to their area', async () => {
    const repository = service.newRepository()
    await record(repository, { scope: { paths: ['web/b.ts'] } })
    expect(await repository.check({ scope: { areas: ['web'] } })).toMatchObject({ severity: 'medium' })
  })

  it('are not loaded if their keys decide whether they share paths or the same file', async () => {
    const repository = service.newRepository()
    const matched = {
      'src/**': 'paths',
      src: 'paths',
      '**': 'paths',
      'src/a': 'paths',
      'src/a/x.ts': 'same file',
      'src/{b/*,a/x.ts}': 'same file',
      'src/c/d/**': 'paths',
      'src/c/*/e.ts': 'paths',
      'src/c': 'paths',
    } as const
    const open = ['src/*/x.ts', '**/*.ts', 'src/b/*.ts', 'src/e/x.ts']
    const closenessOf = new Map<string, string>()
    for (const [path, closeness] of Object.entries(matched)) {
      closenessOf.set(await record(repository, { scope: { paths: [path] } }), closeness)
    }
    for (const path of [...open, 'docs/**', 'src/z.ts']) await record(repository, { scope: { paths: [path] } })
    const graves = [
      await record(repository, { scope: { paths: ['src/c/**'] }, risk: 'high' }),
      await record(repository, { scope: { paths: ['src/c/**'] }, blocking: true }),
    ]
    for (const id of graves) closenessOf.set(id, 'paths')
    const lookups = indexLookups(parseScope({ areas: [], paths: ['src/a/x.ts', 'src/c/', 'src/b/x.*', 'src/e/*'] }), [])
    const filter = { repositoryId: repository.id, now: service.clock.now(), seesObserved: true }
    const none = { candidates: [], matchedByIndex: [] }
    const noBranches = {
      self: undefined,
      branch: null,
      base_branch: null,
      defaultBranch: 'main',
      hasChanges: false,
      hasUncounted: false,
    }
    const page = { endedAfter: filter.now, closedAfter: filter.now, count: 1 }
    const extent = { notables: true, merged: page, described: false }
    const [loaded = none] = await loadCandidates(service.db, filter, [{ ...noBranches, lookups }], extent)
    expect(new Map(loaded.matchedByIndex.map(({ id, closeness }) => [id, closeness]))).toEqual(closenessOf)
    expect(loaded.matchedByIndex.flatMap(({ id, is_grave }) => (is_grave ? id : [])).toSorted()).toEqual(
      graves.toSorted(),
    )
    expect(loaded.candidates.flatMap(({ paths }) => paths).toSorted()).toEqual(open.toSorted())
  })

  it('are found by keys and suffixes that are too long for an index', async () => {
    const repository = service.newRepository()
    const deep = `${'ü'.repeat(150)}/`.repeat(6)
    const long = `${'x'.repeat(1000)}.ts`
    const ids = [
      await record(repository, { scope: { paths: [`${deep}a.ts`] } }),
      await record(repository, { scope: { paths: [long] } }),
    ]
    expect((await repository.check({ scope: { paths: [`${deep}*`] } })).related_activity_ids).toEqual([ids[0]])
    expect((await repository.check({ scope: { paths: [long] } })).related_activity_ids).toEqual([ids[1]])
    expect((await repository.check({ scope: { paths: ['**/*.ts'] } })).related_activity_ids).toHaveLength(2)
  })

  it('are found among thousands by a proposal of 1,000 suffixes, and only those that overlap are reported', async () => {
    const repository = service.newRepository()
    await service.fill(repository, 2_000, ['a/**/other.ts'])
    const near = ['a/**/x999.ts', 'a/b/c/x7.ts', '**/x42.ts', 'a/b/*', 'a/b/**/x0.ts']
    const ids: string[] = []
    for (const path of near) ids.push(await record(repository, { scope: { paths: [path] } }))
    for (const path of ['a/**/x1000.ts', 'b/**/x1.ts', 'a/b/c/y7.ts'])
      await record(repository, { scope: { paths: [path] } })
    const names = (from: number) => Array.from({ length: 50 }, (_, n) => `x${from + n}`).join(',')
    const paths = Array.from({ length: 20 }, (_, n) => `a/${n % 2 ? 'b/' : ''}**/{${names(n * 50)}}.ts`)
    expect((await repository.check({ scope: { paths } })).related_activity_ids.toSorted()).toEqual(ids)
  })

  it('follow a change of paths and areas', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { scope: { areas: ['x'], paths: ['a/**'] } })
    const finds = async (body: object) => (await repository.check(body)).related_activity_ids
    await repository.patch(`/activity/${id}`, { scope: { areas: ['y'], paths: ['b/**'] } })
    expect(await finds({ scope: { paths: ['a/1'], areas: ['x'] } })).toEqual([])
    expect(await finds({ scope: { paths: ['b/1'] } })).toEqual([id])
    expect(await finds({ tags: ['Y'] })).toEqual([id])
    await repository.patch(`/activity/${id}`, { title: 'Other' })
    expect(await finds({ tags: ['Y'] })).toEqual([id])
  })

  it('are found only for reuse once they have ended, also after a later change of scope', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { scope: { paths: ['a/**'] } })
    const reused = async () => (await repository.check({ scope: { paths: ['a/1'] } })).reuse_opportunities
    await repository.patch(`/activity/${id}`, { status: 'merged' })
    expect(await reused()).toMatchObject([{ activity_id: id }])
    expect((await repository.check({ scope: { paths: ['a/1'] } })).related_activity_ids).toEqual([])
    service.clock.advance(minute)
    await repository.patch(`/activity/${id}`, { scope: { paths: ['c/**'] } })
    expect(await reused()).toEqual([])
  })

  it('are purged with their activity', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { scope: { areas: ['x'], paths: ['a/**'] } })
    service.clock.advance(40 * day)
    await sweep(service.db, { now: service.clock.now(), retentionMs: 30 * day })
    const { rows } = await service.db.query('select 1 from scope_keys where activity_id = $1', [id])
    expect(rows).toEqual([])
  })
})

describe('stacks', () => {
  it('are found through the database at any length', async () => {
    const repository = service.newRepository()
    const paths = { scope: { paths: ['a/**'] } }
    const ids: string[] = []
    for (let n = 0; n < 15; n++)
      ids.push(await record(repository, { branch: `b${n}`, base_branch: n ? `b${n - 1}` : 'main', ...paths }))
    const middle = await repository.check({ branch: 'b7', base_branch: 'b6', ...paths })
    expect(middle.expected_activity_ids.toSorted()).toEqual(ids)
    expect(middle.relationships[ids[7] ?? '']).toBe('own')
    expect(middle.related_activity_ids).toEqual([])
    const sibling = await repository.check({ branch: 'x', base_branch: 'b13', ...paths })
    expect(sibling.related_activity_ids).toEqual([ids[14]])
  })

  it.each([
    ['on the branch itself', { branch: 'a', base_branch: 'main' }, 'own'],
    ['on its base', { branch: 'b', base_branch: 'main' }, 'stacked'],
    ['based on it', { branch: 'c', base_branch: 'a' }, 'stacked'],
  ])('are found if the only work is %s', async (_, branches, relationship) => {
    const repository = service.newRepository()
    const scope = { scope: { paths: ['a/**'] } }
    const id = await record(repository, { ...branches, ...scope })
    const { relationships } = await repository.check({ branch: 'a', base_branch: 'b', ...scope })
    expect(relationships).toEqual({ [id]: relationship })
  })

  it('end in a cycle, and do not pass through the default branch', async () => {
    const repository = service.newRepository()
    const paths = { scope: { paths: ['a/**'] } }
    const cycle = [
      await record(repository, { branch: 'x', base_branch: 'y', ...paths }),
      await record(repository, { branch: 'y', base_branch: 'x', ...paths }),
    ]
    const onMain = await record(repository, { branch: 'main', base_branch: 'z', ...paths })
    const overlap = await repository.check({ branch: 'z', base_branch: 'x', ...paths })
    expect(overlap.expected_activity_ids.toSorted()).toEqual([...cycle, onMain].sort())
    const based = await repository.check({ branch: 'q', base_branch: 'main', ...paths })
    expect(based.related_activity_ids).toHaveLength(3)
  })
})

import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { relationshipTo } from '../../../src/core/rules/relationship/relationship.ts'
import { minute } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const branch = fc.option(fc.constantFrom('a', 'b', 'c', 'd', 'e  "f\\', 'Ä', 'main'))
const branches = fc.record({ branch, base_branch: branch })
type Branches = { branch: string | null; base_branch: string | null }
const scope = { paths: ['src/**'] }

/** Creates live activities on these branches with one scope. Returns their ids. */
async function place(repository: TestRepository, works: readonly Branches[]): Promise<string[]> {
  await service.fill(repository, works.length, scope.paths)
  const { rows } = await service.db.query<{ id: string }>(
    `update activities set branch = work.branch, base_branch = work.base
       from (select id, row_number() over (order by id) as n from activities where repository_id = $1) as numbered
       join unnest($2::text[], $3::text[]) with ordinality as work(branch, base, n) using (n)
      where repository_id = $1 and activities.id = numbered.id returning activities.id`,
    [repository.id, works.map((work) => work.branch), works.map((work) => work.base_branch)],
  )
  return rows.map(({ id }) => id).sort()
}

it('own and stacked work is found through the database by the rule, and the rest collides', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(branches, { maxLength: 25 }),
      fc.array(branches, { minLength: 1, maxLength: 4 }),
      async (works, proposals) => {
        const repository = service.newRepository()
        const ids = await place(repository, works)
        for (const proposal of proposals) {
          const relationshipOf = relationshipTo(proposal, works, 'main')
          const expected = works.map((work, n) => [ids[n], relationshipOf(work) ?? 'collision'])
          const { relationships } = await repository.check({ ...proposal, scope })
          expect(relationships).toEqual(Object.fromEntries(expected))
        }
      },
    ),
    { numRuns: 40 },
  )
})

it('the own activity links nothing if it is left out', async () => {
  const repository = service.newRepository()
  const work = { title: 'T', summary: 'S', actor: 'A', scope }
  const { activity: own } = await repository.created('/activity', { ...work, branch: 'mine', base_branch: 'lower' })
  const { activity: lower } = await repository.created('/activity', { ...work, branch: 'lower' })
  const { activity: lowest } = await repository.created('/activity', { ...work, branch: 'lowest', base_branch: 'mine' })
  const check = (body: object) => repository.check({ ...body, scope })
  const branchesOfCheck = { branch: 'other', base_branch: 'mine' }
  const linked = { [own.id]: 'stacked', [lower.id]: 'stacked', [lowest.id]: 'collision' }
  expect((await check(branchesOfCheck)).relationships).toEqual(linked)
  const without = { [lower.id]: 'collision', [lowest.id]: 'collision' }
  expect((await check({ ...branchesOfCheck, activity_id: own.id })).relationships).toEqual(without)
})

it('work links nothing from the instant it expires, before the sweep', async () => {
  const repository = service.newRepository()
  const [middle, far] = await place(repository, [
    { branch: 'a', base_branch: 'b' },
    { branch: 'b', base_branch: null },
  ])
  const check = async () => (await repository.check({ branch: 'x', base_branch: 'a', scope })).relationships
  expect(await check()).toEqual({ [middle ?? '']: 'stacked', [far ?? '']: 'stacked' })
  const soon = new Date(service.clock.now().getTime() + minute)
  await service.db.query('update activities set expires_at = $3 where repository_id = $1 and id = $2', [
    repository.id,
    middle,
    soon,
  ])
  service.clock.advance(minute)
  expect(await check()).toEqual({ [far ?? '']: 'collision' })
})

it('a stack is followed through branches with the longest names', async () => {
  const repository = service.newRepository()
  const name = (n: number) => `${'😀'.repeat(250)}${String(n).padStart(5, '0')}`
  const works = Array.from({ length: 40 }, (_, n) => ({ branch: name(n), base_branch: name(n + 1) }))
  const ids = await place(repository, works)
  const { expected_activity_ids } = await repository.check({ branch: 'top', base_branch: name(0), scope })
  expect(expected_activity_ids.toSorted()).toEqual(ids)
})

import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { notableSeverity, worst } from '../../../src/core/rules/severity.ts'
import type { Overlap } from '../../../src/core/schemas/overlap.ts'
import { parseScope } from '../../../src/core/scope/parse-scope.ts'
import type { Scope } from '../../../src/core/scope/schema.ts'
import { day, hour } from '../../support/clock.ts'
import { compareScopes } from '../../support/compare-scopes.ts'
import { connectModel, eras } from '../../support/mcp.ts'
import { startTestService, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const freeze = { title: 'Release freeze until Monday', importance: 'low', category: 'release', blocking: true }
const work = { title: 'Login', summary: 'Rework the login form.', actor: 'Alice' }
const scoped = { scope: { paths: ['src/a.ts'] } }

/** What every response contains if this notable about the whole repository is a freeze. */
function frozenBy(id: string) {
  return {
    overlap_detected: true,
    severity: 'high',
    related_activity_ids: [],
    related_notable_ids: [id],
    repository_notable_ids: [],
    relationships: {},
  }
}

function expectNoGoAhead({ reason, recommended_action }: Overlap, title = freeze.title) {
  expect(reason).toContain(`“${title}”`)
  expect(recommended_action).toContain(`“${title}”`)
  expect(recommended_action.toLowerCase()).not.toContain('go ahead')
}

describe('a notable about the whole repository', () => {
  it.each([
    ['blocking', { importance: 'low', blocking: true }],
    ['critical', { importance: 'critical', blocking: false }],
    ['both', { importance: 'critical', blocking: true }],
  ])('that is %s overlaps every proposal with high severity, and is described by its title', async (_, weight) => {
    const repository = service.newRepository()
    const { id } = await repository.raised({ ...freeze, ...weight })
    for (const body of [{}, scoped, { tags: ['auth'] }, { branch: 'feat/a', scope: { areas: [], paths: [] } }]) {
      const overlap = await repository.check(body)
      expect(overlap).toMatchObject(frozenBy(id))
      expectNoGoAhead(overlap)
    }
  })

  it.each(['low', 'medium', 'high'])(
    'of %s importance is no overlap, and is named by its title',
    async (importance) => {
      const repository = service.newRepository()
      const { id } = await repository.raised({ title: 'Node 20 is the oldest', importance })
      for (const body of [{}, scoped]) {
        const overlap = await repository.check(body)
        expect(overlap).toMatchObject({
          overlap_detected: false,
          severity: null,
          related_notable_ids: [],
          repository_notable_ids: [id],
        })
        expect(overlap.recommended_action).toContain('“Node 20 is the oldest”')
      }
      expect((await repository.check(scoped)).recommended_action).toMatch(/^Go ahead\.$/m)
    },
  )

  it('follows a change of its importance and of its flag', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised({ title: freeze.title, importance: 'high' })
    const changes: [object, boolean][] = [
      [{ blocking: true }, true],
      [{ blocking: false }, false],
      [{ importance: 'critical' }, true],
      [{ importance: 'medium' }, false],
    ]
    for (const [change, matches] of changes) {
      expect(await repository.patch(`/notables/${id}`, change)).toMatchObject({ status: 200 })
      expect((await repository.check(scoped)).related_notable_ids).toEqual(matches ? [id] : [])
    }
  })

  it('never lets the advice on a collision say to go ahead', async () => {
    const repository = service.newRepository()
    const area = { scope: { areas: ['auth'] } }
    const { activity } = await repository.created('/activity', { ...work, branch: 'a', ...area })
    const { id } = await repository.raised(freeze)
    const overlap = await repository.check({ branch: 'b', ...area })
    expect(overlap).toMatchObject({ ...frozenBy(id), related_activity_ids: [activity.id], relationships: {} })
    expect(overlap.reason).toContain('“Login”')
    expectNoGoAhead(overlap)
  })

  it('is described in the overlap of a create as in a check, and in the replay of that create', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised(freeze)
    const checked = await repository.check(scoped)
    const create = () => repository.post('/activity', { ...work, ...scoped }, { headers: { 'idempotency-key': 'one' } })
    const first = await create()
    expect(first).toMatchObject({ status: 201, body: { overlap: checked } })
    await repository.post(`/notables/${id}/archive`)
    const replay = await create()
    expect(replay.headers.get('idempotency-replayed')).toBe('true')
    expect(replay.body).toEqual(first.body)
  })

  it.each(eras)('is described to a model by check_overlap and start_activity, in generation %s', async (era) => {
    const repository = service.newRepository()
    const { id } = await repository.raised(freeze)
    const model = await connectModel(service.url, repository.writer, era)
    const where = { repository: `${repository.owner}/${repository.name}` }
    const checked = await model.done<Overlap>('check_overlap', where)
    const { overlap } = await model.done<{ overlap: Overlap }>('start_activity', { ...where, ...work, ...scoped })
    await model.close()
    for (const response of [checked, overlap]) {
      expect(response).toMatchObject(frozenBy(id))
      expectNoGoAhead(response)
    }
  })

  it('matches nothing once its time has passed, or once it is superseded, archived or expired', async () => {
    const repository = service.newRepository()
    const found = async () => (await repository.check({})).related_notable_ids
    const until = new Date(service.clock.now().getTime() + hour).toISOString()
    const timed = await repository.raised({ ...freeze, applies_until: until })
    expect(await found()).toEqual([timed.id])
    service.clock.advance(hour)
    expect(await found()).toEqual([])
    const old = await repository.raised(freeze)
    const { id } = await repository.raised({ ...freeze, supersedes: [old.id] })
    expect(await found()).toEqual([id])
    await repository.post(`/notables/${id}/archive`)
    expect(await found()).toEqual([])
    await repository.raised(freeze)
    service.clock.advance(7 * day)
    expect(await found()).toEqual([])
    expect((await repository.check({})).repository_notable_ids).toEqual([])
  })

  it('still matches if its category has been disabled since', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised(freeze)
    const settings = { disabled_notable_categories: ['release' as const] }
    const stricter = await startTestService({ sharedWith: service, settings })
    const there = stricter.as(repository)
    expect(await there.post('/notables', freeze)).toMatchObject({ status: 400 })
    expect(await there.check({})).toMatchObject(frozenBy(id))
    await stricter.stop()
  })

  it('matches nothing in another repository', async () => {
    await service.newRepository().raised(freeze)
    expect(await service.newRepository().check({})).toMatchObject({ overlap_detected: false })
  })
})

it('describes five notables about the whole repository by title, and counts the others', async () => {
  const repository = service.newRepository()
  const ids: string[] = []
  for (let n = 0; n < 7; n++) ids.unshift((await repository.raised({ ...freeze, title: `Freeze ${n}` })).id)
  const { related_notable_ids, reason, recommended_action } = await repository.check(scoped)
  expect(related_notable_ids).toEqual(ids)
  for (const text of [reason, recommended_action])
    expect(text.match(/“Freeze \d+”/g)).toEqual([6, 5, 4, 3, 2].map((n) => `“Freeze ${n}”`))
  expect(reason).toContain('And 2 more')
  expect(recommended_action).toContain('See the 2 others too.')
})

const glob = fc.constantFrom('src/**', 'src/a.ts', 'docs/*.md', '**/*.ts', 'lib', '*')
const scope = fc.record({
  areas: fc.array(fc.constantFrom('auth', 'AUTH', 'web'), { maxLength: 1 }),
  paths: fc.array(glob, { maxLength: 2 }),
})
const notable = fc.record({
  importance: fc.constantFrom('low', 'medium', 'high', 'critical'),
  blocking: fc.boolean(),
  scope: fc.oneof(fc.record({ areas: fc.constant<string[]>([]), paths: fc.constant<string[]>([]) }), scope),
})

interface RaisedNotable {
  id: string
  importance: string
  blocking: boolean
  scope: Scope
}

/** A second implementation of the rule for notables. */
function expected(proposal: Scope, notables: readonly RaisedNotable[]) {
  const isWhole = ({ scope }: RaisedNotable) => scope.areas.length + scope.paths.length === 0
  const isGrave = ({ blocking, importance }: RaisedNotable) => blocking || importance === 'critical'
  const related = notables.filter((one) =>
    isWhole(one) ? isGrave(one) : compareScopes(parseScope(proposal), parseScope(one.scope)) !== null,
  )
  const weight = { high: 0, medium: 1, low: 2 }
  const newest = notables.toSorted((a, b) => (a.id < b.id ? 1 : -1))
  const order = newest
    .filter((one) => related.includes(one))
    .sort((a, b) => weight[notableSeverity(a)] - weight[notableSeverity(b)])
  return {
    overlap_detected: related.length > 0,
    severity: worst(related.map(notableSeverity)),
    related_notable_ids: order.map(({ id }) => id),
    repository_notable_ids: newest.filter((one) => isWhole(one) && !isGrave(one)).map(({ id }) => id),
  }
}

it('a check finds the notables that comparing with each of them finds', async () => {
  const repository = service.newRepository()
  const raised: RaisedNotable[] = []
  for (const made of fc.sample(notable, { numRuns: 6, seed: 1 })) {
    raised.push({ ...made, id: (await repository.raised(made)).id })
  }
  await fc.assert(
    fc.asyncProperty(fc.nat({ max: 5 }), notable, scope, async (at, change, proposal) => {
      const supersedes = raised.slice(at, at + 1).map(({ id }) => id)
      raised[at] = { ...change, id: (await repository.raised({ ...change, supersedes })).id }
      expect(await repository.check({ scope: proposal })).toMatchObject(expected(proposal, raised))
    }),
    { numRuns: 100 },
  )
})

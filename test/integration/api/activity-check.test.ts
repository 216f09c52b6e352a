import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Overlap } from '../../../src/core/schemas/overlap.ts'
import { newId } from '../../../src/service/lib/ids.ts'
import { refusal } from '../../support/client.ts'
import { day, hour } from '../../support/clock.ts'
import { startTestService, type TestRepository, type TestService, twoConnections } from '../../support/service.ts'
import { toldIds } from '../../support/told-ids.ts'

let service: TestService
let withAreas: TestService

beforeAll(async () => {
  service = await startTestService(twoConnections)
  const areas = { Billing: ['src/billing/**'], ui: ['web/**'] }
  withAreas = await startTestService({ ...twoConnections, settings: { areas } })
})
afterAll(async () => {
  await service.stop()
  await withAreas.stop()
})

async function record(repository: TestRepository, fields: object = {}): Promise<string> {
  const work = { title: 'Login', summary: 'Rework the login form.', actor: 'Alice' }
  return (await repository.created('/activity', { ...work, ...fields })).activity.id
}

const paths = (...globs: string[]) => ({ scope: { paths: globs } })
const areas = (...labels: string[]) => ({ scope: { areas: labels } })

const nothing = {
  overlap_detected: false,
  severity: null,
  related_activity_ids: [],
  related_notable_ids: [],
  expected_activity_ids: [],
  repository_notable_ids: [],
  relationships: {},
  reuse_opportunities: [],
}

describe('POST /activity/check: the answer', () => {
  it('is whole and calm where nothing overlaps, whatever body comes or none', async () => {
    const repository = service.newRepository()
    await record(repository, paths('src/a.ts'))
    for (const raw of [undefined, '', '{}', '{"scope":null,"tags":null}', '{"scope":{"paths":["src/b.ts"]}}']) {
      const answer = await repository.call('POST', '/activity/check', raw === undefined ? {} : { raw })
      expect(answer).toMatchObject({ status: 200, body: nothing })
      const { reason, recommended_action } = Overlap.strict().parse(answer.body)
      expect(reason).not.toBe('')
      expect(recommended_action).not.toBe('')
    }
  })

  it('describes a collision: who, where, on which file, how severe, what to do', async () => {
    const repository = service.newRepository()
    const id = await record(repository, { actor: 'Alice', branch: 'feat/login', ...paths('src/*/login.ts') })
    const overlap = await repository.check({ branch: 'feat/mine', ...paths('src/auth/**') })
    expect(overlap).toMatchObject({
      overlap_detected: true,
      severity: 'medium',
      related_activity_ids: [id],
      relationships: { [id]: 'collision' },
    })
    for (const part of ['Alice', 'feat/login', 'src/auth/login.ts']) expect(overlap.reason).toContain(part)
    for (const kind of ['collision', 'advice'] as const) expect(toldIds(overlap, kind)).toEqual([id])
  })

  it('is the same as the overlap of a create', async () => {
    const repository = service.newRepository()
    await record(repository, { branch: 'a', ...paths('src/**') })
    await repository.raised(paths('src/x.ts'))
    const proposal = { branch: 'b', scope: { areas: [], paths: ['src/x.ts'] } }
    const checked = await repository.check(proposal)
    const { overlap } = await repository.created('/activity', { title: 'T', summary: 'S', actor: 'Bob', ...proposal })
    expect(overlap).toEqual(checked)
  })

  it('takes the body of a create as it is, and validates what it does not use', async () => {
    const repository = service.newRepository()
    const body = { title: 'T', summary: 'S', actor: 'A', agent: null, risk: 'high', draft_pr: true, blocking: false }
    expect((await repository.post('/activity/check', body)).status).toBe(200)
    const answer = await repository.post('/activity/check', { ...body, risk: 'huge', titel: 'x' })
    expect(refusal(answer)).toEqual({
      status: 400,
      code: 'validation_failed',
      details: ['risk invalid_value', 'titel unknown_field'],
    })
  })

  it('creates nothing', async () => {
    const repository = service.newRepository()
    await repository.check(paths('src/**'))
    expect((await repository.page('/activity')).items).toEqual([])
  })
})

describe('POST /activity/check: what is compared', () => {
  it('is only live work, and none of another repository', async () => {
    const repository = service.newRepository()
    await record(service.newRepository(), paths('src/a.ts'))
    for (const status of ['merged', 'abandoned', 'archived']) {
      const id = await record(repository, paths('src/a.ts'))
      await repository.patch(`/activity/${id}`, { status })
    }
    expect((await repository.check(paths('src/a.ts'))).related_activity_ids).toEqual([])
    const live = []
    for (const status of ['planned', 'active', 'paused', 'blocked', 'draft-pr-open', 'ready-for-review']) {
      const id = await record(repository, paths('src/a.ts'))
      await repository.patch(`/activity/${id}`, { status })
      live.unshift(id)
    }
    expect((await repository.check(paths('src/a.ts'))).related_activity_ids).toEqual(live)
    service.clock.advance(day)
    expect((await repository.check(paths('src/a.ts'))).related_activity_ids).toEqual([])
  })

  it('follows a change of scope', async () => {
    const repository = service.newRepository()
    const id = await record(repository, paths('src/a.ts'))
    await repository.patch(`/activity/${id}`, paths('docs/**'))
    expect((await repository.check(paths('src/a.ts'))).related_activity_ids).toEqual([])
    expect((await repository.check(paths('docs/x.md'))).related_activity_ids).toEqual([id])
  })

  it('counts a shared area in any case, by tags too, as low', async () => {
    const repository = service.newRepository()
    const id = await record(repository, areas('Ärzte'))
    expect(await repository.check(areas('äRZTE'))).toMatchObject({ severity: 'low', related_activity_ids: [id] })
    expect(await repository.check({ tags: ['ärzte'] })).toMatchObject({ severity: 'low', related_activity_ids: [id] })
    expect((await repository.check(areas('Arzte'))).related_activity_ids).toEqual([])
  })

  it('lets an empty scope overlap nothing', async () => {
    const repository = service.newRepository()
    await record(repository)
    expect((await repository.check(paths('**'))).related_activity_ids).toEqual([])
  })
})

describe('POST /activity/check: severity and order', () => {
  it('is high for the same file named by both, and one step up for risk or blocking', async () => {
    const repository = service.newRepository()
    const low = await record(repository, areas('x'))
    const lowRaised = await record(repository, { ...areas('x'), blocking: true })
    const medium = await record(repository, paths('src/*.ts'))
    const mediumRaised = await record(repository, { ...paths('src/*.ts'), risk: 'critical' })
    const high = await record(repository, paths('src/a.ts'))
    const overlap = await repository.check({ scope: { areas: ['x'], paths: ['src/a.ts'] } })
    expect(overlap.severity).toBe('high')
    expect(overlap.related_activity_ids).toEqual([high, mediumRaised, medium, lowRaised, low])
    expect((await repository.check(areas('x'))).severity).toBe('medium')
    await repository.post(`/activity/${lowRaised}/archive`)
    expect((await repository.check(areas('x'))).severity).toBe('low')
  })

  it('holds at most 100 ids, the worst of them', async () => {
    const repository = service.newRepository()
    const worst = await record(repository, paths('src/a.ts'))
    await service.fill(repository, 120, ['src/**'])
    const overlap = await repository.check(paths('src/a.ts'))
    expect(overlap.related_activity_ids).toHaveLength(100)
    expect(overlap.related_activity_ids[0]).toBe(worst)
    expect(Object.keys(overlap.relationships)).toHaveLength(100)
    expect(overlap.reason).toContain('121')
  })
})

describe('POST /activity/check: own and stacked work', () => {
  it('expects the same branch, but never the default one or none', async () => {
    const repository = service.newRepository()
    const own = await record(repository, { branch: 'feat', ...paths('src/a.ts') })
    expect(await repository.check({ branch: 'refs/heads/feat', ...paths('src/a.ts') })).toMatchObject({
      overlap_detected: false,
      severity: null,
      expected_activity_ids: [own],
      relationships: { [own]: 'own' },
    })
    expect((await repository.check({ branch: 'Feat', ...paths('src/a.ts') })).related_activity_ids).toEqual([own])
    const onDefault = await record(repository, { branch: 'main', ...paths('src/b.ts') })
    expect((await repository.check({ branch: 'main', ...paths('src/b.ts') })).related_activity_ids).toEqual([onDefault])
    const nowhere = await record(repository, paths('src/c.ts'))
    expect((await repository.check(paths('src/c.ts'))).related_activity_ids).toEqual([nowhere])
  })

  it('expects what it is stacked on and what is stacked on it, through chains, but no siblings', async () => {
    const repository = service.newRepository()
    const scope = paths('src/a.ts')
    const root = await record(repository, { branch: 'one', base_branch: 'main', ...scope })
    const middle = await record(repository, { branch: 'two', base_branch: 'one', ...scope })
    const top = await record(repository, { branch: 'four', base_branch: 'three', ...scope })
    const sibling = await record(repository, { branch: 'beside', base_branch: 'two', ...scope })
    const overlap = await repository.check({ branch: 'three', base_branch: 'two', ...scope })
    expect(overlap.expected_activity_ids).toEqual([top, middle, root])
    expect(overlap.related_activity_ids).toEqual([sibling])
  })

  it("leaves out the caller's own record, whose fields replace those that are not sent", async () => {
    const repository = service.newRepository()
    const mine = await record(repository, { base_branch: 'main', ...paths('src/a.ts') })
    const other = await record(repository, paths('src/*.ts'))
    expect((await repository.check({ activity_id: mine })).related_activity_ids).toEqual([other])
    expect((await repository.check({ activity_id: mine, ...paths('docs/**') })).related_activity_ids).toEqual([])
    await repository.patch(`/activity/${other}`, { branch: 'feat' })
    await repository.patch(`/activity/${mine}`, { branch: 'feat' })
    expect((await repository.check({ activity_id: mine })).expected_activity_ids).toEqual([other])
    expect((await repository.check({ activity_id: mine, branch: null })).related_activity_ids).toEqual([other])
  })

  const over = 'and others do not see it any more: if the work goes on, record it anew by a create, and use the new id.'

  it.each<[string, (repository: TestRepository, path: string) => unknown]>([
    ['was merged', (repository, path) => repository.patch(path, { status: 'merged' })],
    ['was abandoned', (repository, path) => repository.patch(path, { status: 'abandoned' })],
    ['was archived', (repository, path) => repository.post(`${path}/archive`)],
    ['has expired', () => service.clock.advance(day)],
  ])('says first that the record which is checked for %s, and answers as ever', async (how, end) => {
    const repository = service.newRepository()
    const mine = await record(repository, paths('src/a.ts'))
    await end(repository, `/activity/${mine}`)
    const other = await record(repository, paths('src/*.ts'))
    const overlap = await repository.check({ activity_id: mine })
    expect(overlap.related_activity_ids).toEqual([other])
    expect(overlap.recommended_action.indexOf(`Your activity ${how}, ${over}\nAgree with`)).toBe(0)
    expect((await repository.check({ activity_id: other })).recommended_action).not.toContain('Your activity')
  })

  it.each([newId('act'), 'x', newId('ntb'), ''])('400 for the activity_id %j', async (activity_id) => {
    const answer = await service.newRepository().post('/activity/check', { activity_id })
    expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['activity_id invalid_value'] })
  })

  it.each(['https://x', 'javascript:1', 'http://github.com/a/b/pull/1'])(
    '400 for %s, which is no pull request here, as for a create',
    async (pr_url) => {
      const answer = await service.newRepository().post('/activity/check', { pr_url })
      expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: ['pr_url invalid_value'] })
    },
  )

  it('400 for the activity_id of another repository', async () => {
    const activity_id = await record(service.newRepository())
    const answer = await service.newRepository().post('/activity/check', { activity_id })
    expect(refusal(answer)).toMatchObject({ details: ['activity_id invalid_value'] })
  })
})

describe('POST /activity/check: notables', () => {
  it.each([
    ['low', false, 'low'],
    ['medium', false, 'low'],
    ['high', false, 'medium'],
    ['critical', false, 'high'],
    ['low', true, 'high'],
  ])('counts importance %s (blocking: %s) as %s', async (importance, blocking, severity) => {
    const repository = service.newRepository()
    const { id } = await repository.raised({ importance, blocking, ...paths('src/**') })
    const overlap = await repository.check(paths('src/a.ts'))
    expect(overlap).toMatchObject({ overlap_detected: true, severity, related_notable_ids: [id] })
    for (const kind of ['notable', 'advice'] as const) expect(toldIds(overlap, kind)).toEqual([id])
    const item = { id, about: 'paths', blocking, importance, until: null }
    expect(overlap.notables).toEqual([expect.objectContaining(item)])
  })

  it('mentions one about the whole repository, which by itself is no overlap', async () => {
    const repository = service.newRepository()
    const { id } = await repository.raised({ importance: 'high' })
    for (const body of [{}, paths('src/a.ts')]) {
      const overlap = await repository.check(body)
      expect(overlap).toMatchObject({ ...nothing, repository_notable_ids: [id] })
      expect(toldIds(overlap, 'advice')).toContain(id)
      expect(overlap.notables).toEqual([expect.objectContaining({ id, about: 'repository', importance: 'high' })])
    }
  })

  it('leaves out one whose applies_until has passed, that is archived, or that is expired', async () => {
    const repository = service.newRepository()
    const until = new Date(service.clock.now().getTime() + hour).toISOString()
    const { id } = await repository.raised({ applies_until: until, ...paths('src/**') })
    const archived = await repository.raised(paths('src/**'))
    await repository.post(`/notables/${archived.id}/archive`)
    expect((await repository.check(paths('src/a.ts'))).related_notable_ids).toEqual([id])
    service.clock.advance(hour)
    expect((await repository.check(paths('src/a.ts'))).related_notable_ids).toEqual([])
    await repository.raised(paths('src/**'))
    service.clock.advance(7 * day)
    expect((await repository.check(paths('src/a.ts'))).related_notable_ids).toEqual([])
  })
})

describe('POST /activity/check: work to reuse', () => {
  it('is what merged in the retention time and overlaps, at most five, newest first', async () => {
    const repository = service.newRepository()
    const merged: string[] = []
    for (let n = 0; n < 6; n++) {
      const id = await record(repository, { branch: `b${n}`, ...paths('src/**') })
      service.clock.advance(1000)
      await repository.patch(`/activity/${id}`, { status: 'merged' })
      if (n % 2) await repository.post(`/activity/${id}/archive`)
      merged.unshift(id)
    }
    const abandoned = await record(repository, paths('src/**'))
    await repository.patch(`/activity/${abandoned}`, { status: 'abandoned' })
    const { reuse_opportunities, overlap_detected } = await repository.check(paths('src/a.ts'))
    expect(overlap_detected).toBe(false)
    expect(reuse_opportunities.map(({ activity_id }) => activity_id)).toEqual(merged.slice(0, 5))
    expect(reuse_opportunities[0]).toMatchObject({ title: 'Login', branch: 'b5', pr_url: null })
    expect((await repository.check(paths('docs/**'))).reuse_opportunities).toEqual([])
    service.clock.advance(31 * day)
    expect((await repository.check(paths('src/a.ts'))).reuse_opportunities).toEqual([])
  })

  it('is recorded work by the files that it changed, without ignored ones', async () => {
    const repository = service.newRepository()
    const lines = { status: 'modified', lines: [[3, 4]] }
    const files = ['src/[id].ts', 'package-lock.json'].map((path) => ({ path, ...lines }))
    const id = await record(repository, { branch: 'done', ...paths(), changes: { files } })
    await repository.patch(`/activity/${id}`, { status: 'merged' })
    const found = async (body: object) =>
      (await repository.check(body)).reuse_opportunities.map((one) => one.activity_id)
    expect(await found(paths('src/\\[id\\].ts'))).toEqual([id])
    expect(await found(paths('src/**'))).toEqual([id])
    expect(await found({ changes: { files } })).toEqual([id])
    expect(await found(paths('src/b.ts'))).toEqual([])
    expect(await found({ changes: { files: files.slice(1) } })).toEqual([])
  })

  it('is not the record that the check leaves out', async () => {
    const repository = service.newRepository()
    const [other, own] = [await record(repository, paths('src/**')), await record(repository, paths('src/**'))]
    for (const id of [other, own]) await repository.patch(`/activity/${id}`, { status: 'merged' })
    const overlap = await repository.check({ activity_id: own })
    expect(overlap.reuse_opportunities.map(({ activity_id }) => activity_id)).toEqual([other])
    expect(toldIds(overlap, 'advice')).toContain(other)
  })
})

describe('POST /activity/check: the areas of the settings', () => {
  it('count as naming their paths, on either side, at the time of the check', async () => {
    const repository = withAreas.newRepository()
    const byArea = await record(repository, areas('billing'))
    const byPath = await record(repository, paths('web/app.tsx'))
    expect(await repository.check(paths('src/billing/tax.ts'))).toMatchObject({
      severity: 'medium',
      related_activity_ids: [byArea],
    })
    expect((await repository.check({ tags: ['UI'] })).related_activity_ids).toEqual([byPath])
    expect((await repository.get(`/activity/${byArea}`)).body).toMatchObject({
      scope: { areas: ['billing'], paths: [] },
    })
  })

  it('stay low where only the area is shared', async () => {
    const repository = withAreas.newRepository()
    await record(repository, areas('billing'))
    expect((await repository.check(areas('BILLING'))).severity).toBe('low')
  })
})

describe('POST /activity/check: access', () => {
  it('lets a reader check, and nobody else', async () => {
    const repository = service.newRepository()
    const as = (token: string | null) => repository.post('/activity/check', {}, { token })
    expect((await as(repository.reader)).status).toBe(200)
    expect(refusal(await as(repository.stranger))).toEqual({ status: 404, code: 'not_found' })
    expect(refusal(await as(null))).toEqual({ status: 401, code: 'unauthenticated' })
  })

  it('405 for another method', async () => {
    const answer = await service.newRepository().get('/activity/check')
    expect(refusal(answer)).toEqual({ status: 405, code: 'method_not_allowed' })
    expect(answer.headers.get('allow')).toBe('POST')
  })
})

describe('two creates that collide and run at the same time', () => {
  it('see each other: at least one answer names the other, fifty times, on two instances', async () => {
    const first = await startTestService()
    const second = await startTestService({ sharedWith: first })
    const repository = first.newRepository()
    const body = (name: string, n: number) => ({
      title: name,
      summary: 'S',
      actor: name,
      branch: `${name}${n}`,
      ...paths(`src/${n}.ts`),
    })
    for (let n = 0; n < 50; n++) {
      const [a, b] = await Promise.all([
        repository.created('/activity', body('a', n)),
        second.as(repository).created('/activity', body('b', n)),
      ])
      const seen = [
        a.overlap.related_activity_ids.includes(b.activity.id),
        b.overlap.related_activity_ids.includes(a.activity.id),
      ]
      expect(seen, `round ${n}`).toContain(true)
    }
    await second.stop()
    await first.stop()
  })
})

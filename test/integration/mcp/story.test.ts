import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Activity, RetrievedActivity } from '../../../src/activity/schema.ts'
import { tools } from '../../../src/mcp/tools.ts'
import type { Notable } from '../../../src/notable/schema.ts'
import type { Overlap } from '../../../src/overlap/schema.ts'
import { faults } from '../../support/github/faults.ts'
import { connectModel, eras, type ModelClient } from '../../support/mcp.ts'
import { type Created, startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const work = {
  title: 'Rework the login',
  summary: 'Sessions move to the database.',
  actor: 'Alice',
  branch: 'feat/login',
  scope: { areas: ['auth'], paths: ['src/auth/**'] },
}
const warning = { title: 'Freeze', summary: 'No merges today.', importance: 'high', category: 'release' }

describe.each(eras)('in generation %s a model', (era) => {
  let model: ModelClient
  let repository: TestRepository
  let where: { repository: string }
  const called = new Set<string>()

  beforeAll(async () => {
    repository = service.newRepository()
    where = { repository: `${repository.owner}/${repository.name}` }
    model = await connectModel(service.url, repository.writer, era)
  })
  afterAll(() => model.close())

  const done = <Answer>(tool: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    called.add(tool)
    return model.done<Answer>(tool, { ...where, ...args })
  }
  const read = async (path: string) => (await repository.get(path)).body
  const started = async (more: object = {}) => (await done<Created>('start_activity', { ...work, ...more })).activity

  it('starts work that others see, and hears what it meets', async () => {
    const first = await started()
    const { activity, overlap } = await done<Created>('start_activity', { ...work, branch: 'feat/other' })
    expect(overlap.related_activity_ids).toContain(first.id)
    expect(await read(`/activity/${activity.id}`)).toMatchObject({ ...activity, branch: 'feat/other' })
  })

  it('checks a plan as the route does, and saves nothing', async () => {
    const first = await started({ scope: { paths: ['src/checked/**'] } })
    const plan = { branch: 'feat/plan', scope: { paths: ['src/checked/a.ts'] } }
    const before = (await repository.page('/activity')).items.length
    const overlap = await done<Overlap>('check_overlap', plan)
    expect(overlap).toEqual(await repository.check(plan))
    expect(overlap.related_activity_ids).toEqual([first.id])
    expect(await done<Overlap>('check_overlap', { activity_id: first.id })).toMatchObject({ overlap_detected: false })
    expect((await repository.page('/activity')).items).toHaveLength(before)
  })

  it('takes whatever a create takes as a plan, though it is shown only what matters', async () => {
    expect(await done<Overlap>('check_overlap', { ...work, scope: { paths: ['nowhere'] } })).toMatchObject({
      overlap_detected: false,
    })
  })

  it('keeps its work alive', async () => {
    const { id, expires_at } = await started()
    service.clock.advance(3_600_000)
    const beat = await done<Activity>('heartbeat_activity', { activity_id: id })
    expect(Date.parse(beat.expires_at) - Date.parse(expires_at)).toBe(3_600_000)
    expect(beat).not.toHaveProperty('remark')
    expect(await read(`/activity/${id}`)).toMatchObject(beat)
  })

  it.each(['archived', 'merged', 'abandoned'])('is told when what it keeps alive is %s', async (status) => {
    const { id } = await started()
    await repository.patch(`/activity/${id}`, { status })
    const { remark } = await done<{ remark: string }>('heartbeat_activity', { activity_id: id })
    expect(remark).toContain(`status ${status}`)
    expect(remark).toContain('start_activity')
    expect(await read(`/activity/${id}`)).toMatchObject({ status })
  })

  it('changes its work', async () => {
    const { id } = await started()
    const changed = await done<Activity>('update_activity', { activity_id: id, status: 'paused', branch: null })
    expect(changed).toMatchObject({ status: 'paused', branch: null, title: work.title })
    expect(await read(`/activity/${id}`)).toMatchObject(changed)
  })

  it('finishes its work, once and for all', async () => {
    const { id } = await started()
    const ended = await done<Activity>('finish_activity', { activity_id: id })
    expect(ended).toMatchObject({ id, status: 'archived' })
    service.clock.advance(1000)
    expect(await done<Activity>('finish_activity', { activity_id: id })).toEqual(ended)
    expect(await read(`/activity/${id}`)).toMatchObject(ended)
  })

  it('reads one activity', async () => {
    const { id } = await started()
    const activity = await done<RetrievedActivity>('get_activity', { activity_id: id })
    expect(activity).toEqual(await read(`/activity/${id}`))
    expect(activity).toHaveProperty('pr_reminder_due')
  })

  it('lists work page by page, with numbers and booleans as they are', async () => {
    const actor = `Bob of ${era}`
    const made = [await started({ actor }), await started({ actor }), await started({ actor })]
    const filters = { actor, has_pr: false, limit: 2 }
    type Page = { items: Activity[]; next_cursor: string | null }
    const first = await done<Page>('list_activities', filters)
    const rest = await done<Page>('list_activities', { ...filters, cursor: first.next_cursor })
    const ids = [...first.items, ...rest.items].map(({ id }) => id)
    expect(ids).toEqual(made.map(({ id }) => id).reverse())
    expect([first.items.length, rest.next_cursor]).toEqual([2, null])
    expect(await repository.page(`/activity?actor=${encodeURIComponent(actor)}&has_pr=false&limit=2`)).toEqual(first)
    expect(await done<Page>('list_activities', { actor, has_pr: true })).toMatchObject({ items: [] })
  })

  it('raises, reads, changes and ends what everybody must know', async () => {
    const { id } = await done<Notable>('raise_notable', { ...warning, scope: { areas: ['billing'] } })
    const other = await done<Notable>('raise_notable', warning)
    expect(await done('get_notable', { notable_id: id })).toEqual(await read(`/notables/${id}`))
    expect(await done('list_notables', { area: 'Billing' })).toMatchObject({ items: [{ id }] })
    const changed = await done<Notable>('update_notable', { notable_id: id, importance: 'low', applies_until: null })
    expect(await read(`/notables/${id}`)).toEqual(changed)
    expect(changed).toMatchObject({ importance: 'low', summary: warning.summary })
    await done('archive_notable', { notable_id: id })
    expect(await read(`/notables/${id}`)).toMatchObject({ status: 'archived' })
    expect(await read(`/notables/${other.id}`)).toMatchObject({ status: 'active' })
  })

  it('reads the settings', async () => {
    expect(await done('get_settings')).toEqual(await read('/settings'))
  })

  it('repeats a create with the same key, over MCP or HTTP, and there is one record', async () => {
    const key = `key-${era}`
    const { id } = await started({ title: 'Once', idempotency_key: key })
    expect((await started({ title: 'Once', idempotency_key: key })).id).toBe(id)
    const body = { ...work, title: 'Once' }
    const overHttp = await repository.post('/activity', body, { headers: { 'Idempotency-Key': key } })
    expect(overHttp.headers.get('idempotency-replayed')).toBe('true')
    expect(overHttp.body).toMatchObject({ activity: { id } })
  })

  it('has had every tool do its work here', () => {
    expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort())
  })
})

it('a heartbeat that was taken is none refused, where GitHub can not be asked once more whether the work has ended', async () => {
  const asking = await startTestService({ beside: service, permissionCacheMs: 0 })
  const repository = service.newRepository()
  const { activity } = await repository.created('/activity', work)
  const model = await connectModel(asking.url, repository.writer)
  const about = { method: 'GET', path: `/repos/${repository.owner}/${repository.name}` }
  service.github.fail(faults.unicorn(), about)
  service.github.fail(faults.slow(0), { ...about, times: 1 })
  service.clock.advance(60_000)
  const args = { repository: `${repository.owner}/${repository.name}`, activity_id: activity.id }
  const beat = await model.done<Activity>('heartbeat_activity', args)
  expect(Date.parse(beat.expires_at) - Date.parse(activity.expires_at)).toBe(60_000)
  expect(beat).not.toHaveProperty('remark')
  service.github.heal()
  await model.close()
  await asking.stop()
})

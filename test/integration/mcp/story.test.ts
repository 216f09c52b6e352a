import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Activity, RetrievedActivity } from '../../../src/core/schemas/activity.ts'
import type { Collisions } from '../../../src/core/schemas/live.ts'
import type { Notable } from '../../../src/core/schemas/notable.ts'
import type { BatchOverlap, Overlap } from '../../../src/core/schemas/overlap.ts'
import { tools } from '../../../src/service/api/mcp/tools.ts'
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
  let inRepository: { repository: string }
  const called = new Set<string>()

  beforeAll(async () => {
    repository = service.newRepository()
    inRepository = { repository: `${repository.owner}/${repository.name}` }
    model = await connectModel(service.url, repository.writer, era)
  })
  afterAll(() => model.close())

  const done = <Answer>(tool: string, args: Record<string, unknown> = {}): Promise<Answer> => {
    called.add(tool)
    return model.done<Answer>(tool, { ...inRepository, ...args })
  }
  const read = async (path: string) => (await repository.get(path)).body
  const started = async (more: object = {}) => (await done<Created>('start_activity', { ...work, ...more })).activity

  it('starts an activity that others see, and gets its overlap', async () => {
    const first = await started()
    const { activity, overlap } = await done<Created>('start_activity', { ...work, branch: 'feat/other' })
    expect(overlap.related_activity_ids).toContain(first.id)
    expect(await read(`/activity/${activity.id}`)).toMatchObject({ ...activity, branch: 'feat/other' })
  })

  it('checks a plan as the API does, and saves nothing', async () => {
    const first = await started({ scope: { paths: ['src/checked/**'] } })
    const plan = { branch: 'feat/plan', scope: { paths: ['src/checked/a.ts'] } }
    const before = (await repository.page('/activity')).items.length
    const overlap = await done<Overlap>('check_overlap', plan)
    const { messages: _, ...answer } = await repository.check(plan)
    expect(overlap).toEqual(answer)
    expect(overlap.related_activity_ids).toEqual([first.id])
    expect(await done<Overlap>('check_overlap', { activity_id: first.id })).toMatchObject({ overlap_detected: false })
    expect((await repository.page('/activity')).items).toHaveLength(before)
  })

  it('checks many tasks as the API does', async () => {
    const proposals = [{ scope: { paths: ['src/tasks/**'] } }, { scope: { paths: ['src/tasks/a.ts'] } }]
    const checked = await done<BatchOverlap>('check_tasks', { proposals })
    const { body } = await repository.post('/activity/check/batch', { proposals })
    const { results, ...rest } = body as BatchOverlap
    expect(checked).toEqual({ ...rest, results: results.map(({ messages: _, ...result }) => result) })
    expect(checked.pairs).toHaveLength(1)
  })

  it('may check with the arguments of a create, which the tool does not list', async () => {
    expect(await done<Overlap>('check_overlap', { ...work, scope: { paths: ['nowhere'] } })).toMatchObject({
      overlap_detected: false,
    })
  })

  it('sends a heartbeat', async () => {
    const { id, expires_at } = await started()
    service.clock.advance(3_600_000)
    const heartbeat = await done<Activity>('heartbeat_activity', { activity_id: id })
    expect(Date.parse(heartbeat.expires_at) - Date.parse(expires_at)).toBe(3_600_000)
    expect(heartbeat).not.toHaveProperty('remark')
    expect(await read(`/activity/${id}`)).toMatchObject(heartbeat)
  })

  it.each(['archived', 'merged', 'abandoned'])(
    'gets a remark if the activity of its heartbeat is %s',
    async (status) => {
      const { id } = await started()
      await repository.patch(`/activity/${id}`, { status })
      const { remark } = await done<{ remark: string }>('heartbeat_activity', { activity_id: id })
      expect(remark).toContain(`status ${status}`)
      expect(remark).toContain('start_activity')
      expect(await read(`/activity/${id}`)).toMatchObject({ status })
    },
  )

  it('changes an activity', async () => {
    const { id } = await started()
    const changed = await done<Activity>('update_activity', { activity_id: id, status: 'paused', branch: null })
    expect(changed).toMatchObject({ status: 'paused', branch: null, title: work.title })
    expect(await read(`/activity/${id}`)).toMatchObject(changed)
  })

  it('ends an activity, and ending it again changes nothing', async () => {
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

  it('lists activities page by page, with numbers and booleans as arguments', async () => {
    const actor = `Bob of ${era}`
    const made = [await started({ actor }), await started({ actor }), await started({ actor })]
    const filters = { actor, has_pr: false, limit: 2 }
    type Page = { items: Activity[]; next_cursor: string | null }
    const first = await done<Page>('list_activities', filters)
    const rest = await done<Page>('list_activities', { ...filters, cursor: first.next_cursor })
    const ids = [...first.items, ...rest.items].map(({ id }) => id)
    expect(ids).toEqual(made.map(({ id }) => id).reverse())
    expect([first.items.length, rest.next_cursor]).toEqual([2, null])
    // The tool lists recorded work unless it is asked for other sources.
    expect(
      await repository.page(`/activity?actor=${encodeURIComponent(actor)}&has_pr=false&limit=2&source=recorded`),
    ).toEqual(first)
    expect(await done<Page>('list_activities', { actor, has_pr: true })).toMatchObject({ items: [] })
  })

  it('creates, reads, changes and archives a notable', async () => {
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

  it('lists what collides', async () => {
    const one = await started({ title: 'One', branch: `one-${era}`, scope: { paths: [`collide-${era}.ts`] } })
    const two = await started({ title: 'Two', branch: `two-${era}`, scope: { paths: [`collide-${era}.ts`] } })
    const { items } = await done<Collisions>('list_collisions', { activity_id: one.id })
    expect(items.map(({ activity_ids }) => activity_ids.toSorted())).toEqual([[one.id, two.id].sort()])
  })

  it('reads the settings', async () => {
    expect(await done('get_settings')).toEqual(await read('/settings'))
  })

  it('creates one record with one key, over MCP and HTTP', async () => {
    const key = `key-${era}`
    const { id } = await started({ title: 'Once', idempotency_key: key })
    expect((await started({ title: 'Once', idempotency_key: key })).id).toBe(id)
    const body = { ...work, title: 'Once' }
    const overHttp = await repository.post('/activity', body, { headers: { 'Idempotency-Key': key } })
    expect(overHttp.headers.get('idempotency-replayed')).toBe('true')
    expect(overHttp.body).toMatchObject({ activity: { id } })
  })

  it('has called every tool in these tests', () => {
    expect([...called].sort()).toEqual(tools.map(({ name }) => name).sort())
  })
})

it('a heartbeat succeeds without a remark if GitHub does not respond when the status is read', async () => {
  const uncached = await startTestService({ sharedWith: service, permissionCacheMs: 0 })
  const repository = service.newRepository()
  const { activity } = await repository.created('/activity', work)
  const model = await connectModel(uncached.url, repository.writer)
  const request = { method: 'GET', path: `/repos/${repository.owner}/${repository.name}` }
  service.github.fail(faults.unicorn(), request)
  service.github.fail(faults.slow(0), { ...request, times: 1 })
  service.clock.advance(60_000)
  const args = { repository: `${repository.owner}/${repository.name}`, activity_id: activity.id }
  const heartbeat = await model.done<Activity>('heartbeat_activity', args)
  expect(Date.parse(heartbeat.expires_at) - Date.parse(activity.expires_at)).toBe(60_000)
  expect(heartbeat).not.toHaveProperty('remark')
  service.github.heal()
  await model.close()
  await uncached.stop()
})

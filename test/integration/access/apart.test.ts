import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/service/lib/ids.ts'
import { operations } from '../../support/arbitrary/document.ts'
import { errorOf, refusal } from '../../support/client.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
/** Has records of every kind in the places that the tests use. */
let other: TestRepository
let theirs: { activity: string; notable: string }

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat' }
const scoped = { scope: { areas: ['auth'], paths: ['src/auth'] } }

beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  other = service.newRepository()
  for (const status of ['merged', 'active']) {
    const { activity } = await other.created('/activity', { ...work, ...scoped })
    await other.patch(`/activity/${activity.id}`, { status })
    theirs = { activity: activity.id, notable: (await other.raised({ ...scoped })).id }
  }
  await other.raised()
})
afterAll(() => service.stop())

const isPaged = ({ parameters }: (typeof operations)[number]) => parameters.some(({ name }) => name === 'cursor')
const ofRecord = operations.filter(({ path }) => path.includes('{id}'))
const histories = ofRecord.filter(({ path }) => path.endsWith('/history'))
const lists = operations.filter((operation) => isPaged(operation) && !histories.includes(operation))
/** A valid body for each operation that needs one. */
const bodies: Record<string, object> = { updateActivity: { title: 'Mine' }, updateNotable: { summary: 'Mine' } }

describe('a record of another repository', () => {
  it('is the subject of nine operations by id, two of them histories, and of two lists', () => {
    expect([ofRecord.length, histories.length, lists.length]).toEqual([9, 2, 2])
  })

  it.each(ofRecord)('is not found by $operationId, and stays unchanged', async (operation) => {
    const kind = operation.path.startsWith('/notables') ? 'notable' : 'activity'
    const send = (id: string) =>
      repository.call(operation.method, operation.path.replace('{id}', id), { body: bodies[operation.operationId] })
    const read = async () => (await other.get(operation.path.replace(/\{id\}.*/, theirs[kind]))).body
    const before = await read()
    const foreign = await send(theirs[kind])
    const missing = await send(newId(kind === 'notable' ? 'ntb' : 'act'))
    expect(refusal(foreign)).toEqual({ status: 404, code: 'not_found' })
    const { request_id: _, ...error } = errorOf(foreign)
    const { request_id: __, ...errorOfMissing } = errorOf(missing)
    expect(error).toEqual(errorOfMissing)
    expect(await read()).toEqual(before)
  })

  it.each(lists)('is in no page of $operationId, and its cursor is invalid', async ({ path, parameters }) => {
    const statuses = parameters.find(({ name }) => name === 'status')?.schema.enum ?? []
    for (const query of ['', ...statuses.map((status) => `?status=${status}`)]) {
      expect((await repository.page(path + query)).items).toEqual([])
    }
    const { next_cursor } = await other.page(`${path}?limit=1`)
    const response = await repository.get(`${path}?cursor=${next_cursor ?? (await cursorOf(path))}`)
    expect(refusal(response)).toMatchObject({ status: 400, code: 'invalid_cursor' })
  })

  it('is in no overlap, be it an active or merged activity or a notable', async () => {
    const nothing = {
      overlap_detected: false,
      related_activity_ids: [],
      related_notable_ids: [],
      expected_activity_ids: [],
      repository_notable_ids: [],
      relationships: {},
      reuse_opportunities: [],
    }
    expect(await other.check({ ...scoped, branch: 'mine' })).toMatchObject({ overlap_detected: true })
    expect(await repository.check({ ...scoped, branch: 'mine' })).toMatchObject(nothing)
    expect((await service.newRepository().created('/activity', { ...work, ...scoped })).overlap).toMatchObject(nothing)
  })

  it('can be neither superseded nor checked, with the same error as for a missing record', async () => {
    const notable = { title: 'Careful', summary: 'It moves.', importance: 'low', category: 'warning' }
    const superseding = (id: string) => repository.post('/notables', { ...notable, supersedes: [id] })
    const checking = (id: string) => repository.post('/activity/check', { activity_id: id })
    const pairs = [
      [await superseding(theirs.notable), await superseding(newId('ntb'))],
      [await checking(theirs.activity), await checking(newId('act'))],
    ] as const
    for (const [foreign, missing] of pairs) {
      expect(refusal(foreign)).toMatchObject({ status: 400, code: 'validation_failed' })
      expect(refusal(foreign)).toEqual(refusal(missing))
    }
    expect((await other.get(`/notables/${theirs.notable}`)).body).toMatchObject({ status: 'active' })
  })
})

/** Adds a record, so that the list has a second page. */
async function cursorOf(path: string): Promise<string> {
  if (path === '/activity') await other.created('/activity', work)
  else await other.raised()
  const { next_cursor } = await other.page(`${path}?limit=1`)
  if (next_cursor === null) throw new Error('no second page')
  return next_cursor
}

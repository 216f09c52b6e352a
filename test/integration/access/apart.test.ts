import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newId } from '../../../src/lib/ids.ts'
import { operations } from '../../support/arbitrary/document.ts'
import { errorOf, refusal } from '../../support/client.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
let repository: TestRepository
/** Has all of everything, in the very places that are asked about. */
let other: TestRepository
let theirs: { activity: string; notable: string }

const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat' }
const place = { scope: { areas: ['auth'], paths: ['src/auth'] } }

beforeAll(async () => {
  service = await startTestService()
  repository = service.newRepository()
  other = service.newRepository()
  for (const status of ['merged', 'active']) {
    const { activity } = await other.created('/activity', { ...work, ...place })
    await other.patch(`/activity/${activity.id}`, { status })
    theirs = { activity: activity.id, notable: (await other.raised({ ...place })).id }
  }
  await other.raised()
})
afterAll(() => service.stop())

const ofRecord = operations.filter(({ path }) => path.includes('{id}'))
const lists = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'cursor'))
/** A body that would be taken. */
const bodies: Record<string, object> = { updateActivity: { title: 'Mine' }, updateNotable: { summary: 'Mine' } }

describe('a record of another repository', () => {
  it('is asked for by id in seven operations, and listed by two', () => {
    expect([ofRecord.length, lists.length]).toEqual([7, 2])
  })

  it.each(ofRecord)('is for $operationId as if it were not there, and stays as it was', async (operation) => {
    const kind = operation.path.startsWith('/notables') ? 'notable' : 'activity'
    const ask = (id: string) =>
      repository.call(operation.method, operation.path.replace('{id}', id), { body: bodies[operation.operationId] })
    const see = async () => (await other.get(operation.path.replace(/\{id\}.*/, theirs[kind]))).body
    const before = await see()
    const foreign = await ask(theirs[kind])
    const missing = await ask(newId(kind === 'notable' ? 'ntb' : 'act'))
    expect(refusal(foreign)).toEqual({ status: 404, code: 'not_found' })
    const { request_id: _, ...said } = errorOf(foreign)
    const { request_id: __, ...saidOfNone } = errorOf(missing)
    expect(said).toEqual(saidOfNone)
    expect(await see()).toEqual(before)
  })

  it.each(lists)('is in no answer of $operationId, nor is its cursor of use', async ({ path, parameters }) => {
    const statuses = parameters.find(({ name }) => name === 'status')?.schema.enum ?? []
    for (const query of ['', ...statuses.map((status) => `?status=${status}`)]) {
      expect((await repository.page(path + query)).items).toEqual([])
    }
    const { next_cursor } = await other.page(`${path}?limit=1`)
    const answer = await repository.get(`${path}?cursor=${next_cursor ?? (await cursorOf(path))}`)
    expect(refusal(answer)).toMatchObject({ status: 400, code: 'invalid_cursor' })
  })

  it('is in no overlap: neither work, nor what was merged, nor notables', async () => {
    const nothing = {
      overlap_detected: false,
      related_activity_ids: [],
      related_notable_ids: [],
      expected_activity_ids: [],
      repository_notable_ids: [],
      relationships: {},
      reuse_opportunities: [],
    }
    expect(await other.check({ ...place, branch: 'mine' })).toMatchObject({ overlap_detected: true })
    expect(await repository.check({ ...place, branch: 'mine' })).toMatchObject(nothing)
    expect((await service.newRepository().created('/activity', { ...work, ...place })).overlap).toMatchObject(nothing)
  })

  it('can neither be superseded nor stand for the caller in a check, and refusing says no more than of none', async () => {
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

/** Of a list that has a second page. */
async function cursorOf(path: string): Promise<string> {
  if (path === '/activity') await other.created('/activity', work)
  else await other.raised()
  const { next_cursor } = await other.page(`${path}?limit=1`)
  if (next_cursor === null) throw new Error('no second page')
  return next_cursor
}

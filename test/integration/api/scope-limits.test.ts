import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refusal } from '../../support/client.ts'
import { connectModel } from '../../support/mcp.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const work = { title: 'T', summary: 'S', actor: 'A' }
const notable = { title: 'T', summary: 'S', importance: 'low', category: 'warning' }

/** Just too long in UTF-8, and well below the limits of single texts. */
const longPaths = Array.from({ length: 20 }, (_, n) => `src/${n}/${'é'.repeat(410)}`)
const longAreas = Array.from({ length: 60 }, (_, n) => `${n}${'字'.repeat(24)}`)

/** Saves a scope as it could be saved before there were limits in bytes. */
async function storeLarge({ id }: TestRepository, activityId: string, paths: readonly string[]): Promise<void> {
  await service.db.query('update activities set paths = $3 where repository_id = $1 and id = $2', [
    id,
    activityId,
    paths,
  ])
}

describe('a scope over its limit in bytes', () => {
  it.each([
    ['paths', { paths: longPaths }, 'scope.paths too_long'],
    ['areas', { areas: longAreas }, 'scope.areas too_long'],
  ])('is refused everywhere, and the field is named: %s', async (_, scope, detail) => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    const answers = [
      await repository.post('/activity', { ...work, scope }),
      await repository.post('/activity/check', { scope }),
      await repository.patch(`/activity/${activity.id}`, { scope }),
      await repository.post('/notables', { ...notable, scope }),
    ]
    for (const answer of answers)
      expect(refusal(answer)).toEqual({ status: 400, code: 'validation_failed', details: [detail] })
    const model = await connectModel(service.url, repository.writer)
    const named = `${repository.owner}/${repository.name}`
    expect(await model.refused('check_overlap', { repository: named, scope })).toContain(detail.split(' ')[0])
    await model.close()
  })
})

describe('a scope that was stored before it had a limit in bytes', () => {
  it('is returned whole, and a PATCH without a scope changes the rest', async () => {
    const repository = service.newRepository()
    const { activity } = await repository.created('/activity', work)
    await storeLarge(repository, activity.id, longPaths)
    const answer = await repository.patch(`/activity/${activity.id}`, { title: 'Other' })
    expect(answer).toMatchObject({ status: 200, body: { title: 'Other', scope: { areas: [], paths: longPaths } } })
    expect((await repository.get(`/activity/${activity.id}`)).body).toMatchObject({ scope: { paths: longPaths } })
  })
})

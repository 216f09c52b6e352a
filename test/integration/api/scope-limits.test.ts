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

  describe('is compared by its first 16 KiB', () => {
    const notWhole = /this is not the whole answer/
    const late = 'src/*/late*.ts'
    const stored = [...longPaths, late]
    const inFirst = { scope: { paths: [longPaths[0]] } }
    const beyond = { scope: { paths: ['src/x/later.ts'] } }

    it('of an activity: what lies beyond is not the whole answer', async () => {
      const repository = service.newRepository()
      await service.fill(repository, 1, stored)
      const found = await repository.check(inFirst)
      expect(found).toMatchObject({ overlap_detected: true, severity: 'medium' })
      expect(found.reason).not.toMatch(notWhole)
      const unknown = await repository.check(beyond)
      expect(unknown).toMatchObject({ overlap_detected: false, reason: expect.stringMatching(notWhole) })
      expect(unknown.recommended_action.toLowerCase()).not.toContain('go ahead')
      expect((await repository.check({ scope: { paths: ['docs/a.md'] } })).recommended_action).toContain('Go ahead')
    })

    it('of a notable', async () => {
      const repository = service.newRepository()
      const [id] = await service.fillNotables(repository, 1, () => ({ areas: [], paths: stored }))
      expect((await repository.check(inFirst)).related_notable_ids).toEqual([id])
      expect((await repository.check(beyond)).reason).toMatch(notWhole)
    })

    it("of the caller's own record", async () => {
      const repository = service.newRepository()
      const { activity } = await repository.created('/activity', work)
      await storeLarge(repository, activity.id, stored)
      await service.fill(repository, 1, ['src/0/**'])
      const overlap = await repository.check({ activity_id: activity.id })
      expect(overlap).toMatchObject({ overlap_detected: true, reason: expect.stringMatching(notWhole) })
    })

    it('but what the index decides is found in all of it', async () => {
      const repository = service.newRepository()
      await service.fill(repository, 1, [...longPaths, 'src/late.ts'])
      const overlap = await repository.check({ scope: { paths: ['src/late.ts'] } })
      expect(overlap).toMatchObject({ overlap_detected: true, severity: 'high' })
    })

    it('in pairs: the list is truncated', async () => {
      const repository = service.newRepository()
      await service.fill(repository, 1, stored)
      await service.fill(repository, 1, ['src/*/later.ts'])
      expect((await repository.get('/collisions')).body).toMatchObject({ items: [], truncated: true })
    })
  })
})

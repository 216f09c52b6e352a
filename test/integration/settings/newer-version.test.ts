import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minute } from '../../support/clock.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { settingsOf, withSettings } from './settings.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ githubApp: true })
})
afterAll(() => service.stop())

describe('a newer version of the service', () => {
  it('reads an unchanged file again that an older one rejected', async () => {
    const { repository } = withSettings(service, 'activity_ttl_ms: 3600000\n')
    await settingsOf(repository)
    const rejected = `update repository_settings set file_values = null, problems = '[{"field": "x", "message": "y"}]'
                      where repository_id = $1`
    await expect.poll(async () => (await service.db.query(rejected, [repository.id])).rowCount).toBe(1)
    service.clock.advance(11 * minute)
    await settingsOf(repository)
    await expect.poll(async () => (await settingsOf(repository)).problems).toEqual([])
    expect((await settingsOf(repository)).settings).toMatchObject({ activity_ttl_ms: 3_600_000 })
  })
})

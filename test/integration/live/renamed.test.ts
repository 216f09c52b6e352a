import { afterAll, beforeAll, expect, it } from 'vitest'
import { hour } from '../../support/clock.ts'
import { openStream } from '../../support/event-stream.ts'
import { addRepository } from '../../support/github/build-data.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { withSettings } from '../settings/settings.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ githubApp: true, live: { pollMs: 30 } })
})
afterAll(() => service.stop())

it('a stream reads the settings of the repository that it began with, not of one that has its former name by then', async () => {
  const { repository, owner } = withSettings(service, 'max_files: 50')
  const work = { title: 'Login', summary: 'x', actor: 'carol', branch: 'login', scope: { paths: ['src/login.ts'] } }
  const { activity } = await repository.created('/activity', work)
  await repository.created('/activity', { ...work, branch: 'other' })
  const stream = await openStream(`${service.url}/api/v1${repository.path}/events`, repository.reader)
  await stream.data('snapshot')
  await service.github.renameRepository(repository, `${repository.name}-moved`)
  await service.db.query('update repositories set name = $2 where repository_id = $1', [
    repository.id,
    `${repository.name}-moved`,
  ])
  addRepository(service.github.data, owner, repository.name, {
    files: new Map([['.github/headsup.yml', 'max_files: 7']]),
  })
  service.clock.advance(12 * hour)
  const asked = service.github.requests.length
  await service.db.query(`update activities set title = 'Logout' where id = $1`, [activity.id])
  await stream.data('activity')
  const contents = () => service.github.requests.slice(asked).filter((request) => request.includes('headsup.yml'))
  await expect.poll(() => contents().length, { timeout: 5_000 }).toBeGreaterThan(0)
  expect(contents().filter((request) => !request.includes(`${repository.name}-moved`))).toEqual([])
  stream.close()
})

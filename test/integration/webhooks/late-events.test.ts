import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { day, hour, minute, second } from '../../support/clock.ts'
import { deliver, repositoryPayload } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { read, record } from './recovery.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ githubApp: true })
})
afterAll(() => service.stop())

const iso = (ms = 0) => new Date(service.clock.now().getTime() + ms).toISOString()
const seconds = (ms = 0) => Math.floor((service.clock.now().getTime() + ms) / second)

async function receive(event: string, payload: object) {
  const response = await deliver(service, event, payload, { secret: service.github.data.app.webhookSecret })
  expect(response).toMatchObject({ status: 200, body: { outcome: 'handled' } })
}

const push = (repository: TestRepository, pushed_at: number | string | null) =>
  receive('push', { ref: 'refs/heads/feat', commits: [], repository: repositoryPayload(repository, { pushed_at }) })

describe('a push that arrives late', () => {
  it('is a heartbeat at its own time', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    service.clock.advance(5 * hour)
    await push(repository, seconds(-2 * hour))
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: iso(-2 * hour), expires_at: iso(22 * hour) })
  })

  it('never moves a heartbeat or the expiry backwards', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    service.clock.advance(5 * hour)
    await push(repository, seconds(-hour))
    const last = await read(repository, id)
    await push(repository, seconds(-3 * hour))
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: last.heartbeat_at, expires_at: last.expires_at })
  })

  it('is never later than now, whatever it says', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    service.clock.advance(hour)
    await push(repository, seconds(3 * day))
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: iso(), expires_at: iso(day) })
  })

  it('does not concern work that was recorded after it', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    await push(repository, seconds(-minute))
    await push(repository, seconds(-20 * day))
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: null })
    await push(repository, seconds(-20 * second))
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: iso() })
  })

  it('is a heartbeat now if it has no time', async () => {
    const repository = service.newRepository()
    const id = await record(repository)
    service.clock.advance(hour)
    await push(repository, null)
    expect(await read(repository, id)).toMatchObject({ heartbeat_at: iso() })
  })
})

describe('a `repository` event that arrives late', () => {
  async function known({ id }: TestRepository) {
    const query = 'select name, default_branch from repositories where repository_id = $1'
    return (await service.db.query(query, [id])).rows[0]
  }

  const renamed = (repository: TestRepository, name: string, updated_at?: string, changes: object = {}) =>
    receive('repository', {
      action: 'renamed',
      repository: repositoryPayload(repository, { name, full_name: `acme/${name}`, updated_at, ...changes }),
    })

  it('does not replace the names and the default branch of a newer event', async () => {
    const repository = service.newRepository()
    await record(repository)
    service.clock.advance(hour)
    await renamed(repository, 'newest', iso(-10 * minute), { default_branch: 'trunk' })
    await renamed(repository, 'older', iso(-11 * minute), { default_branch: 'old' })
    expect(await known(repository)).toEqual({ name: 'newest', default_branch: 'trunk' })
    await renamed(repository, 'even-newer', iso(-9 * minute))
    expect(await known(repository)).toMatchObject({ name: 'even-newer' })
  })

  it('does not replace what GitHub said about the repository since', async () => {
    const repository = service.newRepository()
    service.clock.advance(hour)
    await record(repository)
    await renamed(repository, 'older', iso(-10 * minute))
    expect(await known(repository)).toMatchObject({ name: repository.name })
  })

  it('replaces what was in the permission cache when the repository was renamed', async () => {
    const repository = service.newRepository()
    await repository.get('/activity')
    service.clock.advance(20 * second)
    const at = iso()
    service.clock.advance(20 * second)
    await record(repository)
    await renamed(repository, 'at-once', at)
    expect(await known(repository)).toMatchObject({ name: 'at-once' })
  })

  it('cannot claim a time in the future', async () => {
    const repository = service.newRepository()
    await record(repository)
    await renamed(repository, 'future', iso(300 * day))
    service.clock.advance(minute)
    await renamed(repository, 'present', iso())
    expect(await known(repository)).toMatchObject({ name: 'present' })
  })
})

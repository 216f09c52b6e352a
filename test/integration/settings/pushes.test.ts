import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minute, second } from '../../support/clock.ts'
import { sign } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { withSettings } from './settings.ts'

let service: TestService

const good = 'activity_ttl_ms: 3600000\n'

beforeAll(async () => {
  service = await startTestService({ githubApp: true })
})
afterAll(() => service.stop())

const work = { title: 'Work', summary: 'It is.', actor: 'Alice', branch: 'feat' }

async function kept({ id }: { id: bigint }): Promise<void> {
  const rows = async () =>
    (await service.db.pool.query('select 1 from repository_settings where repository_id = $1', [id])).rows.length
  await expect.poll(rows, { timeout: 10_000 }).toBe(1)
}

/** A repository with a settings file that was read, and work on `feat`; what is in memory of it is due again. */
async function inUse(text: string): Promise<TestRepository> {
  const { repository } = withSettings(service, text)
  await repository.created('/activity', work)
  await kept(repository)
  return repository
}

/** A push to `feat`, whose payload says this of the repository. Gives the status of the answer. */
async function pushed(repository: object): Promise<number> {
  const { webhookSecret } = service.github.world.app
  const raw = JSON.stringify({ ref: 'refs/heads/feat', commits: [], repository })
  const headers = {
    'x-github-event': 'push',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': sign(raw, webhookSecret),
  }
  return (await service.call('POST', '/api/github/webhooks', { raw, headers })).status
}

describe('a push to a branch with work', () => {
  // Of 10 connections. A delivery that needed a second one would wait for those that wait for theirs.
  it('is handled however many come at once', async () => {
    const repositories = await Promise.all(Array.from({ length: 30 }, () => inUse(good)))
    service.clock.advance(90 * second)
    const statuses = await Promise.all(repositories.map(({ id }) => pushed({ id: Number(id) })))
    expect(statuses).toEqual(Array(30).fill(200))
  })

  it('counts as a heartbeat by the lifetime of the settings that were last read', async () => {
    const repository = await inUse(good)
    const [before] = (await repository.page('/activity')).items
    service.clock.advance(90 * second)
    expect(await pushed({ id: Number(repository.id) })).toBe(200)
    const [after] = (await repository.page('/activity')).items
    expect(Date.parse(after?.expires_at ?? '') - Date.parse(before?.expires_at ?? '')).toBe(90 * second)
  })

  it.each(['its own name', 'the name of another', 'no name'])(
    'has GitHub asked for no settings, where its payload bears %s',
    async (whose) => {
      const repository = await inUse(good)
      const named = whose === 'its own name' ? repository : withSettings(service, 'activity_ttl_ms: 60000\n').repository
      service.clock.advance(11 * minute)
      const asked = service.github.requests.length
      const names = whose === 'no name' ? {} : { name: named.name, owner: { login: named.owner } }
      expect(await pushed({ id: Number(repository.id), ...names })).toBe(200)
      expect(service.github.requests.slice(asked)).toEqual([])
    },
  )
})

import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minute, second } from '../../support/clock.ts'
import { sign } from '../../support/deliveries.ts'
import { patient } from '../../support/patient.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { withSettings } from './settings.ts'

let service: TestService

const good = 'activity_ttl_ms: 3600000\n'

beforeAll(async () => {
  service = await startTestService({ githubApp: true, ...patient })
})
afterAll(() => service.stop())

const work = { title: 'Work', summary: 'It is.', actor: 'Alice', branch: 'feat' }

async function saved({ id }: { id: bigint }): Promise<void> {
  const rows = async () =>
    (await service.db.query('select 1 from repository_settings where repository_id = $1', [id])).rows.length
  await expect.poll(rows, { timeout: minute }).toBe(1)
}

/** Creates a repository with work on `feat`. */
async function repositoryWithWork(text: string): Promise<TestRepository> {
  const { repository } = withSettings(service, text)
  await repository.created('/activity', work)
  return repository
}

/** The same, and its settings file is read and saved. */
async function repositoryInUse(text: string): Promise<TestRepository> {
  const repository = await repositoryWithWork(text)
  await saved(repository)
  return repository
}

/** Delivers a push to `feat` with this repository in its payload, and returns the status. */
async function deliverPush(repository: object): Promise<number> {
  const { webhookSecret } = service.github.data.app
  const raw = JSON.stringify({ ref: 'refs/heads/feat', commits: [], repository })
  const headers = {
    'x-github-event': 'push',
    'x-github-delivery': randomUUID(),
    'x-hub-signature-256': sign(raw, webhookSecret),
  }
  return (await service.call('POST', '/api/github/webhooks', { raw, headers })).status
}

describe('a push to a branch with work', () => {
  // There are 10 connections. If a delivery needed a second one, deliveries would wait for each other.
  it('is handled with many concurrent pushes', async () => {
    const repositories: TestRepository[] = []
    for (let n = 0; n < 30; n++) repositories.push(await repositoryWithWork(good))
    await Promise.all(repositories.map(saved))
    service.clock.advance(90 * second)
    const statuses = await Promise.all(repositories.map(({ id }) => deliverPush({ id: Number(id) })))
    expect(statuses).toEqual(Array(30).fill(200))
  })

  it('counts as a heartbeat with the lifetime of the saved settings', async () => {
    const repository = await repositoryInUse(good)
    const [before] = (await repository.page('/activity')).items
    service.clock.advance(90 * second)
    expect(await deliverPush({ id: Number(repository.id) })).toBe(200)
    const [after] = (await repository.page('/activity')).items
    expect(Date.parse(after?.expires_at ?? '') - Date.parse(before?.expires_at ?? '')).toBe(90 * second)
  })

  it.each(['its own name', 'the name of another repository', 'no name'])(
    'does not request settings if its payload has %s',
    async (whose) => {
      const repository = await repositoryInUse(good)
      const named = whose === 'its own name' ? repository : withSettings(service, 'activity_ttl_ms: 60000\n').repository
      service.clock.advance(11 * minute)
      const before = service.github.requests.length
      const names = whose === 'no name' ? {} : { name: named.name, owner: { login: named.owner } }
      expect(await deliverPush({ id: Number(repository.id), ...names })).toBe(200)
      expect(service.github.requests.slice(before)).toEqual([])
    },
  )
})

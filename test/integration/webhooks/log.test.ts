import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { minute } from '../../support/clock.ts'
import { deliver, pullRequestPayload, repositoryPayload, secret } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { collectingLog } from '../settings/collecting-log.ts'

let service: TestService
const log = collectingLog()

beforeAll(async () => {
  service = await startTestService({ webhookSecret: secret, log })
})
afterAll(() => service.stop())
beforeEach(() => void log.lines.splice(0))

async function record(repository: TestRepository): Promise<void> {
  await repository.created('/activity', { title: 'Login', summary: 'Rework.', actor: 'Alice', branch: 'secret-plan' })
}

const lines = () => log.lines.filter(({ message }) => message === 'webhook').map(({ fields }) => fields)

const deletion = (repository: TestRepository) => ({
  ref: 'secret-plan',
  ref_type: 'branch',
  repository: repositoryPayload(repository),
})

describe('the log has one line per delivery', () => {
  it('with its GUID, event, repository and changes', async () => {
    const repository = service.newRepository()
    const repository_id = String(repository.id)
    await record(repository)
    const merged = { head: 'secret-plan', merged: true, state: 'closed' }
    await deliver(service, 'pull_request', pullRequestPayload(repository, 'closed', merged), { guid: 'one' })
    await record(repository)
    await deliver(service, 'delete', deletion(repository), { guid: 'two' })
    const push = { ref: 'refs/heads/main', commits: [], repository: repositoryPayload(repository) }
    await deliver(service, 'push', push, { guid: 'three' })
    expect(lines()).toEqual([
      {
        level: 'info',
        guid: 'one',
        event: 'pull_request',
        action: 'closed',
        outcome: 'handled',
        repository_id,
        merged: 1,
      },
      { level: 'info', guid: 'two', event: 'delete', outcome: 'handled', repository_id, archived: 1 },
      { level: 'info', guid: 'three', event: 'push', outcome: 'handled', repository_id, heartbeats: 0 },
    ])
  })

  it('at debug level if a deleted branch’s work is already archived', async () => {
    const repository = service.newRepository()
    await record(repository)
    await record(repository)
    const merged = { head: 'secret-plan', merged: true, state: 'closed' }
    await deliver(service, 'pull_request', pullRequestPayload(repository, 'closed', merged))
    await deliver(service, 'delete', deletion(repository))
    expect(lines()[1]).toMatchObject({ level: 'info', outcome: 'handled', archived: 0, already_merged: 2 })
  })

  it('for a duplicate and for an unregistered event', async () => {
    const repository = service.newRepository()
    for (const _ of [1, 2]) await deliver(service, 'delete', deletion(repository), { guid: 'twice' })
    await deliver(service, 'star', { action: 'created', repository: repositoryPayload(repository) })
    expect(lines().map(({ outcome, action }) => [outcome, action])).toEqual([
      ['handled', undefined],
      ['duplicate', undefined],
      ['ignored', 'created'],
    ])
  })

  it('for a failure and for a payload of another shape than GitHub’s', async () => {
    const repository = service.newRepository()
    await service.db.query('alter table webhook_deliveries rename to elsewhere')
    expect((await deliver(service, 'delete', deletion(repository), { guid: 'failing' })).status).toBe(500)
    await service.db.query('alter table elsewhere rename to webhook_deliveries')
    expect((await deliver(service, 'delete', { ref: 7 }, { guid: 'misshapen' })).status).toBe(400)
    expect(lines()).toMatchObject([
      { guid: 'failing', outcome: 'failed' },
      { guid: 'misshapen', outcome: 'failed' },
    ])
  })

  it('but none for an unsigned one, and no line holds text of a payload', async () => {
    const repository = service.newRepository()
    await record(repository)
    await deliver(service, 'delete', deletion(repository), { headers: { 'x-hub-signature-256': 'sha256=00' } })
    expect(lines()).toEqual([])
    const opened = pullRequestPayload(repository, 'opened', { head: 'secret-plan' })
    await deliver(service, 'pull_request', opened)
    await deliver(service, 'pull_request', { ...opened, action: 'x'.repeat(101) })
    expect(lines().map(({ action }) => action)).toEqual(['opened', undefined])
    expect(JSON.stringify(log.lines)).not.toMatch(/secret-plan|acme|repo-|Login|Alice/)
  })
})

describe('a signature that does not match', () => {
  it('is in the log with its reason, once a minute with the number of deliveries', async () => {
    const repository = service.newRepository()
    const rotated = () => deliver(service, 'delete', deletion(repository), { secret: 'the old one' })
    service.clock.advance(minute)
    for (let n = 0; n < 3; n++) expect((await rotated()).status).toBe(400)
    service.clock.advance(minute)
    await rotated()
    await deliver(service, 'delete', deletion(repository), { headers: { 'x-hub-signature-256': '' } })
    const warnings = log.lines.filter(({ fields }) => fields.level === 'warn')
    expect(warnings).toEqual([
      { message: expect.stringContaining('does not match'), fields: { level: 'warn', deliveries: 1 } },
      { message: expect.stringContaining('WEBHOOK_SECRET'), fields: { level: 'warn', deliveries: 3 } },
    ])
  })
})

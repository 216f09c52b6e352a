import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { minute } from '../../support/clock.ts'
import { deliver, secret } from '../../support/deliveries.ts'
import { faults } from '../../support/github/faults.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { appOf } from '../webhooks/recovery.ts'
import { githubRepository } from './settings.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ githubApp: true, webhookSecret: secret })
})
afterAll(() => service.stop())

const ServiceBlock = z.object({
  service: z.looseObject({
    app: z.object({ state: z.string(), permissions: z.unknown(), last_webhook_at: z.string().nullable() }),
  }),
})

const read = { metadata: 'read', contents: 'read', pull_requests: 'read' } as const
type Granted = Partial<Record<keyof typeof read | 'issues', 'read' | 'write'>>

let owners = 0

/** A new owner who grants these permissions, and a new client of the App. */
function installed(permissions: Granted) {
  const owner = `granting-${++owners}`
  const installation = service.github.install(owner, { permissions })
  const { name } = service.newRepository(owner)
  const app = appOf(service)
  return {
    installation,
    app,
    ask: () => app.requestForRepository({ owner, repo: name }, { route: `GET /repos/${owner}/${name}/contents/x` }),
    /** The permissions of the installation's tokens, oldest first. */
    granted: () =>
      [...service.github.data.tokens.values()]
        .filter(({ installationId }) => installationId === installation.id)
        .map(({ grants }) => grants),
  }
}

describe('a token of an installation', () => {
  it.each<[string, Granted, Granted]>([
    ['has the permissions that Headsup uses', read, read],
    ['has no further permissions, even if the App has them', { ...read, contents: 'write', issues: 'write' }, read],
    [
      'lacks permissions that were not granted',
      { metadata: 'read', contents: 'read' },
      { metadata: 'read', contents: 'read' },
    ],
    ['may have the metadata permission only', { metadata: 'read' }, { metadata: 'read' }],
  ])('%s', async (_name, given, expected) => {
    const { ask, granted } = installed(given)
    expect(await ask()).toMatchObject({ kind: 'response' })
    expect(granted()).toEqual([expected])
  })

  it('is replaced when more is granted', async () => {
    const { ask, app, installation, granted } = installed({ metadata: 'read' })
    expect(await ask()).toMatchObject({ status: 403 })
    installation.permissions = read
    app.forgetInstallations()
    expect(await ask()).toMatchObject({ status: 404 })
    expect(await ask()).toMatchObject({ status: 404 })
    expect(granted()).toEqual([{ metadata: 'read' }, read])
  })

  it('that GitHub refuses because permissions were revoked is replaced by one that asks for less', async () => {
    const { ask, installation, granted } = installed(read)
    await ask()
    service.clock.advance(50 * minute)
    await ask()
    const less = { metadata: 'read', contents: 'read' } as const
    installation.permissions = less
    service.clock.advance(9 * minute)
    expect(await ask()).toMatchObject({ status: 404 })
    expect(granted()).toEqual([read, less])
  })

  it('that GitHub refuses is created again, once for a request', async () => {
    const { ask, installation, granted } = installed(read)
    expect(await ask()).toMatchObject({ status: 404 })
    const { data } = service.github
    const revoke = () => {
      for (const [key, { installationId }] of data.tokens)
        if (installationId === installation.id) data.tokens.delete(key)
    }
    revoke()
    expect(await ask()).toMatchObject({ status: 404 })
    expect(granted()).toEqual([read])
    service.github.fail(faults.badCredentials(), { path: /contents/ })
    const asked = service.github.requests.length
    expect(await ask()).toMatchObject({ status: 401 })
    service.github.heal()
    expect(service.github.requests.slice(asked).filter((path) => path.includes('/contents/'))).toHaveLength(2)
  })

  it('is made where the API is, and not at api.github.com', async () => {
    const { ask } = installed(read)
    const asked = service.github.requests.length
    expect(await ask()).toMatchObject({ status: 404 })
    expect(service.github.requests.slice(asked)).toContainEqual(expect.stringContaining('/access_tokens'))
  })
})

describe('GET /settings describes the state of the service for the repository:', () => {
  const serviceOf = async (repository: TestRepository, token = repository.reader) => {
    const { status, body } = await repository.get('/settings', { token })
    expect(status).toBe(200)
    return ServiceBlock.parse(body).service
  }

  it('what the token may do', async () => {
    const repository = service.newRepository()
    expect(await serviceOf(repository)).toMatchObject({ access: 'read', observed: { pull_requests: 'off' } })
    expect(await serviceOf(repository, repository.writer)).toMatchObject({ access: 'write' })
  })

  it('whether the App is installed, with what it may use, at most a minute old', async () => {
    const owner = `granting-${++owners}`
    const repository = service.newRepository(owner)
    const appNow = async () => (await serviceOf(repository)).app
    expect(await appNow()).toMatchObject({ state: 'not_installed', permissions: null })
    service.github.install(owner, { permissions: { metadata: 'read', contents: 'write', issues: 'write' } })
    expect(await appNow()).toMatchObject({ state: 'not_installed' })
    service.clock.advance(minute)
    expect(await appNow()).toMatchObject({ state: 'installed', permissions: { metadata: 'read', contents: 'read' } })
  })

  it('that GitHub does not say', async () => {
    const repository = service.newRepository(`granting-${++owners}`)
    await serviceOf(repository)
    service.clock.advance(minute)
    service.github.fail(faults.unicorn(), { path: /installation$/ })
    expect((await serviceOf(repository)).app).toEqual({ state: 'unknown', permissions: null, last_webhook_at: null })
    service.github.heal()
  })

  it('the minute of the last webhook', async () => {
    const repository = service.newRepository()
    const { id, name } = githubRepository(service, repository)
    const payload = { repository: { id, name, full_name: `${repository.owner}/${name}` }, ref: 'x', ref_type: 'branch' }
    const { status } = await deliver(service, 'delete', { ...payload, sender: {}, pusher_type: 'user' })
    expect(status).toBe(200)
    const { app } = await serviceOf(repository)
    expect(app.last_webhook_at).toMatch(/T\d\d:\d\d:00\.000Z$/)
    expect(service.clock.now().getTime() - Date.parse(app.last_webhook_at ?? '')).toBeLessThan(minute)
  })
})

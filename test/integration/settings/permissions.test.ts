import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { minute } from '../../support/clock.ts'
import { startTestService, type TestService } from '../../support/service.ts'
import { appOf } from '../webhooks/recovery.ts'

let service: TestService

beforeAll(async () => {
  service = await startTestService({ githubApp: true })
})
afterAll(() => service.stop())

const read = { metadata: 'read', contents: 'read', pull_requests: 'read' } as const
type Given = Partial<Record<keyof typeof read | 'issues', 'read' | 'write'>>

let owners = 0

/** An owner of its own who grants this, and an App that nobody else has asked with. */
function installed(permissions: Given) {
  const owner = `granting-${++owners}`
  const installation = service.github.install(owner, { permissions })
  const { name } = service.newRepository(owner)
  const app = appOf(service)
  return {
    installation,
    app,
    ask: () => app.askForRepository({ owner, repo: name }, { route: `GET /repos/${owner}/${name}/contents/x` }),
    /** What the installation's tokens may do, in the order in which they were made. */
    granted: () =>
      [...service.github.world.tokens.values()]
        .filter(({ installationId }) => installationId === installation.id)
        .map(({ grants }) => grants),
  }
}

describe('a token of an installation', () => {
  it.each<[string, Given, Given]>([
    ['is asked to read what Headsup uses', read, read],
    ['may do no more where the App was granted more', { ...read, contents: 'write', issues: 'write' }, read],
    ['leaves out what was not granted', { metadata: 'read', contents: 'read' }, { metadata: 'read', contents: 'read' }],
    ['may be for the metadata alone', { metadata: 'read' }, { metadata: 'read' }],
  ])('%s', async (_name, given, expected) => {
    const { ask, granted } = installed(given)
    expect(await ask()).toMatchObject({ kind: 'response' })
    expect(granted()).toEqual([expected])
  })

  it('is made anew once more is granted', async () => {
    const { ask, app, installation, granted } = installed({ metadata: 'read' })
    expect(await ask()).toMatchObject({ status: 403 })
    installation.permissions = read
    app.forgetInstallations()
    expect(await ask()).toMatchObject({ status: 404 })
    expect(await ask()).toMatchObject({ status: 404 })
    expect(granted()).toEqual([{ metadata: 'read' }, read])
  })

  it('that GitHub refuses, since less is granted than was, fails one question alone', async () => {
    const { ask, installation, granted } = installed(read)
    await ask()
    service.clock.advance(50 * minute)
    await ask()
    const less = { metadata: 'read', contents: 'read' } as const
    installation.permissions = less
    service.clock.advance(9 * minute)
    expect(await ask()).toMatchObject({ kind: 'failure', reason: expect.stringContaining('422') })
    expect(await ask()).toMatchObject({ status: 404 })
    expect(granted()).toEqual([read, less])
  })
})

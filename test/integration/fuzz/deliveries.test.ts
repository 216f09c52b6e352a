import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileText } from '../../support/arbitrary/hostile.ts'
import { broken } from '../../support/arbitrary/value.ts'
import { deliver, pullRequestPayload, repositoryPayload, secret } from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'

/** Deliveries of each event. Raise it for a long look. */
const runs = 60

/** In ms, for one delivery: what takes longer hangs. */
const patience = 10_000

let service: TestService
let repository: TestRepository
let other: TestRepository
let id: string

beforeAll(async () => {
  service = await startTestService({ webhookSecret: secret, githubApp: true })
  repository = service.newRepository()
  other = service.newRepository()
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'feat' }
  await repository.created('/activity', work)
  id = (await other.created('/activity', work)).activity.id
})
afterAll(() => service.stop())

const events: [string, (ref: string) => object][] = [
  ['pull_request', (ref) => pullRequestPayload(repository, 'closed', { head: ref, merged: true, state: 'closed' })],
  ['push', (ref) => ({ ref: `refs/heads/${ref}`, commits: [], repository: repositoryPayload(repository) })],
  ['delete', (ref) => ({ ref, ref_type: 'branch', repository: repositoryPayload(repository) })],
  ['repository', (ref) => ({ action: 'renamed', repository: repositoryPayload(repository, { name: ref }) })],
  [
    'installation',
    () => ({ action: 'deleted', installation: { id: 1 }, repositories: [repositoryPayload(repository)] }),
  ],
  ['ping', (ref) => ({ zen: ref })],
]

describe('a delivery signed by GitHub', () => {
  it.each(events)(
    'as %s with any payload never gets a 500, and changes no other repository',
    async (event, make) => {
      const payload = fc.oneof(fc.constantFrom('feat', 'main'), hostileText).map(make)
      const sent = fc.oneof({ weight: 1, arbitrary: payload }, { weight: 3, arbitrary: payload.chain(broken) })
      const taken = fc.asyncProperty(sent, async (body) => {
        const answer = await deliver(service, event, JSON.stringify(body) ?? '', { secret })
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
      })
      await fc.assert(taken, { numRuns: runs, timeout: patience })
      expect(await other.get(`/activity/${id}`)).toMatchObject({ status: 200, body: { status: 'active' } })
    },
    runs * patience,
  )

  it(
    'with any event name or GUID never gets a 500',
    async () => {
      const header = hostileText.map((text) => text.replaceAll(/[^\t -~\u0080-\u00ff]/g, ''))
      const taken = fc.asyncProperty(header, header, async (event, guid) => {
        const answer = await deliver(service, event, pullRequestPayload(repository, 'opened'), { secret, guid })
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
      })
      await fc.assert(taken, { numRuns: runs, timeout: patience })
    },
    runs * patience,
  )
})

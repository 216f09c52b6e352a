import { randomUUID } from 'node:crypto'
import nock from 'nock'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { headsup } from '../../../src/service/github/app.ts'
import { createProbot } from '../../../src/service/github/probot.ts'
import { createWebhookReceiver } from '../../../src/service/github/receive-webhook.ts'
import { createDeliveries, type DeliveryDeps, type WebhookEvent } from '../../../src/service/github/webhooks/deliver.ts'
import {
  type PullRequestChanges,
  pullRequestPayload,
  repositoryPayload,
  secret,
  sign,
} from '../../support/deliveries.ts'
import { startTestService, type TestRepository, type TestService } from '../../support/service.ts'
import { collectingLog } from '../settings/collecting-log.ts'

let service: TestService
let deps: DeliveryDeps
let repository: TestRepository
const log = collectingLog()

beforeAll(async () => {
  service = await startTestService()
  deps = {
    db: service.db,
    log,
    now: service.clock.now,
    serverUrl: 'https://github.com',
    access: { forgetOwner() {}, forgetRepository() {} },
    settingsIn: () => Promise.reject(new Error('settings that cannot be read')),
    forgetSettings() {},
  }
})
afterAll(() => service.stop())
beforeEach(() => {
  log.lines.length = 0
  repository = service.newRepository()
})

/** Probot with the App, on a real database, and what becomes of each delivery. */
async function load() {
  const { deliver, outcomeOf } = createDeliveries(deps)
  const probot = createProbot({ secret, apiUrl: service.github.url, timeLimitMs: 5_000 })
  await probot.load(headsup(deliver))
  type ProbotEvent = Parameters<typeof probot.receive>[0]
  return async (name: string, payload: object, id: string = randomUUID()) => {
    await probot.receive({ id, name, payload } as ProbotEvent)
    return outcomeOf(payload)
  }
}

async function record(): Promise<string> {
  const work = { title: 'Login', summary: 'Rework it.', actor: 'Alice', branch: 'secret-plan' }
  return (await repository.created('/activity', work)).activity.id
}

const read = async (id: string) => (await repository.get(`/activity/${id}`)).body
const isRecorded = async (guid: string) => {
  const { rowCount } = await service.db.query('select 1 from webhook_deliveries where guid = $1', [guid])
  return rowCount === 1
}

const pull = (action: string, changes: PullRequestChanges = {}) =>
  pullRequestPayload(repository, action, { head: 'secret-plan', ...changes })
const merged = () => pull('closed', { merged: true, state: 'closed' })
const pushed = () => ({ ref: 'refs/heads/secret-plan', commits: [], repository: repositoryPayload(repository) })

describe('an event that Probot receives', () => {
  it('archives the work of a merged pull request', async () => {
    const receive = await load()
    const id = await record()
    expect(await receive('pull_request', merged())).toBe('handled')
    expect(await read(id)).toMatchObject({ status: 'archived', archived_reason: 'merged' })
  })

  // An example for handlers: Probot receives the event, nock stands for GitHub, and the API shows what has changed.
  it('is handled without a request to GitHub', async () => {
    const receive = await load()
    const id = await record()
    const requested: unknown[] = []
    const note = ({ path }: { path?: string }) => requested.push(path)
    if (!nock.isActive()) nock.activate()
    nock.disableNetConnect()
    nock.emitter.on('no match', note)
    const outcome = await receive('pull_request', merged()).finally(() => {
      nock.emitter.off('no match', note)
      nock.enableNetConnect()
      nock.restore()
    })
    expect({ outcome, requested }).toEqual({ outcome: 'handled', requested: [] })
    expect(await read(id)).toMatchObject({ status: 'archived', archived_reason: 'merged' })
  })

  it('archives the work of a deleted branch', async () => {
    const receive = await load()
    const id = await record()
    const deleted = { ref: 'secret-plan', ref_type: 'branch', repository: repositoryPayload(repository) }
    expect(await receive('delete', deleted)).toBe('handled')
    expect(await read(id)).toMatchObject({ archived_reason: 'branch_deleted' })
  })

  it('changes nothing if its action is not registered', async () => {
    const receive = await load()
    const id = await record()
    const guid = randomUUID()
    expect(await receive('pull_request', pull('labeled', { merged: true }), guid)).toBeUndefined()
    expect(await read(id)).toMatchObject({ status: 'active' })
    expect(await isRecorded(guid)).toBe(false)
    expect(log.lines).toEqual([])
  })

  it('is handled once per GUID', async () => {
    const receive = await load()
    const guid = randomUUID()
    const outcomes = await Promise.all([receive('delete', deletion(), guid), receive('delete', deletion(), guid)])
    expect(outcomes.toSorted()).toEqual(['duplicate', 'handled'])
  })

  it('is not recorded if its handler throws, and is handled when it is redelivered', async () => {
    const id = await record()
    const guid = randomUUID()
    const receive = await load()
    const error = await receive('push', pushed(), guid).catch((thrown: AggregateError) => thrown.errors[0])
    expect(error).toMatchObject({ message: 'settings that cannot be read' })
    expect(await isRecorded(guid)).toBe(false)
    expect(await read(id)).toMatchObject({ heartbeat_at: null })
    expect(await receive('delete', deletion(), guid)).toBe('handled')
  })

  it('leaves no payload in the properties of the error that a log prints', async () => {
    await record()
    const receive = await load()
    const error = await receive('push', pushed()).catch((thrown: AggregateError) => thrown.errors[0])
    expect(JSON.stringify(error) + Object.keys(error).join()).not.toMatch(/event|secret-plan/)
  })
})

const deletion = () => ({ ref: 'gone', ref_type: 'branch', repository: repositoryPayload(repository) })

describe('the receiver', () => {
  it('throws the error of the handler itself, without the payload', async () => {
    await record()
    const probot = createProbot({ secret, apiUrl: service.github.url, timeLimitMs: 5_000 })
    const receive = await createWebhookReceiver({ ...deps, probot })
    const body = JSON.stringify(pushed())
    const delivery = { guid: randomUUID(), event: 'push', signature: sign(body), body }
    const error: unknown = await receive(delivery).catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ message: 'settings that cannot be read' })
    expect(error).not.toBeInstanceOf(AggregateError)
    expect(Reflect.ownKeys(Object(error))).not.toContain('event')
    expect(log.lines.map(({ fields }) => fields)).toMatchObject([{ outcome: 'failed' }])
    expect(JSON.stringify(log.lines)).not.toContain('secret-plan')
  })

  it('gives Probot the payload that the outcome is stored under, also if nothing changes', async () => {
    const { deliver, outcomeOf } = createDeliveries(deps)
    const event: WebhookEvent = { id: randomUUID(), name: 'delete', payload: deletion() }
    await deliver(async () => ({ counts: {} }))(event)
    expect(outcomeOf(event.payload)).toBe('handled')
    expect(outcomeOf({ ...event.payload })).toBeUndefined()
  })
})

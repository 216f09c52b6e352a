import { generateKeyPairSync } from 'node:crypto'
import { readFileSync } from 'node:fs'
import nock from 'nock'
import type { Probot } from 'probot'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { headsup, isHandled, isHandledEvent } from '../../../src/service/github/app.ts'
import { createGithubApp } from '../../../src/service/github/installation/app-client.ts'
import { createProbot } from '../../../src/service/github/probot.ts'
import type { Deliver, WebhookEvent } from '../../../src/service/github/webhooks/deliver.ts'
import { onDelete } from '../../../src/service/github/webhooks/on-delete.ts'
import { onInstallation } from '../../../src/service/github/webhooks/on-installation.ts'
import { onPullRequestClosed } from '../../../src/service/github/webhooks/on-pull-request-closed.ts'
import { onPullRequestOpen } from '../../../src/service/github/webhooks/on-pull-request-open.ts'
import { onPullRequestSynchronize } from '../../../src/service/github/webhooks/on-pull-request-synchronize.ts'
import { onPush } from '../../../src/service/github/webhooks/on-push.ts'
import { onRepository } from '../../../src/service/github/webhooks/on-repository.ts'
import { onRerequested } from '../../../src/service/github/webhooks/on-rerequested.ts'
import type { Handler } from '../../../src/service/github/webhooks/webhook-handler.ts'

const { privateKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  publicKeyEncoding: { type: 'spki', format: 'pem' },
})
const server = 'https://github.example'
const apiUrl = `${server}/api/v3`
const options = { secret: 'secret', apiUrl, timeLimitMs: 5_000 }

/** Requests that left the process, or would have. */
const sent: string[] = []
const remember = (request: { method?: string; url?: string; path?: string }) =>
  void sent.push(`${request.method} ${request.url ?? request.path}`)

beforeAll(() => {
  if (!nock.isActive()) nock.activate()
  nock.disableNetConnect()
})
// It slows down the requests of other test files.
afterAll(() => nock.restore())
beforeEach(() => {
  sent.length = 0
  nock.emitter.on('no match', remember)
})
afterEach(() => {
  nock.emitter.off('no match', remember)
  const pending = nock.pendingMocks()
  nock.cleanAll()
  expect(pending).toEqual([])
})

type Received = [Handler, WebhookEvent]

/** Probot with the App, whose handlers are noted instead of run, since they need a database. */
async function load(
  onEvent: (event: WebhookEvent) => unknown = () => {},
  app: { appId: number; privateKey: string } | undefined = { appId: 1, privateKey },
): Promise<{ probot: Probot; received: Received[] }> {
  const received: Received[] = []
  const deliver: Deliver = (handler) => async (event) => {
    received.push([handler, event])
    await onEvent(event)
  }
  const probot = createProbot({ ...options, app })
  await probot.load(headsup(deliver))
  return { probot, received }
}

/** As GitHub delivers an event of an installed App. */
function delivery(name: string, payload: object) {
  return { id: 'guid', name, payload: { installation: { id: 5 }, repository: { id: 7 }, ...payload } } as Parameters<
    Probot['receive']
  >[0]
}

describe('the App', () => {
  it('registers these events and actions, and each of them once', () => {
    const names: string[] = []
    headsup(() => async () => {})({ on: (name: string | string[]) => void names.push(...[name].flat()) })
    expect(names).toEqual([
      'pull_request.closed',
      'pull_request.synchronize',
      'delete',
      'pull_request.opened',
      'pull_request.reopened',
      'pull_request.ready_for_review',
      'pull_request.converted_to_draft',
      'pull_request.edited',
      'check_run.rerequested',
      'check_suite.rerequested',
      'push',
      'repository.created',
      'repository.renamed',
      'repository.transferred',
      'repository.privatized',
      'repository.publicized',
      'repository.edited',
      'repository.deleted',
      'installation',
      'installation_repositories',
    ])
    // Probot runs a listener of `pull_request` beside one of `pull_request.closed`.
    const overlapping = names.filter((name, i) =>
      names.some((other, j) => i !== j && (other === name || other.startsWith(`${name}.`))),
    )
    expect(overlapping).toEqual([])
  })

  it('is sent the events that it handles: app.yml requests them, and GitHub sends those of installations to every App', () => {
    const { default_events: requested } = parse(readFileSync('app.yml', 'utf8'))
    const names: string[] = []
    headsup(() => async () => {})({ on: (name: string | string[]) => void names.push(...[name].flat()) })
    const handled = new Set(names.map((name) => name.split('.', 1).join()))
    expect([...handled].filter((name) => !name.startsWith('installation')).sort()).toEqual(requested)
  })

  it.each<[string, object, Handler]>([
    ['pull_request', { action: 'closed', pull_request: { merged: true } }, onPullRequestClosed],
    ['pull_request', { action: 'opened' }, onPullRequestOpen],
    ['pull_request', { action: 'edited' }, onPullRequestOpen],
    ['pull_request', { action: 'synchronize' }, onPullRequestSynchronize],
    ['delete', { ref: 'feat', ref_type: 'branch' }, onDelete],
    ['push', { ref: 'refs/heads/feat' }, onPush],
    ['check_run', { action: 'rerequested' }, onRerequested],
    ['check_suite', { action: 'rerequested' }, onRerequested],
    ['repository', { action: 'renamed' }, onRepository],
    ['installation', { action: 'suspend' }, onInstallation],
    ['installation_repositories', { action: 'added' }, onInstallation],
  ])('handles %s %j once, without requests to GitHub', async (name, payload, handler) => {
    const { probot, received } = await load()
    const event = delivery(name, payload)
    await probot.receive(event)
    expect(received).toEqual([[handler, expect.objectContaining({ id: 'guid', name })]])
    // The outcome of a delivery is kept under its payload.
    expect(received[0]?.[1].payload).toBe(event.payload)
    expect(isHandled(name, 'action' in payload ? String(payload.action) : null)).toBe(true)
    expect(sent).toEqual([])
  })

  it.each([
    ['pull_request', 'labeled'],
    ['pull_request', 'review_requested'],
    ['repository', 'archived'],
    ['check_run', 'created'],
    ['check_run', 'completed'],
    ['check_suite', 'requested'],
    ['check_suite', 'completed'],
    ['star', 'created'],
    ['create', undefined],
  ])('does nothing on %s %s', async (name, action) => {
    const { probot, received } = await load()
    await probot.receive(delivery(name, { action }))
    expect(received).toEqual([])
    expect(isHandled(name, action)).toBe(false)
  })

  it('does not take the name of an action for an event', () => {
    expect(isHandled('pull_request.closed', 'closed')).toBe(false)
    expect(isHandledEvent('pull_request.closed')).toBe(false)
    expect(isHandledEvent('pull_request')).toBe(true)
    expect(isHandledEvent('pull')).toBe(false)
  })

  it('receives with only a webhook secret', async () => {
    const { probot, received } = await load(undefined, undefined)
    await probot.receive(delivery('push', {}))
    expect(received).toHaveLength(1)
    expect(sent).toEqual([])
  })

  it('rejects with the error of a handler', async () => {
    const failure = new Error('no database')
    const { probot } = await load(() => Promise.reject(failure))
    await expect(probot.receive(delivery('push', {}))).rejects.toMatchObject({ errors: [failure] })
  })
})

const tokenPath = '/api/v3/app/installations/5/access_tokens'
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()
const created = (token: string) => ({ token, expires_at: inAnHour(), permissions: { contents: 'read' } })

describe('Probot’s authentication', () => {
  it('reaches the API of the server, and not api.github.com, from the Octokit of an event', async () => {
    const github = nock(server)
      .post(tokenPath)
      .matchHeader('authorization', /^bearer eyJ/)
      .reply(201, created('ghs_event'))
      .get('/api/v3/repos/acme/web/pulls/3')
      .matchHeader('authorization', 'token ghs_event')
      .reply(200, { number: 3 })
    const numbers: number[] = []
    const probot = createProbot({ ...options, app: { appId: 1, privateKey } })
    probot.on('push', async ({ octokit }) => {
      const { data } = await octokit.rest.pulls.get({ owner: 'acme', repo: 'web', pull_number: 3 })
      numbers.push(data.number)
    })
    await probot.receive(delivery('push', {}))
    expect(numbers).toEqual([3])
    expect(github.isDone()).toBe(true)
  })

  it('neither retries nor waits for a rate limit', async () => {
    const spent = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(Math.floor(Date.now() / 1000)) }
    nock(server).get('/api/v3/app').reply(403, { message: 'API rate limit exceeded' }, spent)
    const probot = createProbot({ ...options, app: { appId: 1, privateKey } })
    const octokit = await probot.auth()
    await expect(octokit.rest.apps.getAuthenticated()).rejects.toMatchObject({ status: 403 })
    nock(server).get('/api/v3/app').reply(502)
    await expect(octokit.rest.apps.getAuthenticated()).rejects.toMatchObject({ status: 502 })
  })
})

/** A client of the API, as the service has it, for an installation with the id 5. */
function clientOf(key = privateKey, timeLimitMs = 5_000) {
  const probot = createProbot({ ...options, timeLimitMs, app: { appId: 1, privateKey: key } })
  return createGithubApp({ probot, apiUrl, timeLimitMs, now: () => new Date() })
}

const web = { owner: 'acme', repo: 'web' }
const installed = (permissions: object) =>
  nock(server).get('/api/v3/repos/acme/web/installation').reply(200, { id: 5, permissions })
const reading = (token: string) =>
  nock(server).get('/api/v3/repos/acme/web').matchHeader('authorization', `Bearer ${token}`)
const read = { route: 'GET /repos/{owner}/{repo}', parameters: web }

describe('a request as an installation', () => {
  it('requests a read-only token, and reuses it', async () => {
    const app = clientOf()
    installed({ contents: 'write', issues: 'write' })
    nock(server)
      .post(tokenPath, { permissions: { metadata: 'read', contents: 'read' } })
      .reply(201, created('ghs_1'))
    reading('ghs_1').twice().reply(200, { id: 1 })
    expect(await app.requestForRepository(web, read)).toMatchObject({ status: 200 })
    expect(await app.requestForRepository(web, read)).toMatchObject({ status: 200 })
  })

  it('looks up the installation again and creates a new token, once, if GitHub rejects the token', async () => {
    const app = clientOf()
    for (const token of ['ghs_1', 'ghs_2']) {
      installed({ contents: 'read' })
      nock(server).post(tokenPath).reply(201, created(token))
      reading(token).reply(401, { message: 'Bad credentials' })
    }
    expect(await app.requestForRepository(web, read)).toMatchObject({ status: 401 })
  })

  /** Never answers. The id is of its own: in one process, equal requests for a token that run at once are one. */
  function hangingToken(id: number, onRequest = () => {}) {
    nock(server).get('/api/v3/repos/acme/web/installation').reply(200, { id })
    const never = () => {
      onRequest()
      return new Promise<string>(() => {})
    }
    nock(server).post(`/api/v3/app/installations/${id}/access_tokens`).reply(201, never)
  }

  it('ends at its signal while GitHub creates a token', async () => {
    const stop = new AbortController()
    hangingToken(6, () => stop.abort())
    const app = clientOf(privateKey, 3_600_000)
    const response = await app.requestForRepository(web, { ...read, signal: stop.signal })
    expect(response).toEqual({ kind: 'failure', reason: 'no answer in time' })
  })

  it('ends at the time limit while GitHub creates a token', async () => {
    hangingToken(7)
    const response = await clientOf(privateKey, 50).requestForRepository(web, read)
    expect(response).toMatchObject({ kind: 'failure', reason: expect.stringContaining('no answer within 50 ms') })
  })

  it.each([
    ['no installation', 404],
    ['a suspended one', 403],
  ])('finds %s where GitHub creates no token', async (_name, status) => {
    installed({})
    nock(server).post(tokenPath).reply(status, { message: 'no' })
    expect(await clientOf().requestForRepository(web, read)).toEqual({ kind: 'not_installed' })
  })

  it.each([
    ['10 minutes ahead', 600_000, /60[0-2] s ahead of/],
    ['10 minutes behind', -600_000, /(598|599|600) s behind/],
    ['right', 0, /agrees with/],
    ['unknown', null, /The usual cause is a wrong clock on this machine/],
  ])('names the clock as the usual cause if GitHub refuses the token of the App: %s', async (_name, ms, text) => {
    const date = ms === null ? {} : { date: new Date(Date.now() - ms).toUTCString() }
    nock(server).get('/api/v3/repos/acme/web/installation').reply(401, { message: 'no' }, date)
    const response = await clientOf().requestForRepository(web, read)
    const reason = expect.stringMatching(text)
    expect(response).toEqual({ kind: 'failure', reason })
    installed({})
    nock(server).post(tokenPath).reply(401, { message: 'no' }, date)
    expect(await clientOf().requestForRepository(web, read)).toEqual({ kind: 'failure', reason })
  })

  it('fails without the text of the error if the private key is invalid', async () => {
    const key = '-----BEGIN RSA PRIVATE KEY-----\nsecretwords\n-----END RSA PRIVATE KEY-----'
    const response = await clientOf(key).requestAsApp({ route: 'GET /app' })
    expect(response).toMatchObject({ kind: 'failure', reason: expect.stringContaining('could not be authenticated') })
    expect(JSON.stringify(response)).not.toContain('secretwords')
    expect(sent).toEqual([])
  })
})

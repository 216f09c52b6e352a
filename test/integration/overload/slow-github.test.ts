import { afterEach, describe, expect, it, vi } from 'vitest'
import type { RequestBounds } from '../../../src/service/api/http/limits/api-slots.ts'
import { loadConfig } from '../../../src/service/config/config.ts'
import { startService } from '../../../src/service/service.ts'
import { type ApiResponse, call, refusal } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startGithub } from '../../support/github/start.ts'
import { silentLog } from '../../support/log.ts'
import { connectModel } from '../../support/mcp.ts'
import { connectRaw, statuses } from '../../support/raw-client.ts'
import {
  startTestService,
  type TestRepository,
  type TestService,
  type TestServiceOptions,
} from '../../support/service.ts'
import { withSettings } from '../settings/settings.ts'

const minute = 60_000
/** What a request without a body counts for while it waits. */
const oneRequest = 24_576
const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

/** A service whose GitHub can be made to hold its answers. Nothing else in it runs out of time. */
async function slow(bounds: Partial<RequestBounds> = {}, options: TestServiceOptions = {}) {
  let came = 0
  let left = 0
  const service = await startTestService({
    githubLimits: { requestMs: minute },
    bounds: { requests: { waitMs: minute, longWaitMs: minute, ...bounds } },
    emit(seen) {
      if (seen.kind === 'request_began') came++
      if (seen.kind === 'request' && seen.status === 'aborted') left++
    },
    ...options,
  })
  const release = holding(service)
  stops.push(async () => {
    release.all()
    await service.stop()
  })
  return {
    service,
    hold: release.hold,
    letGo: release.all,
    /** Until one has gone away. */
    untilLeft: () => vi.waitFor(() => expect(left).toBe(1), 20_000),
    /** Runs what sends requests, and waits until so many have come. */
    async send<T>(count: number, work: () => T): Promise<T> {
      const before = came
      const sent = work()
      await vi.waitFor(() => expect(came - before).toBe(count), minute)
      return sent
    },
  }
}

function holding({ github }: TestService) {
  let letGo = () => {}
  let until = new Promise<void>((resolve) => {
    letGo = resolve
  })
  return {
    hold(where: { token?: string; path?: string | RegExp }) {
      until = new Promise((resolve) => {
        letGo = resolve
      })
      github.fail({ kind: 'hold', until }, where)
    },
    all() {
      github.heal()
      letGo()
    },
  }
}

const listed = (path: string, token: string) =>
  `GET /api/v1${path}/activity HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token}\r\n\r\n`

const statusesOf = async (answers: Promise<ApiResponse>[]) => (await Promise.all(answers)).map(({ status }) => status)

/** Somebody with a cached permission, who does one thing after another. */
async function isServed(repository: TestRepository): Promise<void> {
  const { activity } = await repository.created('/activity', { title: 'A', summary: 'B.', actor: 'Alice' })
  await repository.check({ scope: { paths: ['src/**'] } })
  expect((await repository.get(`/activity/${activity.id}`)).status).toBe(200)
}

describe('while GitHub is slow', () => {
  it.each([1, 20])(
    '1,000 requests at once with one new token for %i repositories are all served, and callers whose permission is cached meanwhile',
    async (count) => {
      const { service, hold, letGo, send } = await slow()
      const repositories = Array.from({ length: count }, () => service.newRepository())
      const cached = service.newRepository()
      for (const repository of [...repositories, cached]) await repository.page('/activity')
      const token = service.github.addToken('ghp_new', 'newcomer')
      for (const repository of repositories) service.github.allow(repository, token)
      hold({ token })
      // 50 connections with 20 requests each: they all come before the first is answered.
      const connections = await Promise.all(Array.from({ length: 50 }, () => connectRaw(service.url)))
      const lists = repositories
        .map(({ path }) => listed(path, token))
        .join('')
        .repeat(20 / count)
      const sent = lists.replace(/\r\n$/, 'Connection: close\r\n\r\n')
      await send(1_000, () => connections.map(({ write }) => write(sent)))
      for (const repository of [cached, ...repositories.slice(0, 1)]) await isServed(repository)
      const model = await connectModel(service.url, cached.writer)
      await model.done('list_activities', { repository: `${cached.owner}/${cached.name}` })
      await model.close()
      expect(connections.map(({ received }) => received()).join('')).toBe('')
      letGo()
      for (const { closed } of connections) expect(statuses(await closed())).toEqual(Array(20).fill(200))
    },
  )

  it('more tool calls with a new token than there are slots are all served', async () => {
    const { service, hold, letGo, send } = await slow({ atOnce: 2 })
    const repository = service.newRepository()
    await repository.page('/activity')
    hold({ token: repository.reader })
    const body = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'list_activities',
        arguments: { repository: `${repository.owner}/${repository.name}` },
      },
    }
    const headers = { accept: 'application/json, text/event-stream' }
    const answers = await send(20, () =>
      Array.from({ length: 20 }, () =>
        fetch(`${service.url}/mcp`, {
          method: 'POST',
          headers: { ...headers, authorization: `Bearer ${repository.reader}`, 'content-type': 'application/json' },
          body: JSON.stringify(body),
        }).then((response) => response.text()),
      ),
    )
    await isServed(repository)
    letGo()
    for (const text of await Promise.all(answers)) expect(text).toContain('next_cursor')
  })

  it('a link into another repository is looked up without a slot', async () => {
    const { service, hold, letGo } = await slow({ atOnce: 1 })
    const [repository, other] = [service.newRepository(), service.newRepository()]
    await repository.page('/activity')
    hold({ path: `/repos/${other.owner}/${other.name}` })
    const created = repository.post('/activity', {
      title: 'A',
      summary: 'B.',
      actor: 'Alice',
      pr_url: `${service.pullRequestHost}/${other.owner}/${other.name}/pull/1`,
    })
    await vi.waitFor(() => expect(service.github.requests).toContain(`/repos/${other.owner}/${other.name}`), 20_000)
    await isServed(repository)
    letGo()
    expect((await created).status).toBe(201)
  })

  it('a request waits for a settings file without a slot', async () => {
    const { service, hold, letGo } = await slow({ atOnce: 1 }, { githubApp: true })
    const known = withSettings(service, 'activity_ttl_ms: 60000').repository
    const unknown = withSettings(service, 'activity_ttl_ms: 120000').repository
    await known.page('/activity')
    hold({ path: new RegExp(`${unknown.name}/contents/`) })
    const shown = unknown.get('/settings')
    await vi.waitFor(() => expect(service.github.requests.join()).toContain(`${unknown.name}/contents/`), 20_000)
    await isServed(known)
    letGo()
    expect((await shown).body).toMatchObject({ settings: { activity_ttl_ms: 120_000 } })
  })

  it('a client that disconnects makes room for another', async () => {
    const { service, hold, letGo, send, untilLeft } = await slow({ waitingBytes: oneRequest })
    const repository = service.newRepository()
    hold({ token: repository.writer })
    const leaving = await connectRaw(service.url)
    await send(1, () => leaving.write(listed(repository.path, repository.writer)))
    expect((await repository.get('/activity')).status).toBe(503)
    leaving.end()
    await untilLeft()
    const [next] = await send(1, () => [repository.get('/activity')])
    letGo()
    expect((await next)?.status).toBe(200)
  })
})

describe('requests that wait for GitHub', () => {
  it('are 503 beyond their bound, without a request to GitHub', async () => {
    const { service, hold, letGo, send } = await slow({ waitingBytes: 3 * oneRequest })
    const repository = service.newRepository()
    const cached = service.newRepository()
    await cached.page('/activity')
    hold({ path: `/repos/${repository.owner}/${repository.name}` })
    const list = (token: string) => repository.get('/activity', { token })
    const waiting = await send(3, () => [list(repository.writer), list(repository.writer), list(repository.reader)])
    const asked = service.github.requests.length
    const oneMore = await list(repository.otherWriter)
    expect(refusal(oneMore)).toEqual({ status: 503, code: 'unavailable' })
    expect(oneMore.headers.get('retry-after')).toMatch(/^\d+$/)
    expect(service.github.requests.length).toBe(asked)
    await isServed(cached)
    letGo()
    expect(await statusesOf(waiting)).toEqual([200, 200, 200])
    expect((await list(repository.otherWriter)).status).toBe(200)
  })

  it('get their responses before the service stops', async () => {
    const database = await createTestDatabase()
    const github = await startGithub()
    stops.push(database.drop, github.stop)
    const repository = github.addRepository('draining')
    const { config } = loadConfig({
      DATABASE_URL: database.url,
      HOST: '127.0.0.1',
      PORT: '0',
      GITHUB_API_URL: github.url,
      HEADSUP_MAX_REQUESTS: '1',
    })
    const service = await startService(config, silentLog)
    let letGo = () => {}
    const until = new Promise<void>((resolve) => {
      letGo = resolve
    })
    github.fail({ kind: 'hold', until })
    const url = `${service.url}/api/v1/repos/${repository.owner}/${repository.name}/activity`
    const waiting = [1, 2, 3].map(() => call(url, { token: repository.writer }))
    await vi.waitFor(() => expect(github.requests).toHaveLength(1), 20_000)
    const stopped = service.stop()
    letGo()
    expect(await statusesOf(waiting)).toEqual([200, 200, 200])
    await stopped
  })
})

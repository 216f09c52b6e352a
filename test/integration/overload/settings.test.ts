import { afterAll, beforeAll, expect, it } from 'vitest'
import { loadConfig } from '../../../src/service/config/config.ts'
import { type Service, startService } from '../../../src/service/service.ts'
import { call } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startGithub } from '../../support/github/start.ts'
import { silentLog } from '../../support/log.ts'
import { connectRaw, statuses } from '../../support/raw-client.ts'

let database: Awaited<ReturnType<typeof createTestDatabase>>
let github: Awaited<ReturnType<typeof startGithub>>

beforeAll(async () => {
  database = await createTestDatabase()
  github = await startGithub()
})
afterAll(async () => {
  await github.stop()
  await database.drop()
})

/** The whole service, as the program runs it with these settings. */
async function running(settings: Record<string, string>, test: (service: Service) => Promise<void>) {
  const { config } = loadConfig({
    DATABASE_URL: database.url,
    HOST: '127.0.0.1',
    PORT: '0',
    GITHUB_API_URL: github.url,
    ...settings,
  })
  const service = await startService(config, silentLog)
  await test(service).finally(() => service.stop())
}

const listed = (repository: { owner: string; name: string; writer: string }) => {
  const path = `/api/v1/repos/${repository.owner}/${repository.name}/activity`
  return `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${repository.writer}\r\n\r\n`
}

it('HEADSUP_MAX_CONNECTIONS bounds the connections, HEADSUP_RATE_LIMIT the requests of a minute', async () => {
  const repository = github.addRepository('bounded')
  await running({ HEADSUP_MAX_CONNECTIONS: '1', HEADSUP_RATE_LIMIT: '2' }, async ({ url }) => {
    const connection = await connectRaw(url)
    connection.write(listed(repository).repeat(3))
    expect(statuses(await connection.until(/rate_limited/))).toEqual([200, 200, 429])
    const second = await connectRaw(url)
    expect(await second.closed()).toBe('')
    connection.end()
  })
})

it('HEADSUP_MAX_REQUESTS bounds the requests that are served concurrently, and eight times as many wait', async () => {
  const repository = github.addRepository('one-by-one')
  await running({ HEADSUP_MAX_REQUESTS: '1' }, async ({ url }) => {
    const connection = await connectRaw(url)
    // All come in one go. The first keeps its place while GitHub is asked about its token.
    connection.write(listed(repository).repeat(12) + listed(repository).replace('HTTP/1.1', 'HTTP/1.0'))
    const found = statuses(await connection.closed())
    expect([found[0], found[1]]).toEqual([200, 200])
    // Nine have come in, and the others not even that.
    expect(found.slice(9)).toEqual([503, 503, 503, 503])
  })
})

it.each([
  ['HEADSUP_MAX_LIVE_ACTIVITIES', 'activity', 'live_activities'],
  ['HEADSUP_MAX_NOTABLES', 'notables', 'notables'],
  ['HEADSUP_MAX_RECORDS', 'activity', 'records'],
])('%s bounds what a repository may hold', async (name, path, limit) => {
  const { owner, name: repository, writer } = github.addRepository(`held-by-${limit}`)
  const common = { title: 'T', summary: 'S', scope: { paths: ['src/**'] } }
  const body = path === 'activity' ? { ...common, actor: 'A' } : { ...common, importance: 'low', category: 'warning' }
  await running({ [name]: '1' }, async ({ url }) => {
    const create = () =>
      call(`${url}/api/v1/repos/${owner}/${repository}/${path}`, { method: 'POST', token: writer, body })
    expect((await create()).status).toBe(201)
    await expect
      .poll(async () => (await create()).body, { timeout: 20_000 })
      .toMatchObject({ error: { code: 'limit_reached', limit } })
  })
})

it.each(['0', '-1', '1.5', 'many', '1e3'])('the limits refuse the value %s', (value) => {
  const limits = ['HEADSUP_MAX_LIVE_ACTIVITIES', 'HEADSUP_MAX_NOTABLES', 'HEADSUP_MAX_RECORDS']
  for (const name of ['HEADSUP_MAX_CONNECTIONS', 'HEADSUP_MAX_REQUESTS', 'HEADSUP_RATE_LIMIT', ...limits]) {
    expect(() => loadConfig({ [name]: value })).toThrow(name)
  }
})

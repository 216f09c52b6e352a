import nock from 'nock'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type JobParts, readingJobs } from '../../src/service/github/app/jobs.ts'
import { createProbot } from '../../src/service/github/app/probot.ts'
import { redeliver } from '../../src/service/github/app/redeliver.ts'
import { forgetting } from '../../src/service/github/forgetting.ts'
import { observationOf } from '../../src/service/github/observation.ts'
import { defaultSettings } from '../../src/service/records/settings.ts'
import { githubApiUrl, githubServerUrl } from '../support/github.ts'
import { appEnvironment } from '../support/github-app.ts'
import { addPull, modified } from '../support/github-server/data.ts'
import { type Observed, openRows, startReadings } from '../support/pulls.ts'

const hour = 3_600_000

let rows: Awaited<ReturnType<typeof openRows>>
let github: Observed
let parts: JobParts
let where: { repository_id: bigint }

beforeAll(async () => {
  rows = await openRows()
})
beforeEach(async () => {
  await rows.prisma.repository.deleteMany()
  github = await startReadings(rows.prisma)
  where = { repository_id: BigInt(github.repository.id) }
  const installed = { installation_id: 7, requested_at: github.clock.now, settings_asked_at: github.clock.now }
  await rows.prisma.repository.update({ where, data: installed })
  const { WEBHOOK_SECRET: webhookSecret, PRIVATE_KEY: privateKey } = appEnvironment
  parts = {
    probot: createProbot({ id: 1, privateKey, webhookSecret, webhookProxyUrl: null }, githubApiUrl),
    ...{ prisma: rows.prisma, now: () => github.clock.now, githubServerUrl, log: pino({ level: 'silent' }) },
    defaults: defaultSettings({ activityTtlMs: 24 * hour, notableTtlMs: 168 * hour }),
  }
  letAppIn()
  // There is no settings file. What nothing answers, Octokit would ask for 14 s long.
  nock(githubApiUrl)
    .persist()
    .get(/headsup\.yml$/)
    .reply(404, {})
})
afterEach(() => nock.cleanAll())
afterAll(() => rows.close())

/** The App gets the token of its installation. */
function letAppIn(): void {
  const expires_at = new Date(Date.now() + hour).toISOString()
  nock(githubApiUrl)
    .persist()
    .post('/app/installations/7/access_tokens')
    .reply(201, { token: 'ghs_7', expires_at, permissions: {} })
}

async function run(name: string): Promise<void> {
  const job = readingJobs(parts).find((one) => one.name === name)
  await job?.run(null, async () => {})
}

function row() {
  return rows.prisma.repository.findUniqueOrThrow({ where })
}

describe('§8 where the App is installed', () => {
  it('all open pull requests are listed once an hour, and their files are read by a job', async () => {
    addPull(github.repository, { files: [modified('a', [1, 1])] })
    await run('list open pull requests')
    await run('list open pull requests')
    expect(github.asked).toHaveLength(1)
    await run('read pull requests')
    expect(await rows.prisma.changedFile.count({ where })).toBe(1)
    expect(await row()).toMatchObject({ pulls_read_at: github.clock.now, pulls_failed_at: null })
    github.clock.now = new Date(github.clock.now.getTime() + hour)
    await run('list open pull requests')
    expect(github.asked.filter((path) => path.startsWith('?'))).toHaveLength(2)
  })

  it('a repository that nobody cared about for a week is not listed', async () => {
    const long = new Date(github.clock.now.getTime() - 8 * 24 * hour)
    await rows.prisma.repository.update({ where, data: { requested_at: long } })
    await run('list open pull requests')
    expect(github.asked).toEqual([])
  })

  it('heads of strangers wait while less than half of the limit is left, those of members do not', async () => {
    const stranger = { author: 'mallory', association: 'NONE', head: { owner: 'mallory', repositoryId: 9 } } as const
    const files = [modified('a', [1, 1])]
    addPull(github.repository, { ...stranger, files })
    for (let count = 0; count < 4; count++) addPull(github.repository, { files })
    nock.cleanAll()
    letAppIn()
    github.answer({ 'X-RateLimit-Limit': '5000', 'X-RateLimit-Remaining': '2000' })
    await run('list open pull requests')
    await run('read pull requests')
    const unread = await rows.prisma.pullRequest.findMany({ where: { ...where, read_head: null } })
    expect(unread.map(({ number }) => number)).toEqual([1])
    const byApp = { byApp: true, now: github.clock.now }
    expect(await observationOf(rows.prisma, where.repository_id, byApp)).toMatchObject({ unread: 0 })
  })

  it.each([401, 403, 404])('a refusal (%i) leaves the repository to the tokens of callers', async (status) => {
    nock.cleanAll()
    nock(githubApiUrl).persist().post('/app/installations/7/access_tokens').reply(status, { message: 'No' })
    await run('list open pull requests')
    expect(await row()).toMatchObject({ installation_id: null, pulls_asked_at: null })
  })

  it('a spent limit or a failure leaves it to the App, which tries again', async () => {
    nock.cleanAll()
    letAppIn()
    const headers = { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1_000) + 600) }
    nock(githubApiUrl)
      .get(`/repos/acme/${github.repository.name}/pulls`)
      .query(true)
      .reply(403, { message: 'API rate limit exceeded' }, headers)
    await run('list open pull requests')
    expect(await row()).toMatchObject({ installation_id: 7n, pulls_failed_at: github.clock.now })
  })
})

describe('§8 a head that GitHub does not show', () => {
  it.each([404, 422])('(%i) stays unread, is no refusal, and keeps no other waiting', async (status) => {
    const [broken, other] = [addPull(github.repository), addPull(github.repository)]
    const path = `/repos/acme/${github.repository.name}/pulls/${broken.number}/files`
    await run('list open pull requests')
    nock.cleanAll()
    letAppIn()
    nock(githubApiUrl).get(path).query(true).reply(status, { message: 'No' })
    github.answer({})
    await run('read pull requests')
    expect(await row()).toMatchObject({ installation_id: 7n, pulls_failed_at: null })
    expect(await github.pullRow(broken.number)).toMatchObject({ read_head: null, attempts: 1 })
    expect(await github.pullRow(other.number)).toMatchObject({ read_head: other.head.sha })
  })
})

describe('§10 the repositories of the App', () => {
  it('are found with their names and permissions; those that are gone end', async () => {
    addPull(github.repository)
    await run('list open pull requests')
    const permissions = { metadata: 'read', checks: 'read' }
    nock(githubApiUrl)
      .get('/app/installations')
      .query(true)
      .reply(200, [{ id: 7, suspended_at: null, permissions }])
    const found = { id: 990, full_name: 'acme/new', private: true, default_branch: 'trunk' }
    nock(githubApiUrl)
      .get('/installation/repositories')
      .query(true)
      .reply(200, { total_count: 1, repositories: [found] })
    await run('find repositories of the App')
    const added = await rows.prisma.repository.findUnique({ where: { repository_id: 990n } })
    expect(added).toMatchObject({ name: 'new', default_branch: 'trunk', is_public: false, may_write_checks: false })
    expect(await row()).toMatchObject({ installation_id: null, pulls_read_at: null })
    expect(await rows.prisma.activity.count({ where: { ...where, archived_reason: 'closed' } })).toBe(1)
  })
})

it('§10 a repository that an event adds while they are listed stays', async () => {
  nock(githubApiUrl)
    .get('/app/installations')
    .query(true)
    .reply(200, [{ id: 7, suspended_at: null }])
  nock(githubApiUrl)
    .get('/installation/repositories')
    .query(true)
    .reply(200, async () => {
      const facts = { owner: 'acme', name: 'late', is_public: true, installation_id: 7n, updated_at: new Date() }
      await rows.prisma.repository.create({ data: { repository_id: 991n, ...facts } })
      return { total_count: 0, repositories: [] }
    })
  await run('find repositories of the App')
  const late = await rows.prisma.repository.findUnique({ where: { repository_id: 991n } })
  expect(late).toMatchObject({ installation_id: 7n })
  expect(await row()).toMatchObject({ installation_id: null })
})

describe('§10 lost deliveries', () => {
  const now = new Date('2026-06-01T12:00:00Z')
  const delivery = (id: number, guid: string, status_code: number, minutes: number) => ({
    ...{ id, guid, status_code, event: 'push', action: null, status: '', redelivery: false, duration: 1 },
    delivered_at: new Date(now.getTime() - minutes * 60_000).toISOString(),
  })

  const lost = delivery(9, 'lost', 502, 5)

  function answer(deliveries: object[], status = 202): string[] {
    const asked: string[] = []
    nock.cleanAll()
    nock(githubApiUrl, { reqheaders: { 'x-github-api-version': '2022-11-28' } })
      .persist()
      .get('/app/hook/deliveries')
      .query(true)
      .reply(200, deliveries)
    nock(githubApiUrl)
      .persist()
      .post(/^\/app\/hook\/deliveries\/\d+\/attempts$/)
      .reply((uri) => {
        asked.push(uri)
        return [status, {}]
      })
    return asked
  }

  /** One look. Returns the state that it saved last. */
  async function look(before: unknown): Promise<unknown> {
    let saved: unknown
    const save = async (state: object) => {
      saved = structuredClone(state)
    }
    await redeliver(parts.probot, now, before, save).catch(() => {})
    return saved
  }

  it('are asked for again where none of their GUID succeeded, for three days', async () => {
    const others = [delivery(8, 'came', 200, 6), delivery(7, 'came', 500, 7), delivery(6, 'old', 500, 3 * 24 * 60 + 1)]
    const asked = answer([lost, ...others])
    const state = await look(null)
    expect(state).toEqual({ until: now.toISOString(), tries: { lost: 1 } })
    expect(asked).toEqual(['/app/hook/deliveries/9/attempts'])
    answer([delivery(10, 'lost', 200, 0), lost, ...others])
    expect(await look(state)).toMatchObject({ tries: {} })
  })

  it('are asked for five times at most, and what GitHub does not take counts', async () => {
    const asked = answer([lost], 429)
    const last = await look({ until: now.toISOString(), tries: { lost: 4 } })
    expect(last).toMatchObject({ tries: { lost: 5 } })
    await look(last)
    expect(asked).toHaveLength(1)
  })

  it('are found though they had begun, and were not over, at the last look', async () => {
    const asked = answer([delivery(9, 'late', 502, 1)])
    expect(await look({ until: now.toISOString(), tries: {} })).toMatchObject({ tries: { late: 1 } })
    expect(asked).toHaveLength(1)
  })

  it('are asked for where GitHub does not have another one any more', async () => {
    const asked = answer([lost, delivery(5, 'another', 500, 9)], 404)
    expect(await look(null)).toMatchObject({ tries: { lost: 1, another: 1 } })
    expect(asked).toHaveLength(2)
  })
})

describe('§8 repositories that callers read', () => {
  it('are the 200 that were asked about last', async () => {
    const at = (index: number) => new Date(github.clock.now.getTime() - index * 1_000)
    const names = { owner: 'acme', default_branch: 'main', is_public: true }
    const data = Array.from({ length: 201 }, (_, index) => ({
      ...{ repository_id: BigInt(50_000 + index), name: `r${index}`, ...names },
      ...{ pulls_asked_at: at(0), pulls_read_at: at(0), requested_at: at(index), updated_at: at(0) },
    }))
    await rows.prisma.repository.createMany({ data })
    await forgetting(rows.prisma, () => github.clock.now).run(null, async () => {})
    const forgotten = await rows.prisma.repository.findMany({ where: { pulls_asked_at: null, installation_id: null } })
    expect(forgotten.map(({ name }) => name)).toEqual(['r200'])
  })
})

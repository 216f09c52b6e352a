import { describe, expect, it, vi } from 'vitest'
import { deliver } from '../../support/deliveries.ts'
import { openStream } from '../../support/event-stream.ts'
import { faults } from '../../support/github/faults.ts'
import { appOf, run } from './running.ts'

const activities = '/api/v1/repos/:owner/:repo/activity'
const read = 'route="GET /repos/{owner}/{repo}"'
/** Jobs run beside the test, on a machine of any speed. */
const patience = { timeout: 30_000 }

describe('the metrics count', () => {
  it('requests by method, route and status', async () => {
    const { github, ask, scrape } = await run()
    const { writer, stranger } = github.addRepository('web')
    await ask(writer, '/api/v1/repos/acme/web/activity')
    await ask(writer, '/api/v1/repos/acme/web/activity?limit=7')
    await ask(stranger, '/api/v1/repos/acme/web/activity')
    await ask(undefined, '/api/v1/repos/acme/web/activity')
    await ask(writer, '/api/v1/repos/acme/web/activity/act_00000000000000000000000000')
    const { value } = await scrape()
    const requests = (route: string, status: number) =>
      value(`headsup_http_requests_total{method="GET",route="${route}",status="${status}"}`)
    expect([200, 404, 401].map((status) => requests(activities, status))).toEqual([2, 1, 1])
    expect(requests(`${activities}/:id`, 404)).toBe(1)
    expect(value(`headsup_http_request_duration_seconds_count{route="${activities}"}`)).toBe(4)
    expect(value(`headsup_http_request_duration_seconds_sum{route="${activities}"}`)).toBeGreaterThan(0)
  })

  it('requests with a wrong method under the same route', async () => {
    const { ask, scrape } = await run()
    await ask(undefined, '/api/v1/repos/acme/web/activity', { method: 'DELETE' })
    const { value } = await scrape()
    expect(value(`headsup_http_requests_total{method="DELETE",route="${activities}",status="405"}`)).toBe(1)
  })

  it('streams, their events, and how long changes take to reach them', async () => {
    const { github, url, ask, scrape } = await run()
    const { writer } = github.addRepository('web')
    const stream = await openStream(`${url}/api/v1/repos/acme/web/events`, writer)
    await stream.data('snapshot')
    const body = JSON.stringify({ title: 'x', summary: 'x', actor: 'x' })
    const headers = { 'content-type': 'application/json' }
    await ask(writer, '/api/v1/repos/acme/web/activity', { method: 'POST', body, headers })
    await stream.data('activity')
    const { value } = await scrape()
    expect(value('headsup_live_watches{what="streams"}')).toBe(1)
    expect(value('headsup_live_watches{what="repositories"}')).toBe(1)
    expect(value('headsup_stream_events_total{event="activity"}')).toBe(1)
    expect(value('headsup_stream_events_total{event="snapshot"}')).toBe(1)
    expect(value('headsup_change_delay_seconds_count')).toBe(1)
    stream.close()
  })

  it('requests that are refused under load', async () => {
    const { github, ask, scrape } = await run({ HEADSUP_MAX_REQUESTS: '1' })
    const { writer } = github.addRepository('web')
    github.fail(faults.slow(300))
    const asked = Array.from({ length: 40 }, () => ask(writer, '/api/v1/repos/acme/web/activity'))
    expect((await Promise.race(asked)).status).toBe(503)
    const { value } = await scrape()
    expect(value('headsup_http_requests_shed_total{what="request"}')).toBeGreaterThan(0)
    github.heal()
    await Promise.all(asked)
  })

  it('hits and misses of the permission cache', async () => {
    const { github, ask, scrape } = await run()
    const { writer, stranger } = github.addRepository('web')
    for (const token of [writer, writer, writer, stranger]) await ask(token, '/api/v1/repos/acme/web/activity')
    const { value } = await scrape()
    const lookups = (result: string) =>
      value(`headsup_permission_cache_lookups_total{question="sight",result="${result}"}`)
    expect([lookups('hit'), lookups('miss')]).toEqual([2, 2])
    expect(value('headsup_permission_cache_entries{question="sight"}')).toBe(2)
  })

  it('calls to GitHub by outcome, and show the lowest remaining limit', async () => {
    const quiet = { HEADSUP_AUTHOR_LOGIN: 'off', HEADSUP_OBSERVE_WITH_CALLERS: 'false' }
    const { github, ask, scrape } = await run({ HEADSUP_PERMISSION_CACHE_MS: '0', ...quiet })
    const { writer, otherWriter, reader } = github.addRepository('web')
    const rich = github.data.tokens.get(writer)
    const poor = github.data.tokens.get(otherWriter)
    if (!rich || !poor) throw new Error('the stand-in has lost its tokens')
    rich.limit = { ...rich.limit, limit: 5_000, used: 0 }
    poor.limit = { ...poor.limit, limit: 5_000, used: 4_950 }
    for (const token of [writer, otherWriter, writer]) await ask(token, '/api/v1/repos/acme/web/activity')
    const heal = github.fail(faults.unicorn(502))
    await ask(writer, '/api/v1/repos/acme/web/activity')
    heal()
    github.fail(faults.reset())
    await ask(writer, '/api/v1/repos/acme/web/activity')
    github.heal()
    github.fail(faults.primaryLimit())
    await ask(reader, '/api/v1/repos/acme/web/activity')
    github.heal()
    github.revoke(writer)
    await ask(writer, '/api/v1/repos/acme/web/activity')
    const { value } = await scrape()
    const outcomes = ['ok', 'not_modified', 'server_error', 'no_answer', 'rate_limited', 'token_refused', 'refused']
    const calls = outcomes.map((outcome) =>
      value(`headsup_github_calls_total{asker="caller",${read},outcome="${outcome}"}`),
    )
    expect(calls).toEqual([2, 1, 1, 1, 1, 1, undefined])
    expect(value('headsup_github_call_duration_seconds_count{asker="caller"}')).toBe(7)
    expect(value('headsup_github_rate_limit_remaining{asker="caller"}')).toBe(0)
    expect(value('headsup_github_rate_limit_remaining{asker="app"}')).toBeUndefined()
  })

  it('calls of the App apart from those of callers', async () => {
    const { github, ask, scrape } = await run({}, appOf)
    const { writer } = github.addRepository('web')
    github.install('acme')
    await ask(writer, '/api/v1/repos/acme/web/activity')
    await vi.waitFor(async () => {
      const { value } = await scrape()
      const calls = (credential: string, route: string) =>
        value(`headsup_github_calls_total{asker="${credential}",route="${route}",outcome="ok"}`)
      expect(calls('caller', 'GET /repos/{owner}/{repo}')).toBe(1)
      expect(calls('app', 'GET /repos/{owner}/{repo}/installation')).toBe(1)
      expect(value('headsup_github_call_duration_seconds_count{asker="installation"}')).toBeGreaterThan(0)
      expect(value('headsup_github_rate_limit_remaining{asker="installation"}')).toBeGreaterThan(0)
    }, patience)
  })

  it('deliveries by event and outcome', async () => {
    const secret = 'it is a secret to everybody'
    const { url, scrape } = await run({ WEBHOOK_SECRET: secret })
    const repository = { id: 1, name: 'web', full_name: 'acme/web', owner: { login: 'acme' } }
    const gone = {
      ref: 'feat',
      ref_type: 'branch',
      repository: { ...repository, private: true, default_branch: 'main' },
    }
    for (const guid of ['one', 'one', 'two']) await deliver({ url }, 'delete', gone, { guid })
    await deliver({ url }, 'star', { action: 'created', repository })
    await deliver({ url }, 'invented', { repository })
    await deliver({ url }, 'delete', gone, { secret: 'another' })
    const { value, names } = await scrape()
    const deliveries = (event: string, outcome: string) =>
      value(`headsup_webhook_deliveries_total{event="${event}",outcome="${outcome}"}`)
    await deliver({ url }, 'delete', gone, { headers: { 'x-hub-signature-256': '' } })
    const outcomes = ['handled', 'duplicate', 'bad_signature', 'refused']
    const counted = (await scrape()).value
    const ofDelete = (outcome: string) =>
      counted(`headsup_webhook_deliveries_total{event="delete",outcome="${outcome}"}`)
    expect(outcomes.map(ofDelete)).toEqual([2, 1, 1, 1])
    expect(deliveries('other', 'ignored')).toBe(2)
    expect(names.filter((name) => /"star"|invented/.test(name))).toEqual([])
  })

  it('sweeps with their result', async () => {
    const { github, ask, scrape } = await run({ HEADSUP_SWEEP_INTERVAL_MS: '10' })
    const { writer } = github.addRepository('web')
    const body = JSON.stringify({ title: 'Login', summary: 'Rework.', actor: 'Alice', expires_in_ms: 60_000 })
    const headers = { 'content-type': 'application/json' }
    await ask(writer, '/api/v1/repos/acme/web/activity', { method: 'POST', body, headers })
    await vi.waitFor(async () => {
      const { value } = await scrape()
      expect(value('headsup_job_runs_total{job="sweep",outcome="done"}')).toBeGreaterThan(1)
      expect(value('headsup_job_last_success_timestamp_seconds{job="sweep"}')).toBeCloseTo(Date.now() / 1000, -2)
      expect(value('headsup_job_last_duration_seconds{job="sweep"}')).toBeGreaterThan(0)
    }, patience)
  })

  it('a job that GitHub refused as stopped, not as done', async () => {
    const { github, lines, scrape } = await run({}, (stand) => {
      stand.fail(faults.badCredentials(), { method: 'GET', path: '/app/hook/deliveries' })
      return appOf(stand)
    })
    await vi.waitFor(async () => {
      const { value } = await scrape()
      expect(value('headsup_job_runs_total{job="redeliver",outcome="stopped"}')).toBe(1)
      expect(value('headsup_job_runs_total{job="redeliver",outcome="done"}')).toBeUndefined()
      expect(value('headsup_job_last_success_timestamp_seconds{job="redeliver"}')).toBeUndefined()
    }, patience)
    const said = lines.filter(({ fields }) => fields.job === 'redeliver').map(({ message }) => message)
    expect(said).toContain('job stopped early')
    expect(said).not.toContain('job done')
    github.heal()
  })

  it('live records, and connections and statements of the database', async () => {
    const { github, ask, scrape } = await run()
    const { writer } = github.addRepository('web')
    const headers = { 'content-type': 'application/json' }
    const activity = { title: 'Login', summary: 'Rework.', actor: 'Alice' }
    const create = { method: 'POST', body: JSON.stringify(activity), headers }
    for (const _ of [1, 2]) expect((await ask(writer, '/api/v1/repos/acme/web/activity', create)).status).toBe(201)
    const { value } = await scrape()
    expect(value('headsup_live_records{kind="activities"}')).toBe(2)
    expect(value('headsup_live_records{kind="notables"}')).toBe(0)
    expect(value('headsup_db_pool_connections{state="total"}')).toBeGreaterThan(0)
    expect(value('headsup_db_pool_connections{state="waiting"}')).toBeGreaterThanOrEqual(0)
    expect(value('headsup_db_query_duration_seconds_count')).toBeGreaterThan(4)
    expect(value('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0)
    expect(value('process_resident_memory_bytes')).toBeGreaterThan(0)
  })
})

describe('a scrape while the database is unreachable', () => {
  it('succeeds, counts failed sweeps, and has no series for live records', async () => {
    const { scrape, dropDatabase } = await run({ HEADSUP_SWEEP_INTERVAL_MS: '10' })
    await dropDatabase()
    await vi.waitFor(async () => {
      const { value, names } = await scrape()
      expect(value('headsup_job_runs_total{job="sweep",outcome="failed"}')).toBeGreaterThan(0)
      expect(names.filter((name) => name.startsWith('headsup_live_records'))).toEqual([])
    }, patience)
  })
})

describe('two services in one process', () => {
  it('have separate metrics', async () => {
    const [one, other] = await Promise.all([run(), run()])
    await one.ask(undefined, '/healthz')
    const healthz = 'headsup_http_requests_total{method="GET",route="/healthz",status="200"}'
    expect((await one.scrape()).value(healthz)).toBe(1)
    expect((await other.scrape()).value(healthz)).toBeUndefined()
  })
})

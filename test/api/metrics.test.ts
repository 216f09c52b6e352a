import nock from 'nock'
import { register } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { githubApiUrl } from '../support/github.ts'
import { clientOf, startTestService, type TestService, work } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  // Other files of this process have counted, too.
  register.resetMetrics()
  service = await startTestService({ METRICS_PORT: '0', HEADSUP_RATE_LIMIT: '4' })
})
afterAll(() => service.stop())

const metrics = async () => (await fetch(`${service.metricsUrl}/metrics`)).text()

/** The value of the sample that begins so; undefined where there is none. */
async function sampleOf(sample: string): Promise<number | undefined> {
  const line = (await metrics()).split('\n').find((one) => one.startsWith(`${sample} `))
  return line === undefined ? undefined : Number(line.slice(sample.length + 1))
}

it('§15 METRICS_PORT has the defaults of prom-client and eight families', async () => {
  const families = [...(await metrics()).matchAll(/^# TYPE (\w+)/gm)].map(([, name = '']) => name)
  expect(families).toEqual(expect.arrayContaining(['process_cpu_seconds_total', 'nodejs_eventloop_lag_seconds']))
  expect(families.filter((name) => name.startsWith('headsup_')).sort()).toEqual([
    'headsup_db_pool_connections',
    'headsup_github_rate_limit_remaining',
    'headsup_github_requests_total',
    'headsup_http_request_duration_seconds',
    'headsup_job_runs_total',
    'headsup_refused_total',
    'headsup_streams',
    'headsup_webhook_deliveries_total',
  ])
})

it('§15 METRICS_PORT answers the probes, and the main port no metrics', async () => {
  for (const path of ['/healthz', '/readyz']) {
    expect((await fetch(service.metricsUrl + path)).status, path).toBe(200)
    expect((await fetch(service.url + path)).status, path).toBe(200)
  }
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404)
  expect((await fetch(`${service.metricsUrl}/api/v1`)).status).toBe(404)
})

it('§15 counts requests, those to GitHub and those that are refused, without a caller’s words', async () => {
  const client = clientOf(service)
  await client.post('/activity', work)
  for (let asked = 0; asked < 4; asked++) await client.get('/activity?branch=secret-branch')
  nock(githubApiUrl).get('/repos/acme/hidden').reply(404, {}, { 'x-ratelimit-remaining': '4711' })
  const headers = { authorization: `Bearer ${client.token}` }
  await fetch(`${service.url}/api/v1/repos/acme/hidden/activity`, { headers })
  await fetch(`${service.url}/secret-path`)

  const requests = (labels: string) => sampleOf(`headsup_http_request_duration_seconds_count{${labels}}`)
  expect(await requests('method="POST",route="createActivity",status="201"')).toBe(1)
  expect(await requests('method="GET",route="listActivities",status="200"')).toBe(3)
  expect(await requests('method="GET",route="listActivities",status="429"')).toBe(1)
  expect(await sampleOf('headsup_refused_total{what="requests of a token"}')).toBe(1)
  expect(await sampleOf('headsup_github_requests_total{route="/repos/{owner}/{repo}",status="200"}')).toBe(1)
  expect(await sampleOf('headsup_github_requests_total{route="/repos/{owner}/{repo}",status="404"}')).toBe(1)
  expect(await sampleOf('headsup_github_rate_limit_remaining{asker="caller"}')).toBe(4_711)
  expect(await sampleOf('headsup_db_pool_connections{state="waiting"}')).toBe(0)
  const text = await metrics()
  for (const word of ['secret', 'acme', 'hidden', client.repository.name]) expect(text).not.toContain(word)
})

it('§15 counts the streams that are open', async () => {
  const client = clientOf(service)
  const { owner, name } = client.repository
  const headers = { authorization: `Bearer ${client.token}` }
  const stream = await fetch(`${service.url}/api/v1/repos/${owner}/${name}/events`, { headers })
  expect(await sampleOf('headsup_streams')).toBe(1)
  await stream.body?.cancel()
  await expect.poll(() => sampleOf('headsup_streams')).toBe(0)
})

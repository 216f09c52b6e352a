import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** In seconds. A call to GitHub takes up to 5 s, and may wait up to 5 s for a slot. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** The counters and histograms (see docs/operating.md). `gauges.ts` adds the values that are read during a scrape. */
export function createInstruments() {
  const registry = new Registry()
  const registers = [registry]
  const counter = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Counter({ name: `headsup_${name}`, help, labelNames, registers })
  const gauge = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Gauge({ name: `headsup_${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name: `headsup_${name}`, help, labelNames, buckets, registers })
  return {
    registry,
    requests: counter('http_requests_total', 'Requests.', ['method', 'route', 'status']),
    requestSeconds: histogram('http_request_duration_seconds', 'Duration of requests.', ['route']),
    shed: counter('http_requests_shed_total', 'Requests refused because the service was too busy.', ['what']),
    permissions: counter('permission_cache_lookups_total', 'Permissions found in the cache (hit), or not (miss).', [
      'question',
      'result',
    ]),
    githubCalls: counter('github_calls_total', 'Calls to GitHub, by token and outcome.', ['asker', 'route', 'outcome']),
    deprecations: counter('github_deprecations_total', 'Responses that announce the end of a route.', ['route']),
    githubSeconds: histogram('github_call_duration_seconds', 'Duration of calls to GitHub.', ['asker']),
    deliveries: counter('webhook_deliveries_total', 'Webhook deliveries.', ['event', 'outcome']),
    streamEvents: counter('stream_events_total', 'Events that were sent to streams.', ['event']),
    changeDelay: histogram('change_delay_seconds', 'From the write of a change until it is sent to the streams.', []),
    jobs: counter('job_runs_total', 'Runs of background jobs; busy: another instance was running the job.', [
      'job',
      'outcome',
    ]),
    jobCounts: counter('job_items_total', 'Items that background jobs processed.', ['job', 'what']),
    jobSeconds: gauge('job_last_duration_seconds', 'Duration of the last run of a job.', ['job']),
    jobSuccess: gauge('job_last_success_timestamp_seconds', 'Unix time of the last success of a job.', ['job']),
    queries: histogram('db_query_duration_seconds', 'Duration of statements, without the wait for a connection.', []),
    failedQueries: counter('db_query_failures_total', 'Failed statements, conflicts included.', []),
  }
}

export type Instruments = ReturnType<typeof createInstruments>

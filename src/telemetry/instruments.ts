import { Counter, Gauge, Histogram, Registry } from 'prom-client'

/** Seconds. A request that asks GitHub takes up to 5 s, and one that waits for its turn 5 more. */
const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Every number that operators see but the process's own and those of `gauges.ts` (docs/operating.md says what they mean). */
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
    requests: counter('http_requests_total', 'Requests answered.', ['method', 'route', 'status']),
    requestSeconds: histogram('http_request_duration_seconds', 'How long requests took.', ['route']),
    shed: counter('http_requests_shed_total', 'Refused since the service was too busy.', ['what']),
    permissions: counter('permission_cache_lookups_total', 'Permissions found in the cache (hit), or not (miss).', [
      'question',
      'result',
    ]),
    githubCalls: counter('github_calls_total', 'Calls to GitHub, by whose token and what came of them.', [
      'asker',
      'route',
      'outcome',
    ]),
    githubSeconds: histogram('github_call_duration_seconds', 'How long GitHub took.', ['asker']),
    deliveries: counter('webhook_deliveries_total', "GitHub's deliveries.", ['event', 'outcome']),
    jobs: counter('job_runs_total', 'Runs of background jobs; busy: another instance was at it.', ['job', 'outcome']),
    jobCounts: counter('job_items_total', 'What background jobs did, by their own counts.', ['job', 'what']),
    jobSeconds: gauge('job_last_duration_seconds', 'How long the last run of a job took.', ['job']),
    jobSuccess: gauge('job_last_success_timestamp_seconds', 'When a job last ended well, since 1970.', ['job']),
    queries: histogram('db_query_duration_seconds', 'How long statements took, once they had a connection.', []),
    failedQueries: counter('db_query_failures_total', 'Statements that failed, conflicts included.', []),
  }
}

export type Instruments = ReturnType<typeof createInstruments>

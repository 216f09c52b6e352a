import { Counter, Gauge, Histogram } from 'prom-client'

/** The metrics of this process, beside prom-client's defaults. Each is counted where it happens. No label holds a caller's data. */

export const httpRequests = new Histogram({
  name: 'headsup_http_request_duration_seconds',
  help: 'Requests by operation and status; `_count` is their number.',
  labelNames: ['method', 'route', 'status'] as const,
  buckets: [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
})

export const githubRequests = new Counter({
  name: 'headsup_github_requests_total',
  help: 'Requests to GitHub by route and status; 500 where nothing came back.',
  labelNames: ['route', 'status'] as const,
})

export const githubRateLimitRemaining = new Gauge({
  name: 'headsup_github_rate_limit_remaining',
  help: 'Requests that GitHub allows until its limit is reset, as it said last.',
  labelNames: ['asker'] as const,
})

export const webhookDeliveries = new Counter({
  name: 'headsup_webhook_deliveries_total',
  help: 'Deliveries of webhooks by event and outcome.',
  labelNames: ['event', 'outcome'] as const,
})

export const jobRuns = new Counter({
  name: 'headsup_job_runs_total',
  help: 'Runs of jobs by outcome.',
  labelNames: ['job', 'outcome'] as const,
})

export const poolConnections = new Gauge({
  name: 'headsup_db_pool_connections',
  help: 'Connections to PostgreSQL that are in use or idle, and requests that wait for one.',
  labelNames: ['state'] as const,
})

export const openStreams = new Gauge({
  name: 'headsup_streams',
  help: 'Open streams of events.',
})

export const refusedRequests = new Counter({
  name: 'headsup_refused_total',
  help: 'Requests that were refused to protect the service, by what was too much.',
  labelNames: ['what'] as const,
})

import { collectDefaultMetrics } from 'prom-client'
import type { EmitEvent, GithubCall, ServiceEvent } from '../lib/service-events.ts'
import { addGauges, type GaugeSources } from './gauges.ts'
import { createInstruments, type Instruments } from './instruments.ts'
import { boundedLabel, githubOutcome, methodLabel } from './labels.ts'
import { createRecentMinimum } from './recent-minimum.ts'

export interface Metrics {
  emit: EmitEvent
  /** Adds the gauges that are read during a scrape. To call when their sources exist. */
  addGauges(sources: GaugeSources): void
  contentType: string
  /** Returns Prometheus's text format. */
  text(): Promise<string>
}

/** The window of the lowest remaining rate limit, in ms. */
const recentMs = 300_000

/** Creates the metrics of one service. Each service has its own registry, so several in one process do not add up. */
export function createMetrics(): Metrics {
  const instruments = createInstruments()
  const { registry } = instruments
  const remaining = {
    caller: createRecentMinimum(recentMs),
    installation: createRecentMinimum(recentMs),
    app: createRecentMinimum(recentMs),
  }
  const route = boundedLabel(100)
  collectDefaultMetrics({ register: registry })

  function recordCall(call: GithubCall) {
    instruments.githubCalls.inc({ asker: call.credential, route: call.route, outcome: githubOutcome(call) })
    instruments.githubSeconds.observe({ asker: call.credential }, call.ms / 1000)
    if (call.ends) instruments.deprecations.inc({ route: call.route })
    if (call.remaining !== null) remaining[call.credential].add(call.remaining)
  }

  return {
    emit(event) {
      if (event.kind === 'github_call') recordCall(event.call)
      else if (event.kind === 'request') recordRequest(instruments, event, route(event.route ?? 'none'))
      else record(instruments, event)
    },
    addGauges: (sources) => addGauges(registry, { ...sources, remaining }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

type EventOf<Kind extends ServiceEvent['kind']> = Extract<ServiceEvent, { kind: Kind }>

function recordRequest(instruments: Instruments, { method, status, ms }: EventOf<'request'>, route: string) {
  instruments.requests.inc({ method: methodLabel(method), route, status: String(status) })
  instruments.requestSeconds.observe({ route }, ms / 1000)
}

function record(instruments: Instruments, event: ServiceEvent) {
  if (event.kind === 'query') {
    instruments.queries.observe(event.ms / 1000)
    if (event.failed) instruments.failedQueries.inc()
  } else if (event.kind === 'permission') {
    instruments.permissions.inc({ question: event.question, result: event.isKnown ? 'hit' : 'miss' })
  } else if (event.kind === 'delivery') {
    instruments.deliveries.inc({ event: event.event, outcome: event.outcome })
  } else if (event.kind === 'live_event') {
    instruments.streamEvents.inc({ event: event.event })
  } else if (event.kind === 'change_delivered') {
    instruments.changeDelay.observe(event.ms / 1000)
  } else if (event.kind === 'shed') {
    instruments.shed.inc({ what: event.what })
  } else if (event.kind === 'job') {
    recordJob(instruments, event)
  }
}

function recordJob(instruments: Instruments, { job, outcome, ms, counts }: EventOf<'job'>) {
  if (outcome === 'not_due') return
  instruments.jobs.inc({ job, outcome })
  if (outcome === 'busy') return
  instruments.jobSeconds.set({ job }, ms / 1000)
  if (outcome === 'done') instruments.jobSuccess.set({ job }, Date.now() / 1000)
  for (const [what, count] of Object.entries(counts)) {
    if (typeof count === 'number' && count > 0) instruments.jobCounts.inc({ job, what }, count)
  }
}

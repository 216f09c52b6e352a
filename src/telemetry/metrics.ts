import { collectDefaultMetrics } from 'prom-client'
import type { EmitEvent, GithubCall, ServiceEvent } from '../lib/events.ts'
import { addGauges, type GaugeSources } from './gauges.ts'
import { createInstruments, type Instruments } from './instruments.ts'
import { boundedLabel, githubOutcome, methodLabel } from './labels.ts'
import { createMinimum } from './minimum.ts'

export interface Metrics {
  observe: EmitEvent
  /** What is measured when it is asked for; once the service has it. */
  addGauges(sources: GaugeSources): void
  contentType: string
  /** In Prometheus's text format. */
  text(): Promise<string>
}

/** How long what GitHub said of a limit counts as recent, in ms; at most twice as long. */
const recentMs = 300_000

/** The metrics of one service: a registry of its own, so that several in one process don't add up. */
export function createMetrics(): Metrics {
  const instruments = createInstruments()
  const { registry } = instruments
  const remaining = {
    caller: createMinimum(recentMs),
    installation: createMinimum(recentMs),
    app: createMinimum(recentMs),
  }
  const route = boundedLabel(100)
  collectDefaultMetrics({ register: registry })

  function observeCall(call: GithubCall) {
    instruments.githubCalls.inc({ asker: call.asker, route: call.route, outcome: githubOutcome(call) })
    instruments.githubSeconds.observe({ asker: call.asker }, call.ms / 1000)
    if (call.remaining !== null) remaining[call.asker].see(call.remaining)
  }

  return {
    observe(seen) {
      if (seen.kind === 'github_call') observeCall(seen.call)
      else if (seen.kind === 'request') observeRequest(instruments, seen, route(seen.route ?? 'none'))
      else record(instruments, seen)
    },
    addGauges: (sources) => addGauges(registry, { ...sources, remaining }),
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

type Of<Kind extends ServiceEvent['kind']> = Extract<ServiceEvent, { kind: Kind }>

function observeRequest(instruments: Instruments, { method, status, ms }: Of<'request'>, route: string) {
  instruments.requests.inc({ method: methodLabel(method), route, status: String(status) })
  instruments.requestSeconds.observe({ route }, ms / 1000)
}

function record(instruments: Instruments, seen: ServiceEvent) {
  if (seen.kind === 'query') {
    instruments.queries.observe(seen.ms / 1000)
    if (seen.failed) instruments.failedQueries.inc()
  } else if (seen.kind === 'permission') {
    instruments.permissions.inc({ question: seen.question, result: seen.isKnown ? 'hit' : 'miss' })
  } else if (seen.kind === 'delivery') {
    instruments.deliveries.inc({ event: seen.event, outcome: seen.outcome })
  } else if (seen.kind === 'unreadable') {
    instruments.requests.inc({ method: 'other', route: 'none', status: String(seen.status) })
  } else if (seen.kind === 'shed') {
    instruments.shed.inc({ what: seen.what })
  } else if (seen.kind === 'job') {
    observeJob(instruments, seen)
  }
}

function observeJob(instruments: Instruments, { job, outcome, ms, counts }: Of<'job'>) {
  if (outcome === 'not_due') return
  instruments.jobs.inc({ job, outcome })
  if (outcome === 'busy') return
  instruments.jobSeconds.set({ job }, ms / 1000)
  if (outcome === 'done') instruments.jobSuccess.set({ job }, Date.now() / 1000)
  for (const [what, count] of Object.entries(counts)) {
    if (typeof count === 'number' && count > 0) instruments.jobCounts.inc({ job, what }, count)
  }
}

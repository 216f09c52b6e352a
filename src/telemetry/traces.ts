import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Span, Tracer } from '@opentelemetry/api'
import type { EmitEvent, ServiceEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import type { RequestContext } from '../lib/request-context.ts'
import { reportingExporter } from './exporter.ts'
import { methodLabel } from './labels.ts'
import { type PastSpan, spanOfCall, spanOfQuery } from './spans.ts'
import { readTraceparent } from './traceparent.ts'

export interface Traces {
  observe: EmitEvent
  /** Sends what is left, for two seconds at most. */
  stop(): Promise<void>
}

/** How long the last spans may take on their way, in ms. */
const patienceMs = 2_000

type Api = typeof import('@opentelemetry/api')

/**
 * Spans of requests, jobs, calls to GitHub and statements, sent to an OTLP endpoint. What they need is loaded here, and so
 * not at all without an endpoint. Nothing global is registered: these traces are this service's alone.
 */
export async function startTraces(endpoint: string, log: Log): Promise<Traces> {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = reportingExporter(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), log)
  const provider = new sdk.NodeTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'headsup' })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  return {
    observe: record(api, provider.getTracer('headsup')),
    async stop() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(patienceMs, undefined, { ref: false })])
    },
  }
}

function record(api: Api, tracer: Tracer): EmitEvent {
  const { SpanKind, SpanStatusCode } = api
  const open = new WeakMap<RequestContext, Span>()

  function within(errand: RequestContext | undefined): Context {
    const span = errand && open.get(errand)
    return span ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT
  }

  function begin(errand: RequestContext, span: Span) {
    if (errand.requestId !== undefined) span.setAttribute('headsup.request_id', errand.requestId)
    open.set(errand, span)
  }

  function end({ errand }: { errand: RequestContext }, failed: boolean) {
    const span = open.get(errand)
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  /** One that is over already. */
  function past(seen: { errand: RequestContext | undefined }, { name, attributes, failed, ms }: PastSpan) {
    const ended = Date.now()
    const options = { kind: SpanKind.CLIENT, startTime: ended - ms, attributes }
    const span = tracer.startSpan(name, options, within(seen.errand))
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(ended)
  }

  function endRequest(seen: Extract<ServiceEvent, { kind: 'request' }>) {
    const { route, status } = seen
    const span = open.get(seen.errand)
    if (route !== undefined) span?.updateName(`${methodLabel(seen.method)} ${route}`).setAttribute('http.route', route)
    if (status === 'aborted') span?.setAttribute('error.type', status)
    else span?.setAttribute('http.response.status_code', status)
    end(seen, status === 'aborted' || status >= 500)
  }

  return (seen) => {
    if (seen.kind === 'request_began') {
      const method = methodLabel(seen.method)
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }
      begin(seen.errand, tracer.startSpan(method, options, readTraceparent(api, seen.traceparent)))
    } else if (seen.kind === 'request') endRequest(seen)
    else if (seen.kind === 'job_began') begin(seen.errand, tracer.startSpan(`job ${seen.job}`, {}, api.ROOT_CONTEXT))
    // A turn that did nothing is never ended, and so never sent.
    else if (seen.kind === 'job' && seen.outcome !== 'not_due') end(seen, seen.outcome === 'failed')
    else if (seen.kind === 'github_call') past(seen, spanOfCall(seen.call))
    else if (seen.kind === 'query' && seen.errand) past(seen, spanOfQuery(seen))
  }
}

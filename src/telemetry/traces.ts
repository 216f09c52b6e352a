import { setTimeout as sleep } from 'node:timers/promises'
import type { Context, Span, Tracer } from '@opentelemetry/api'
import type { EmitEvent, ServiceEvent } from '../lib/events.ts'
import type { Log } from '../lib/log.ts'
import type { RequestContext } from '../lib/request-context.ts'
import { methodLabel } from './labels.ts'
import { type EndedSpan, spanOfCall, spanOfQuery } from './spans.ts'

export interface Traces {
  emit: EmitEvent
  /** Sends the remaining spans, for at most two seconds. */
  stop(): Promise<void>
}

/** How long to wait for the last spans to be sent, in ms. */
const stopMs = 2_000

type Api = typeof import('@opentelemetry/api')

/**
 * Sends spans of requests, jobs, calls to GitHub and statements to an OTLP endpoint. Imports the SDK only here, so that a
 * service without an endpoint does not load it. Registers nothing global: several services in one process do not mix.
 */
export async function startTraces(endpoint: string, log: Log): Promise<Traces> {
  const [api, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-node'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
  ])
  const exporter = loggingExporter(new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }), log)
  const provider = new sdk.NodeTracerProvider({
    resource: resources
      .resourceFromAttributes({ 'service.name': 'headsup' })
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor(exporter)],
  })
  return {
    emit: recordSpans(api, provider.getTracer('headsup')),
    async stop() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(stopMs, undefined, { ref: false })])
    },
  }
}

interface Exporter<Item> {
  export(items: Item[], done: (result: { code: number }) => void): void
  shutdown(): Promise<void>
}

/** Logs when exports begin to fail and when they succeed again, once each. */
function loggingExporter<Item>(exporter: Exporter<Item>, log: Log): Exporter<Item> {
  let isFailing = false
  return {
    export(items, done) {
      exporter.export(items, (result) => {
        const failed = result.code !== 0
        if (failed && !isFailing) log.warn({ spans: items.length }, 'OTEL_EXPORTER_OTLP_ENDPOINT takes no traces')
        if (!failed && isFailing) log.info({}, 'OTEL_EXPORTER_OTLP_ENDPOINT takes traces again')
        isFailing = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

/** Parses a W3C `traceparent` header. Without a valid one the request begins a trace of its own. */
export function parseTraceparent(api: Api, header: string | undefined): Context {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header?.trim() ?? '') ?? []
  // Version 00 has no further fields, later versions may have some, and ff is not valid.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return api.ROOT_CONTEXT
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return api.isSpanContextValid(spanContext)
    ? api.trace.setSpanContext(api.ROOT_CONTEXT, spanContext)
    : api.ROOT_CONTEXT
}

function recordSpans(api: Api, tracer: Tracer): EmitEvent {
  const { SpanKind, SpanStatusCode } = api
  const open = new WeakMap<RequestContext, Span>()

  function parentOf(requestContext: RequestContext | undefined): Context {
    const span = requestContext && open.get(requestContext)
    return span ? api.trace.setSpan(api.ROOT_CONTEXT, span) : api.ROOT_CONTEXT
  }

  function begin(requestContext: RequestContext, span: Span) {
    if (requestContext.requestId !== undefined) span.setAttribute('headsup.request_id', requestContext.requestId)
    open.set(requestContext, span)
  }

  function end({ requestContext }: { requestContext: RequestContext }, failed: boolean) {
    const span = open.get(requestContext)
    if (failed) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
  }

  function addEnded(requestContext: RequestContext | undefined, { name, attributes, failed, ms }: EndedSpan) {
    const endedAt = Date.now()
    const options = { kind: SpanKind.CLIENT, startTime: endedAt - ms, attributes }
    const span = tracer.startSpan(name, options, parentOf(requestContext))
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endedAt)
  }

  function endRequest(event: Extract<ServiceEvent, { kind: 'request' }>) {
    const { route, status } = event
    const span = open.get(event.requestContext)
    if (route !== undefined) span?.updateName(`${methodLabel(event.method)} ${route}`).setAttribute('http.route', route)
    if (status === 'aborted') span?.setAttribute('error.type', status)
    else span?.setAttribute('http.response.status_code', status)
    end(event, status === 'aborted' || status >= 500)
  }

  return (event) => {
    if (event.kind === 'request_began') {
      const method = methodLabel(event.method)
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }
      begin(event.requestContext, tracer.startSpan(method, options, parseTraceparent(api, event.traceparent)))
    } else if (event.kind === 'request') endRequest(event)
    else if (event.kind === 'job_began') {
      begin(event.requestContext, tracer.startSpan(`job ${event.job}`, {}, api.ROOT_CONTEXT))
    }
    // The span of a job that was not due is never ended, and therefore never sent.
    else if (event.kind === 'job' && event.outcome !== 'not_due') end(event, event.outcome === 'failed')
    else if (event.kind === 'github_call') addEnded(event.requestContext, spanOfCall(event.call))
    else if (event.kind === 'query' && event.requestContext) addEnded(event.requestContext, spanOfQuery(event))
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Span, TextMapPropagator, Tracer } from '@opentelemetry/api'
import type { SpanExporter } from '@opentelemetry/sdk-trace-node'
import type { Log } from '../lib/log.ts'
import type { RequestContext } from '../lib/request-context.ts'
import type { EmitEvent, ServiceEvent } from '../lib/service-events.ts'
import { type EndedSpan, spanOfCall, spanOfQuery } from './call-spans.ts'
import { methodLabel } from './labels.ts'

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
  const [api, { W3CTraceContextPropagator }, sdk, { OTLPTraceExporter }, resources] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/core'),
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
    emit: recordSpans(api, new W3CTraceContextPropagator(), provider.getTracer('headsup')),
    async stop() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(stopMs, undefined, { ref: false })])
    },
  }
}

/** Logs when exports begin to fail and when they succeed again, once each. */
function loggingExporter(exporter: SpanExporter, log: Log): SpanExporter {
  let isFailing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== 0
        if (failed && !isFailing) log.warn({ spans: spans.length }, 'OTEL_EXPORTER_OTLP_ENDPOINT takes no traces')
        if (!failed && isFailing) log.info({}, 'OTEL_EXPORTER_OTLP_ENDPOINT takes traces again')
        isFailing = failed
        done(result)
      })
    },
    shutdown: () => exporter.shutdown(),
  }
}

function recordSpans(api: Api, propagator: TextMapPropagator, tracer: Tracer): EmitEvent {
  const { ROOT_CONTEXT, SpanKind } = api
  const open = new WeakMap<RequestContext, Span>()

  function begin(requestContext: RequestContext, span: Span) {
    if (requestContext.requestId !== undefined) span.setAttribute('headsup.request_id', requestContext.requestId)
    open.set(requestContext, span)
  }

  function end(span: Span | undefined, failed: boolean, at?: number) {
    if (failed) span?.setStatus({ code: api.SpanStatusCode.ERROR })
    span?.end(at)
  }

  function addEnded(requestContext: RequestContext | undefined, { name, attributes, failed, ms }: EndedSpan) {
    const parent = requestContext && open.get(requestContext)
    const context = parent ? api.trace.setSpan(ROOT_CONTEXT, parent) : ROOT_CONTEXT
    const endedAt = Date.now()
    const options = { kind: SpanKind.CLIENT, startTime: endedAt - ms, attributes }
    end(tracer.startSpan(name, options, context), failed, endedAt)
  }

  function endRequest({ requestContext, method, route, status }: Extract<ServiceEvent, { kind: 'request' }>) {
    const span = open.get(requestContext)
    if (route !== undefined) span?.updateName(`${methodLabel(method)} ${route}`).setAttribute('http.route', route)
    if (status === 'aborted') span?.setAttribute('error.type', status)
    else span?.setAttribute('http.response.status_code', status)
    end(span, status === 'aborted' || status >= 500)
  }

  return (event) => {
    if (event.kind === 'request_began') {
      const method = methodLabel(event.method)
      const options = { kind: SpanKind.SERVER, attributes: { 'http.request.method': method } }
      const { traceparent } = event
      const parent = propagator.extract(ROOT_CONTEXT, { traceparent }, api.defaultTextMapGetter)
      begin(event.requestContext, tracer.startSpan(method, options, parent))
    } else if (event.kind === 'request') endRequest(event)
    else if (event.kind === 'job_began') {
      begin(event.requestContext, tracer.startSpan(`job ${event.job}`, {}, ROOT_CONTEXT))
    }
    // The span of a job that was not due is never ended, and therefore never sent.
    else if (event.kind === 'job' && event.outcome !== 'not_due')
      end(open.get(event.requestContext), event.outcome === 'failed')
    else if (event.kind === 'github_call') addEnded(event.requestContext, spanOfCall(event.call))
    else if (event.kind === 'query' && event.requestContext) addEnded(event.requestContext, spanOfQuery(event))
  }
}

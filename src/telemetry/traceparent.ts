import type { Context } from '@opentelemetry/api'

/** What the caller's trace is, by the W3C's `traceparent`; one that can't be read begins a trace of its own. */
export function readTraceparent(api: typeof import('@opentelemetry/api'), header: string | undefined): Context {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/.exec(header?.trim() ?? '') ?? []
  // Later versions may have more fields; version 00 has none, and ff is none.
  if (version === undefined || version === 'ff' || (version === '00' && more !== undefined)) return api.ROOT_CONTEXT
  const spanContext = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  return api.isSpanContextValid(spanContext)
    ? api.trace.setSpanContext(api.ROOT_CONTEXT, spanContext)
    : api.ROOT_CONTEXT
}

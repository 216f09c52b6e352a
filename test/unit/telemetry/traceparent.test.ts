import * as api from '@opentelemetry/api'
import { expect, it } from 'vitest'
import { parseTraceparent } from '../../../src/telemetry/traces.ts'

const trace = '0af7651916cd43dd8448eb211c80319c'
const parent = 'b7ad6b7169203331'
const read = (header: string | undefined) => api.trace.getSpanContext(parseTraceparent(api, header))

it('the trace of a caller is continued, sampled or not', () => {
  const taken = { traceId: trace, spanId: parent, isRemote: true }
  expect(read(`00-${trace}-${parent}-01`)).toEqual({ ...taken, traceFlags: 1 })
  expect(read(`00-${trace}-${parent}-00`)).toEqual({ ...taken, traceFlags: 0 })
  expect(read(`cc-${trace}-${parent}-03-future-field`)).toEqual({ ...taken, traceFlags: 1 })
})

it.each([
  undefined,
  '',
  'nonsense',
  `00-${trace}-${parent}`,
  `00-${trace}-${parent}-01-more`,
  `ff-${trace}-${parent}-01`,
  `00-${trace.toUpperCase()}-${parent}-01`,
  `00-${'0'.repeat(32)}-${parent}-01`,
  `00-${trace}-${'0'.repeat(16)}-01`,
])('an invalid traceparent begins a new trace: %s', (header) => {
  expect(read(header)).toBeUndefined()
})

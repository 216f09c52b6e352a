import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

const Sent = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              kind: z.number(),
              status: z.object({ code: z.number().optional() }).optional(),
              attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
            }),
          ),
        }),
      ),
    }),
  ),
})

export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentSpanId: string | undefined
  name: string
  kind: 'internal' | 'server' | 'client'
  failed: boolean
  attributes: Record<string, unknown>
}

export interface Receiver {
  url: string
  /** The bodies as they were received. */
  texts: string[]
  headers: IncomingHttpHeaders[]
  spans(): ReceivedSpan[]
}

/** A collector that receives traces as OTLP over HTTP in JSON until the test ends. */
export async function startReceiver(status = () => 200): Promise<Receiver> {
  const texts: string[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const chunk of request.setEncoding('utf8')) text += chunk
    if (request.url === '/v1/traces' && status() === 200) texts.push(text)
    headers.push(request.headers)
    response.writeHead(status(), { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    texts,
    headers,
    spans: () => texts.flatMap(read),
  }
}

function read(text: string): ReceivedSpan[] {
  const { resourceSpans } = Sent.parse(JSON.parse(text))
  return resourceSpans
    .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
    .map(({ kind, status, attributes, parentSpanId, ...span }) => ({
      ...span,
      parentSpanId: parentSpanId || undefined,
      kind: (['internal', 'internal', 'server', 'client'] as const)[kind] ?? 'internal',
      failed: status?.code === 2,
      attributes: Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
    }))
}
